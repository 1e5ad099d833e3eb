"""Explanatory figures: Euler sequences as cans in series, torque bases, polhodes and cones.

Every `draw_` function returns a matplotlib Figure; `polhode cans` and `polhode bases` write one to a file.
matplotlib is imported only when a figure is drawn.
"""

from .craft.cone_path import draw_cone_path
from .craft.cones import draw_cones
from .craft.herpolhode import draw_herpolhode
from .craft.hub_response import draw_hub_response
from .craft.mode_shapes import draw_mode_shapes
from .craft.polhode_sphere import draw_polhode_sphere
from .sequences.bases import draw_bases
from .sequences.cans import draw_cans
from .sequences.cans_geometry import CanPair, Cans, cans_in_series
from .study.damping_chart import draw_damping_chart

__all__ = [
    "CanPair",
    "Cans",
    "cans_in_series",
    "draw_bases",
    "draw_cans",
    "draw_cone_path",
    "draw_cones",
    "draw_damping_chart",
    "draw_herpolhode",
    "draw_hub_response",
    "draw_mode_shapes",
    "draw_polhode_sphere",
]
