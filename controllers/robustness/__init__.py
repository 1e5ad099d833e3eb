"""Robust margins of all loops within bounds, by structured singular values on boxes of uncertain parameters."""

from .guarantee import GuaranteedMargin, guaranteed_margin
from .measured import loop_margin

__all__ = ["GuaranteedMargin", "guaranteed_margin", "loop_margin"]
