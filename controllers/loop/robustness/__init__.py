"""Robust margins of a loop with bounded uncertain parameters, by structured singular values."""

from .measured import loop_margin
from .robust_margin import RobustMarginBound, robust_margin_bound

__all__ = ["RobustMarginBound", "loop_margin", "robust_margin_bound"]
