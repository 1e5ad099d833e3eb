"""Pictures that explain: Euler sequences as cans in series, torque bases, polhodes and cones.

Every `draw_` function returns a matplotlib Figure; `polhode cans` and `polhode bases` write one to a file.
matplotlib is imported when something is drawn, not before.
"""

from .bases import draw_bases
from .cans import draw_cans
from .cans_geometry import CanPair, Cans, cans_in_series
from .cones import draw_cones
from .damping_chart import draw_damping_chart
from .herpolhode import draw_herpolhode
from .hub_response import draw_hub_response
from .mode_shapes import draw_mode_shapes
from .polhode_sphere import draw_polhode_sphere

__all__ = [
    "CanPair",
    "Cans",
    "cans_in_series",
    "draw_bases",
    "draw_cans",
    "draw_cones",
    "draw_damping_chart",
    "draw_herpolhode",
    "draw_hub_response",
    "draw_mode_shapes",
    "draw_polhode_sphere",
]
