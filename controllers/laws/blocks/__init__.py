"""Ready-made blocks: filters, lags, delays, jitter, noise, quantisation, rate limits, lost samples."""

from .direction_attitude import direction_attitude
from .dropout import dropout
from .jitter import jitter
from .linear_block import lag, low_pass, state_space, transfer_function
from .momentum import momentum_of_rate, split_body_momentum
from .noise import noise
from .nonlinear_blocks import delay, quantizer, rate_limiter

__all__ = [
    "delay",
    "direction_attitude",
    "dropout",
    "jitter",
    "lag",
    "low_pass",
    "momentum_of_rate",
    "noise",
    "quantizer",
    "rate_limiter",
    "split_body_momentum",
    "state_space",
    "transfer_function",
]
