"""Geometry of the cans of an Euler sequence: positions, axes and frames, independent of the drawing.

Each turn is a pair of cans on one axis. One half is fixed in the frame before the turn, the other turns with
the frame after it. The next pair stands on the side of the turning half: its axis is a coordinate axis of
the frame reached so far. So the axis of pair n is g_n, the n-th vector of the Euler basis, and the frame
after the third pair is the body: R = R_i(a1) R_j(a2) R_k(a3) (Schwab & Meijaard 2006, section 1, (1)-(5);
figures 2-4 there draw the sequence 3-1-3).

It is an exploded view: the origins of the frames do not coincide, which changes no direction. Axes of
neighbouring pairs meet in a point, as in a real gimbal; so where the first and the third axis are parallel
all three lines lie in one plane, and gimbal lock can be seen.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import from_euler_angles, parse_sequence, rotation_matrix
from ....plant.attitude.sequences import SINGULAR_ANGLE
from ....plant.checks import vector
from ....plant.frozen import frozen_arrays

Array = NDArray[np.float64]

RADIUS: Final = 0.5
"""Of a can; the unit of length is arbitrary."""
LENGTH: Final = 0.85
"""Of one half of a pair."""
GAP: Final = 0.08
"""Between the two halves."""
LINK: Final = 0.42
"""Free length of the link from one pair to the next."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class CanPair:
    """One turn: a fixed and a turning can on one axis.

    Parameters
    ----------
    number : int
        Number of the turn, 1 to 3.
    axis : int
        The coordinate axis turned about, counted from 0.
    angle : float
        The angle turned by, rad.
    centre : numpy.ndarray, shape (3,)
        The middle of the gap between the halves.
    before : numpy.ndarray, shape (3, 3)
        The base vectors of the frame before the turn, as columns, inertial components.
    after : numpy.ndarray, shape (3, 3)
        Those of the frame after the turn.
    """

    number: int
    axis: int
    angle: float
    centre: Array
    before: Array
    after: Array

    @property
    def direction(self) -> Array:
        """The axis of the pair: the unit vector g_n, inertial components."""
        return self.before[:, self.axis]

    @property
    def foot(self) -> Array:
        """The free end of the fixed half."""
        return self.centre - (0.5 * GAP + LENGTH) * self.direction

    @property
    def end(self) -> Array:
        """The free end of the turning half."""
        return self.centre + (0.5 * GAP + LENGTH) * self.direction

    @property
    def shoulder(self) -> Array:
        """The middle of the turning half, where the axis of the next pair meets this one."""
        return self.centre + 0.5 * (GAP + LENGTH) * self.direction


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Cans:
    """Three pairs of cans in series.

    Parameters
    ----------
    sequence : str
        The Euler sequence.
    angles : numpy.ndarray, shape (3,)
        The angles, rad.
    pairs : tuple of CanPair
        The three turns in order.
    """

    sequence: str
    angles: Array
    pairs: tuple[CanPair, CanPair, CanPair]

    @property
    def frames(self) -> tuple[Array, Array, Array, Array]:
        """The space frame, the two intermediate frames and the body frame; base vectors as columns."""
        first, second, third = self.pairs
        return first.before, first.after, second.after, third.after

    @property
    def symmetric(self) -> bool:
        """True if the first and the last axis have the same number."""
        return self.pairs[0].axis == self.pairs[2].axis

    @property
    def links(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Both ends of the two links: on the side of one turning half, and at the foot of the next pair."""
        first, second, third = self.pairs
        return (
            (first.shoulder + RADIUS * second.direction, second.foot),
            (second.shoulder + RADIUS * third.direction, third.foot),
        )

    @property
    def distance(self) -> float:
        """The angle between the middle angle and its nearest singular value, rad."""
        sine, cosine = abs(float(np.sin(self.angles[1]))), abs(float(np.cos(self.angles[1])))
        return float(np.arctan2(sine, cosine) if self.symmetric else np.arctan2(cosine, sine))

    @property
    def locked(self) -> bool:
        """True if the three axes lie in one plane, as far as double precision can tell."""
        return self.distance <= SINGULAR_ANGLE

    @property
    def parallel(self) -> bool:
        """True if the first and the third axis point to the same side (their product is positive)."""
        return float(self.pairs[0].direction @ self.pairs[2].direction) > 0.0

    @property
    def plane(self) -> tuple[Array, Array]:
        """A point and the unit normal of the plane through the first axis and the second."""
        first, second, _ = self.pairs
        return first.shoulder, np.cross(first.direction, second.direction)


def cans_in_series(sequence: str, angles: ArrayLike) -> Cans:
    """Return the cans of an Euler sequence at given angles.

    Parameters
    ----------
    sequence : str
        One of the twelve words, such as "3-1-3".
    angles : array_like, shape (3,)
        Euler angles in the order of the sequence, rad, of any size.

    Returns
    -------
    Cans
        The first pair stands in the origin; every vector is in inertial components.

    Raises
    ------
    InputError
        When the sequence is unknown or the angles are not three finite numbers.

    Examples
    --------
    >>> cans = cans_in_series("3-1-3", (0.5, 0.0, 0.1))
    >>> cans.locked, [pair.direction.round(3).tolist() for pair in cans.pairs]
    (True, [[0.0, 0.0, 1.0], [0.878, 0.479, 0.0], [0.0, 0.0, 1.0]])
    """
    axes = parse_sequence(sequence)
    a = vector("angles", angles, unit="rad")
    frames = [
        rotation_matrix(from_euler_angles(np.where(np.arange(3) < turns, a, 0.0), sequence)) for turns in range(4)
    ]
    pairs: list[CanPair] = []
    centre = np.zeros(3)
    for n, axis in enumerate(axes):
        if pairs:
            reach = RADIUS + LINK + LENGTH + 0.5 * GAP
            centre = pairs[-1].shoulder + reach * frames[n][:, axis]
        pairs.append(
            CanPair(number=n + 1, axis=axis, angle=float(a[n]), centre=centre, before=frames[n], after=frames[n + 1])
        )
    return Cans(sequence=sequence, angles=a, pairs=(pairs[0], pairs[1], pairs[2]))
