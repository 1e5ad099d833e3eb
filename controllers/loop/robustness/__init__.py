"""Robust margins and budgets of a loop with bounded uncertain parameters."""

from .measured import loop_margin
from .robust_budget import RobustBudgetBound, robust_budget_bound
from .robust_margin import RobustMarginBound, robust_margin_bound

__all__ = ["RobustBudgetBound", "RobustMarginBound", "loop_margin", "robust_budget_bound", "robust_margin_bound"]
