"""Tuning of a case: free parameters, requirements as goals, counter-examples within the dispersions, trade-offs."""

from .trade_off import TradeOff, trade_off
from .tune_case import tune_case
from .tuned_case import TunedCase

__all__ = ["TradeOff", "TunedCase", "trade_off", "tune_case"]
