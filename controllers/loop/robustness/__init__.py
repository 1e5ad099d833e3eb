"""Robust margins and budgets of a loop with bounded uncertain parameters."""

from .measured import loop_margin
from .robust_budget import RobustBudgetBound, robust_budget_bound
from .robust_margin import RobustMarginBound, robust_margin_bound
from .schedule_margins import ScheduleInterval, schedule_margins

__all__ = [
    "RobustBudgetBound",
    "RobustMarginBound",
    "ScheduleInterval",
    "loop_margin",
    "robust_budget_bound",
    "robust_margin_bound",
    "schedule_margins",
]
