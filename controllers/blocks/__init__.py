"""Ready-made blocks: filters, lags, delays, jitter, noise, quantisation, rate limits, lost samples."""

from .direction_attitude import direction_attitude
from .dropout import dropout
from .jitter import jittered
from .linear_block import low_pass, state_space, transfer_function
from .momentum import momentum_apart, momentum_of_rate
from .noise import noisy
from .nonlinear_blocks import delayed, quantised, rate_limited

__all__ = [
    "delayed",
    "direction_attitude",
    "dropout",
    "jittered",
    "low_pass",
    "momentum_apart",
    "momentum_of_rate",
    "noisy",
    "quantised",
    "rate_limited",
    "state_space",
    "transfer_function",
]
