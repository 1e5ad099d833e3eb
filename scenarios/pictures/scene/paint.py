"""Flat patches of colour, and the shading of surfaces by a light from the upper left."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_arrays
from ..palette import RGB, rgb
from .camera import Camera

Array = NDArray[np.float64]
Colour = tuple[float, float, float, float]

NOTHING: Final[Colour] = (0.0, 0.0, 0.0, 0.0)
"""Fully transparent colour."""


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Patch:
    """A flat coloured polygon in the figure.

    outline (n, 2): corners in the figure.
    face, edge: colours, with opacity.
    width: width of the edge, pt.
    part: number of the part to which the patch belongs.
    layer: -1 behind the cutting plane, 0 the plane itself, 1 in front of it.
    quiet: whether labels may cover the patch.
    """

    outline: Array
    face: Colour
    edge: Colour
    width: float
    part: int
    layer: int
    quiet: bool


def shade_of(normal: Array, colour: str, *, camera: Camera) -> RGB:
    """Return the shaded colour of a matt surface, slightly brighter where it faces the light.

    normal (3,): unit normal of the surface; colour: colour in full light; camera: camera, with which the light moves.
    Returns red, green and blue.
    """
    lamp = np.array([-0.42, 0.55, 0.72]) @ camera.basis
    bright = max(0.0, float(normal @ lamp))
    base = np.array(rgb(colour)) * (0.62 + 0.38 * bright)
    red, green, blue = (base + 0.25 * bright**6 * (1.0 - base)).tolist()
    return red, green, blue
