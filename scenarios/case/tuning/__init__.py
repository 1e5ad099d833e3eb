"""Tuning of a case: free parameters, requirements as goals, counter-examples within the dispersions, trade-offs."""

from .trade_off import TradeOff, trade_off
from .tune_case import TunedCase, tune_case

__all__ = ["TradeOff", "TunedCase", "trade_off", "tune_case"]
