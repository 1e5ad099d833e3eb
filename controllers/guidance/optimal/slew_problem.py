"""Definition of a slew to be planned: end conditions, limits and cones."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import conjugate, quaternion_product, rotation_matrix
from ....plant.checks import of_kind, unit_axis, unit_quaternion
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ...contracts.checks import read_only
from .pointing_cone import PointingCone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .slew_limits import SlewLimits

Array = NDArray[np.float64]

OPPOSITE = 1e-9
"""Sine of the angle between a pointing axis and its target below which the target is opposite or reached."""

EDGE = 1e-6
"""Depth inside a cone that still counts as on its edge, rad."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class SlewProblem:
    """Time-optimal rest-to-rest slew, with checked inputs.

    start (4,): initial attitude.
    end (4,) or None: final attitude.
    pointing (2, 3) or None: body axis, and the inertial direction to which it points at the end, with free roll.
    limits: limits on torque, momentum and rate.
    cones: cone constraints on the attitude.
    """

    start: Array
    end: Array | None
    pointing: Array | None
    limits: SlewLimits
    cones: tuple[PointingCone, ...] = ()

    def misses(self, attitude: Array) -> Array:
        """Return the rotation vector (rad, body components) from an attitude to the nearest permitted end."""
        if self.end is not None:
            return _rotation(quaternion_product(conjugate(attitude), self.end))
        assert self.pointing is not None  # noqa: S101 # end or pointing is given
        target = rotation_matrix(attitude).T @ self.pointing[1]
        axis = np.cross(self.pointing[0], target)
        size = float(np.linalg.norm(axis))
        angle = float(np.arctan2(size, self.pointing[0] @ target))
        if size < OPPOSITE and angle > 1.0:  # any axis across the pointing axis: take that with the least inertia
            across = np.linalg.svd(self.pointing[:1])[2][1:]
            axis = np.linalg.eigh(across @ self.limits.inertia @ across.T)[1][:, 0] @ across
            return axis * angle
        return axis * (angle / size) if size > 1e-300 else np.zeros(3)


def slew_problem(
    start: ArrayLike,
    end: ArrayLike | None,
    *,
    pointing: tuple[ArrayLike, ArrayLike] | None,
    limits: SlewLimits,
    cones: Sequence[PointingCone],
) -> SlewProblem:
    """Check and return the definition of a slew; arguments and errors as in `KeepOutSlew`."""
    for cone in cones:
        of_kind("cone", cone, PointingCone, such_as="a PointingCone")
    first = unit_quaternion("slew start", start)
    if (end is None) == (pointing is None):
        raise InputError("slew: give either end, the final attitude, or pointing (body axis, direction)")
    last = None if end is None else unit_quaternion("slew end", end)
    target = None
    if pointing is not None:
        target = np.array([unit_axis("pointing axis", pointing[0]), unit_axis("pointing direction", pointing[1])])
    problem = SlewProblem(
        start=read_only(first),
        end=None if last is None else read_only(last),
        pointing=None if target is None else read_only(target),
        limits=limits,
        cones=tuple(cones),
    )
    angle = float(np.linalg.norm(problem.misses(first)))
    if angle < 1e-9:
        raise InputError(
            f"slew start and end are the same attitude ({degrees(angle):.3g} deg apart), so there is no rotation; hold "
            "the attitude with FixedReference"
        )
    ends = {"start": first} if last is None else {"start": first, "end": last}
    for word, attitude in ends.items():
        for cone in problem.cones:
            clearance = float(cone.clearance(attitude))
            if clearance < -EDGE:
                where = "inside the keep-out cone" if cone.keep == "out" else "outside the keep-in cone"
                raise InputError(
                    f"slew {word} is {degrees(-clearance):.4g} deg {where} of {cone.name} (half-angle "
                    f"{degrees(cone.half_angle):.4g} deg); choose another {word} attitude or a "
                    f"{'smaller' if cone.keep == 'out' else 'larger'} cone"
                )
    if target is not None:
        _check_pointing_end(target, problem.cones)
    if last is not None and len(limits.momentum):
        use = np.abs(limits.momentum @ (rotation_matrix(last).T @ limits.total) + limits.null)
        worst = int(use.argmax())
        if use[worst] > 1.0:
            raise InputError(
                f"slew end: wheel {worst + 1} must hold {use[worst]:.4g} times its momentum capacity at rest in the "
                "end attitude; unload the wheels first, or give a larger capacity"
            )
    return problem


def _check_pointing_end(target: Array, cones: Sequence[PointingCone]) -> None:
    """Raise InputError if no roll about the pointing axis satisfies a cone at the end. target: axis and direction."""
    for cone in cones:
        apart, tilt = _angle(target[1], cone.direction), _angle(target[0], cone.axis)
        # the cone's body axis rotates about the pointing direction at the angle tilt
        nearest, farthest = abs(apart - tilt), min(apart + tilt, 2.0 * np.pi - apart - tilt)
        best = farthest if cone.keep == "out" else nearest
        clearance = cone.sign * (best - cone.half_angle)
        if clearance < -EDGE:
            raise InputError(
                f"slew end: at every roll about the pointing axis {cone.name} is at least "
                f"{degrees(-clearance):.4g} deg on the wrong side of its keep-{cone.keep} cone; choose another "
                "direction or cone"
            )


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def _rotation(error: Array) -> Array:
    """Return the rotation vector of Euler parameters, with a magnitude of at most pi, rad."""
    size = float(np.linalg.norm(error[1:]))
    if size < 1e-300:
        return np.zeros(3)
    sign = 1.0 if error[0] >= 0.0 else -1.0
    return error[1:] * (sign * 2.0 * float(np.arctan2(size, abs(error[0]))) / size)
