"""Shapes of elements in plots and animations: how a wheel, a ring, a pendulum or an arm is drawn and moves.

An element with the optional method `shapes(motion)` returns its shapes with their motion over the rows of a run. All
positions are relative to the mass centre of the hub, in body components. The kinds are named after drawing primitives
instead of elements:

    "disc"    disc, rotated about its axis by `angle`
    "ring"    torus about its axis
    "arc"     arc of a torus; it subtends `span`, and its middle is `angle` from `across` about the axis
    "bob"     ball at the second of two points, on a rod from the first
    "slider"  block at the second of two points, on a spring from the first
    "beam"    strip along `points`; the vectors `sides` give the direction of its width
    "block"   box with edge lengths `size` along the columns of `frame`
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
        Coordinates of the element.
    states : numpy.ndarray, shape (n, m)
        Own states of the element; m = 0 if it has none.
    attitude : numpy.ndarray, shape (n, 4)
        Euler parameters of the hub, scalar first.
    offset : numpy.ndarray, shape (3,)
        Vector from the reference point to the mass centre of the hub, body components, m.
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
        Drawing primitive: see the module docstring.
    center : sequence of float, shape (3,)
        Centre, relative to the mass centre of the hub, body components, m.
    placed : bool
        Whether the model of the element defines the position; otherwise a plot chooses a position along the axis.
    axis : sequence of float, shape (3,)
        Axis, a unit vector, body components.
    across : sequence of float, shape (3,)
        Direction at angle zero, a unit vector normal to the axis.
    radius : float or None
        Radius, m. None: the model has no radius, and a plot derives one from the inertia.
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
        Moving points, relative to the mass centre of the hub, body components, m.
    sides : numpy.ndarray, shape (n, m, 3), or None
        Unit vectors across a beam, one per point.
    rest : numpy.ndarray, shape (m, 3), or None
        Points of the undeformed shape.
    size : numpy.ndarray, shape (3,), or None
        Edge lengths of a block, m.
    frame : numpy.ndarray, shape (3, 3), or None
        Directions of the block edges, as columns.
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
