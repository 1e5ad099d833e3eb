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
"""No paint at all."""


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Patch:
    """A piece of paint.

    outline (n, 2): its corners in the picture.
    face, edge: colours, with opacity.
    width: of the edge, points.
    part: the part it belongs to.
    layer: -1 behind the cutting plane, 0 the plane itself, 1 before it.
    quiet: whether labels may cover it.
    """

    outline: Array
    face: Colour
    edge: Colour
    width: float
    part: int
    layer: int
    quiet: bool


def shade_of(normal: Array, colour: str, *, camera: Camera) -> RGB:
    """Return the colour of a matt surface, with a little shine where it faces the lamp.

    normal (3,): the unit normal of the surface; colour: its colour in full light; camera: the lamp goes with the camera
    -> red, green, blue.
    """
    lamp = np.array([-0.42, 0.55, 0.72]) @ camera.basis
    bright = max(0.0, float(normal @ lamp))
    base = np.array(rgb(colour)) * (0.62 + 0.38 * bright)
    red, green, blue = (base + 0.25 * bright**6 * (1.0 - base)).tolist()
    return red, green, blue
