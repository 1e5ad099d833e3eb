"""Pictures that explain: Euler sequences as cans in series, and the torque bases that belong to them.

`draw_cans` and `draw_bases` return a matplotlib Figure; `polhode cans` and `polhode bases` write one to a
file. matplotlib is imported when something is drawn, not before.
"""

from .bases import draw_bases
from .cans import draw_cans
from .cans_geometry import CanPair, Cans, cans_in_series

__all__ = ["CanPair", "Cans", "cans_in_series", "draw_bases", "draw_cans"]
