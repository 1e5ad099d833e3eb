"""The Euler basis and its dual at an attitude, with the verdicts of Choi's four theorems.

With R = R_i(a1) R_j(a2) R_k(a3), the Euler basis g1, g2, g3 consists of the axes of the three rotations: unit vectors,
with g2 normal to g1 and g3. The dual basis g^1, g^2, g^3 is its reciprocal: g^m . g_n = 1 for m = n and 0 otherwise.
Let d = g1.g3 and c = |g1 x g3|, which is |sin a2| for symmetric and |cos a2| for asymmetric sequences. Then::

    |g_n| = 1     |g^1| = |g^3| = 1/c     |g^2| = 1     condition of [g1 g2 g3] = (1 + |d|)/c

The condition number is computed from the Gram matrix of the g_n, whose eigenvalues are 1 - d, 1 and 1 + d. At the
singular pose c = 0: g1 and g3 are parallel, and no dual basis exists (Choi 2014, section 2.1, (10)-(11)).

The theorems. The generalised forces conjugate to the Euler parameters have the magnitude 2 |tau| (5), so they are
bounded if the torque is. Torque components are harmless in the inertial frame (Theorem 1), in the body frame
(Theorem 2), along g1, g2, g3 (Theorem 3) and along g^2 (Theorem 4, C1). A unit component along g^1 or g^3 is a torque
of 1/c, unbounded at the pose (C2). For instance, 5 deg from the pose of "3-1-3", 1 N m along g^3 is a torque of
11.5 N m:
>>> near = explore_bases("3-1-3", angles=np.radians((30, 5, 20)))
>>> near.dual_lengths.round(3)
array([11.474,  1.   , 11.474])
>>> print(round(near.condition, 3), round(1.0 / np.tan(np.radians(2.5)), 3))  # (1 + cos a2)/sin a2
22.904 22.904
>>> verdict = near.verdicts["g^1, g^3"]
>>> print(f"{verdict.theorem}: {verdict.behaviour}, here {verdict.amplification:.3f} N m per unit")
Theorem 4 (C2): unbounded at the pose, here 11.474 N m per unit

The theorems do not state that the pose is reached. They concern the torque at an attitude, not the motion
towards it. Take a body at rest at a2 = 90 deg under a torque along g^1. If it rotates about its major or minor axis, it
accelerates about the inertial z axis, with growing a1, constant a2 and |g^1| = 1; about the intermediate axis it would
tumble. Also, a body with angular momentum h has the momenta p_n = h.g_n conjugate to its angles. At a distance delta
from a pose with g1 = +-g3, |g1 -+ g3| = 2 sin(delta/2), so |p1 -+ p3| <= |h| delta. The body stays at least |p1 -+
p3|/|h| away from the pose as long as p1 differs from +-p3. A difference of |h|/10 keeps the body 5.7 deg away, and
|g^1| below 10.02:

>>> closest = explore_bases("3-1-3", angles=(0.0, 0.1, 0.0))
>>> print(round(np.degrees(closest.distance), 2), closest.dual_lengths.max().round(2))
5.73 10.02

Nor do the theorems state that a bounded torque is continuous. If a motion passes through or near the pose, g2 and g^2
reverse: instantly if it passes exactly through the pose; at a closest distance delta and a rate omega, a quarter turn
of g2 takes 2 delta/omega. For a body that rotates about the inertial x axis through a2 = 0 of "3-1-3", g2 on either
side is:

>>> for turn in (-1e-6, 1e-6):
...     print(explore_bases("3-1-3", attitude=(1.0, turn, 0.0, 0.0)).euler_inertial[1].round(3) + 0)
[-1.  0.  0.]
[1. 0. 0.]

A constant 1 N m along g2, bounded by Theorem 3 or 4 (C1), suddenly reverses, and an integrator meets a discontinuity.
If the Euler angles continue through the pose to negative a2, g2 does not change. However, g2 then depends on the
earlier motion and is not a function of the attitude.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...attitude import (
    euler_rate_matrix_body,
    euler_rate_matrix_inertial,
    from_euler_angles,
    parse_sequence,
    to_euler_angles,
)
from ...attitude.sequences import SINGULAR_ANGLE, permutation_sign
from ...checks import unit_quaternion, vector
from ...errors import InputError
from .bases import TorqueBases
from .basis import TorqueBasis
from .singularity import Singularity, singularity

Array = NDArray[np.float64]

_CASES: Final[Mapping[str, tuple[str, tuple[float, float, float]]]] = MappingProxyType(
    {
        "inertial frame": ("inertial", (1.0, 1.0, 1.0)),
        "body frame": ("body", (1.0, 1.0, 1.0)),
        "g1, g3": ("euler", (1.0, 0.0, 1.0)),
        "g2": ("euler", (0.0, 1.0, 0.0)),
        "g^2": ("dual-euler", (0.0, 1.0, 0.0)),
        "g^1, g^3": ("dual-euler", (1.0, 0.0, 1.0)),
    }
)


def explore_bases(sequence: str, *, angles: ArrayLike | None = None, attitude: ArrayLike | None = None) -> TorqueBases:
    """Return the Euler basis and its dual at an attitude, given as Euler angles or Euler parameters.

    Parameters
    ----------
    sequence : str
        One of the twelve sequences, such as "3-1-3".
    angles : array_like, shape (3,), optional
        Euler angles in the order of the sequence, rad, of any magnitude.
    attitude : array_like, shape (4,), optional
        Euler parameters, scalar first. At a singular pose they do not determine g2; a3 is then set to 0.

    Returns
    -------
    TorqueBases
        Vectors, lengths, condition number, distance to the singular pose and verdicts of the theorems.

    Raises
    ------
    InputError
        When the sequence is unknown, a shape or value is wrong, or not exactly one of angles and attitude is given.

    Examples
    --------
    >>> explore_bases("3-2-1", angles=(0.0, np.pi / 3, 0.0)).dual_lengths.round(6)  # 1/cos 60 deg
    array([2., 1., 2.])
    """
    i, j, k = parse_sequence(sequence)
    if (angles is None) == (attitude is None):
        raise InputError("give the attitude once: either angles (rad) or attitude (Euler parameters)")
    if angles is not None:
        a = vector("angles", angles, unit="rad")
        e = from_euler_angles(a, sequence)
    else:
        e = unit_quaternion("attitude", attitude)  # pyright: ignore[reportArgumentType] # not None, see above
        a = to_euler_angles(e, sequence)

    sine, cosine = float(np.sin(a[1])), float(np.cos(a[1]))
    c, d = (abs(sine), abs(cosine)) if i == k else (abs(cosine), abs(sine))
    distance = float(np.arctan2(c, d))
    singular = distance <= SINGULAR_ANGLE
    determinant = -sine if i == k else permutation_sign(i, j) * cosine
    euler_body = euler_rate_matrix_body(a, sequence).T
    euler_inertial = euler_rate_matrix_inertial(a, sequence).T
    length = np.inf if singular else 1.0 / c
    return TorqueBases(
        sequence=sequence,
        angles=a,
        attitude=e,
        euler_body=euler_body,
        euler_inertial=euler_inertial,
        dual_body=_dual(euler_body, np.nan if singular else determinant),
        dual_inertial=_dual(euler_inertial, np.nan if singular else determinant),
        euler_lengths=np.ones(3),
        dual_lengths=np.array([length, 1.0, length]),
        condition=np.inf if singular else (1.0 + d) / c,
        distance=distance,
        singular=singular,
        verdicts=MappingProxyType(
            {
                components: _verdict(name, sequence, attitude=e, components=numbers, distance=distance, length=length)
                for components, (name, numbers) in _CASES.items()
            }
        ),
    )


def _verdict(
    name: str,
    sequence: str,
    *,
    attitude: Array,
    components: tuple[float, float, float],
    distance: float,
    length: float,
) -> Singularity:
    """Return the verdict of the theorems; distance and amplification come from the Euler angles."""
    if name in {"inertial", "body"}:
        return singularity(TorqueBasis(name), attitude, components=components)
    case = singularity(TorqueBasis(name, sequence), attitude, components=components)
    return replace(case, distance=distance, amplification=length if "C2" in case.theorem else 1.0)


def _dual(basis: Array, determinant: float) -> Array:
    """Return the reciprocal basis by cross products, since (g1 - d g3)/c^2 would lose digits."""
    first, second, third = basis
    return np.array([np.cross(second, third) / determinant, second, np.cross(first, second) / determinant])
