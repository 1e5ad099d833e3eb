"""Geometry of the cans of an Euler sequence: positions, axes and frames, independent of the drawing.

Each rotation is a pair of cans on one axis. One half is fixed in the frame before the rotation; the other half rotates
with the frame after the rotation. The next pair is attached to the side of the rotating half; its axis is a coordinate
axis of the frame reached so far. The axis of pair n is therefore g_n, the n-th vector of the Euler basis, and the frame
after the third pair is the body frame: R = R_i(a1) R_j(a2) R_k(a3) (Schwab & Meijaard 2006, section 1, (1)-(5);
figures 2-4 there show the sequence 3-1-3).

The view is exploded: the origins of the frames do not coincide, but all directions are true. Axes of neighbouring pairs
meet in a point, as in a real gimbal. If the first and the third axis are parallel, all three axes are therefore in one
plane, and gimbal lock is visible.
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
"""Radius of a can; the unit of length is arbitrary."""
LENGTH: Final = 0.85
"""Length of one half of a pair."""
GAP: Final = 0.08
"""Gap between the halves of a pair."""
LINK: Final = 0.42
"""Free length of the link from one pair to the next."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class CanPair:
    """One rotation: a fixed and a rotating can on one axis.

    Parameters
    ----------
    number : int
        Number of the rotation, 1 to 3.
    axis : int
        Index of the coordinate axis of the rotation, from 0.
    angle : float
        Angle of rotation, rad.
    centre : numpy.ndarray, shape (3,)
        The middle of the gap between the halves.
    before : numpy.ndarray, shape (3, 3)
        Base vectors of the frame before the rotation, as columns, inertial components.
    after : numpy.ndarray, shape (3, 3)
        Base vectors of the frame after the rotation, as columns, inertial components.
    """

    number: int
    axis: int
    angle: float
    centre: Array
    before: Array
    after: Array

    @property
    def direction(self) -> Array:
        """Axis of the pair: unit vector g_n, inertial components."""
        return self.before[:, self.axis]

    @property
    def foot(self) -> Array:
        """Free end of the fixed half, inertial components."""
        return self.centre - (0.5 * GAP + LENGTH) * self.direction

    @property
    def end(self) -> Array:
        """Free end of the rotating half, inertial components."""
        return self.centre + (0.5 * GAP + LENGTH) * self.direction

    @property
    def shoulder(self) -> Array:
        """Middle of the rotating half, where the axis of the next pair crosses it."""
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
        The three rotations in order.
    """

    sequence: str
    angles: Array
    pairs: tuple[CanPair, CanPair, CanPair]

    @property
    def frames(self) -> tuple[Array, Array, Array, Array]:
        """Space frame, two intermediate frames and body frame, with base vectors as columns."""
        first, second, third = self.pairs
        return first.before, first.after, second.after, third.after

    @property
    def symmetric(self) -> bool:
        """True if the first and the last rotation are about the same coordinate axis."""
        return self.pairs[0].axis == self.pairs[2].axis

    @property
    def links(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Both ends of the two links, on the side of a rotating half and at the foot of the next pair."""
        first, second, third = self.pairs
        return (
            (first.shoulder + RADIUS * second.direction, second.foot),
            (second.shoulder + RADIUS * third.direction, third.foot),
        )

    @property
    def distance(self) -> float:
        """Difference between the middle angle and the nearest singular value, rad."""
        sine, cosine = abs(float(np.sin(self.angles[1]))), abs(float(np.cos(self.angles[1])))
        return float(np.arctan2(sine, cosine) if self.symmetric else np.arctan2(cosine, sine))

    @property
    def locked(self) -> bool:
        """True if the three axes are in one plane, to double precision."""
        return self.distance <= SINGULAR_ANGLE

    @property
    def parallel(self) -> bool:
        """True if the scalar product of the first and the third axis is positive."""
        return float(self.pairs[0].direction @ self.pairs[2].direction) > 0.0

    @property
    def plane(self) -> tuple[Array, Array]:
        """Point and unit normal of the plane through the first and the second axis."""
        first, second, _ = self.pairs
        return first.shoulder, np.cross(first.direction, second.direction)


def cans_in_series(sequence: str, angles: ArrayLike) -> Cans:
    """Return the cans of an Euler sequence at given angles.

    Parameters
    ----------
    sequence : str
        One of the twelve Euler sequences, such as "3-1-3".
    angles : array_like, shape (3,)
        Euler angles in the order of the sequence, rad, of any magnitude.

    Returns
    -------
    Cans
        Cans with the first pair at the origin; all vectors are in inertial components.

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
