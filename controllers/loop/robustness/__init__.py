"""Robust margins of all loops within bounds, by structured singular values on boxes of uncertain parameters."""

from .measured import loop_margin
from .robust_margin import RobustMarginBound, robust_margin_bound

__all__ = ["RobustMarginBound", "loop_margin", "robust_margin_bound"]
