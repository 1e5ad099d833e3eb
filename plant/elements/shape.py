"""Shapes of elements: what a picture shows of a wheel, a ring, a pendulum or an arm, and how it moves.

An element with the optional method `shapes(motion)` returns its shapes with their motion over the rows of a run. All
positions are relative to the mass centre of the hub, in body components. Names of kinds are drawing primitives, not
kinds of elements:

    "disc"    turns about its axis by `angle`
    "ring"    torus about its axis
    "arc"     part of a torus, `span` wide, whose middle is `angle` from `across` about the axis
    "bob"     ball at the second of two points, on a rod from the first
    "slider"  block at the second of two points, on a spring from the first
    "beam"    strip along `points`, as wide as `sides` point
    "block"   box of the edges `size` along the columns of `frame`
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..frozen import frozen_arrays

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class ElementMotion:
    """Motion of one element over the rows of a run.

    Parameters
    ----------
    coordinates : numpy.ndarray, shape (n, k)
        Its coordinates.
    states : numpy.ndarray, shape (n, m)
        Its own states, of elements that have them.
    attitude : numpy.ndarray, shape (n, 4)
        Euler parameters of the hub, scalar first.
    offset : numpy.ndarray, shape (3,)
        From the reference point to the mass centre of the hub, body components, m.
    """

    coordinates: Array
    states: Array
    attitude: Array
    offset: Array


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Shape:
    """One shape of an element.

    Parameters
    ----------
    kind : str
        Drawing primitive: see the module.
    center : sequence of float, shape (3,)
        Centre, from the mass centre of the hub, body components, m.
    placed : bool
        Whether the model of the element has this position; otherwise a picture chooses one along the axis.
    axis : sequence of float, shape (3,)
        Axis, a unit vector, body components.
    across : sequence of float, shape (3,)
        Direction at angle zero, a unit vector normal to the axis.
    radius : float or None
        Radius, m. None: the model has none, and a picture takes it from the inertia.
    inertia : float or None
        Inertia about the axis, kg m^2.
    mass : float or None
        Mass, kg.
    span : float
        Angle of an arc, rad.
    length : float or None
        Undeformed length of a beam, m.
    angle : numpy.ndarray, shape (n,), or None
        Angle about the axis from `across`, rad.
    points : numpy.ndarray, shape (n, m, 3), or None
        Moving points.
    sides : numpy.ndarray, shape (n, m, 3), or None
        Unit vectors across a beam at these points.
    rest : numpy.ndarray, shape (m, 3), or None
        The points of the undeformed shape.
    size : numpy.ndarray, shape (3,), or None
        Edges of a block, m.
    frame : numpy.ndarray, shape (3, 3), or None
        Directions of these edges, as columns.
    """

    kind: str
    center: Sequence[float] = (0.0, 0.0, 0.0)
    placed: bool = True
    axis: Sequence[float] = (0.0, 0.0, 1.0)
    across: Sequence[float] = (1.0, 0.0, 0.0)
    radius: float | None = None
    inertia: float | None = None
    mass: float | None = None
    span: float = 2.0 * np.pi
    length: float | None = None
    angle: Array | None = None
    points: Array | None = None
    sides: Array | None = None
    rest: Array | None = None
    size: Array | None = None
    frame: Array | None = None
