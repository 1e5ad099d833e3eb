"""Margins that every loop within bounds is shown to have: structured singular values on boxes of uncertain numbers."""

from .guarantee import GuaranteedMargin, guaranteed_margin
from .measured import loop_margin

__all__ = ["GuaranteedMargin", "guaranteed_margin", "loop_margin"]
