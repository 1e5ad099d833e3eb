"""Margins that every loop within bounds is shown to have: structured singular values on boxes of uncertain numbers."""

from .guarantee import GuaranteedMargin, guaranteed_margin
from .measured import loop_margin
from .multipliers import UncertainBlock, structured_upper_bound

__all__ = ["GuaranteedMargin", "UncertainBlock", "guaranteed_margin", "loop_margin", "structured_upper_bound"]
