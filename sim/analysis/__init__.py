"""Analysis of the loop that flies: margins, linear models and proofs of stability held against the simulation."""

from .changed_law import ChangedLaw
from .law_loop import law_loop
from .margin_sweep import MarginSweep, delay_sweep, inertia_sweep, margin_sweep, spin_sweep

__all__ = ["ChangedLaw", "MarginSweep", "delay_sweep", "inertia_sweep", "law_loop", "margin_sweep", "spin_sweep"]
