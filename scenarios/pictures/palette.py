"""Colours of the figures, distinguishable by colour-blind readers and, by lightness, in greyscale."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

RGB = tuple[float, float, float]

# Tol (2021), "Colour schemes", high contrast: lightness L* 29, 48 and 73
AXIS_COLOURS: Final = ("#004488", "#BB5566", "#DDAA33")
"""Colours of axis 1 (x), axis 2 (y) and axis 3 (z), in every frame."""

BASIS_COLOURS: Final = ("#AA3377", "#C98A00", "#2288CC")
"""Colours of the vectors of a torque basis. Their hues differ from those of the axes, since they are not axes."""

INK: Final = "#222222"
FAINT: Final = "#888888"
METAL: Final = "#B8BCC2"
PLATE: Final = "#D9D4C7"
BODY: Final = "#DADDE2"
LOCK: Final = "#F0C800"
LIMIT: Final = "#B3261E"
SETTLED: Final = "#1B7A3D"

_STROKES: Final = (*AXIS_COLOURS, "#000000")
_DASHES: Final = ("-", "--", "-.", ":")


def stroke(number: int) -> dict[str, Any]:
    """Return the style of line number 0, 1, ... in a figure, each with its own colour and dash.

    The first three are for the axes x (solid), y (dashed) and z (dash-dotted). From line 16 on, the styles repeat.
    """
    return {"color": _STROKES[number % 4], "linestyle": _DASHES[(number + number // 4) % 4]}


def rgb(colour: str) -> RGB:
    """Return a colour such as "#004488" as red, green and blue, each between 0 and 1."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255.0 for n in (1, 3, 5))
    return red, green, blue


def mixed(first: str, second: str, share: float) -> str:
    """Return a mixture of two colours, with fraction `share` of the second."""
    blend: NDArray[np.float64] = (1.0 - share) * np.array(rgb(first)) + share * np.array(rgb(second))
    return "#" + "".join(f"{round(255.0 * value):02X}" for value in blend.tolist())
