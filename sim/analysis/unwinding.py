"""Unwinding: whether a law rotates the spacecraft differently from e and from -e, the same attitude."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft
from ...plant.brief import brief
from ...plant.checks import positive, vector
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..runs.default_reference import default_reference
from ..runs.simulate import simulate
from .operating_point import moved, operating_point

Array = NDArray[np.float64]

SAME = 1e-6


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Unwinding:
    """Comparison of runs from e and from -e, which are the same initial attitude.

    Parameters
    ----------
    angles : numpy.ndarray, shape (n,)
        Attitude errors at the start, rad.
    difference : numpy.ndarray, shape (n,)
        The largest angle between the attitudes of the two runs at any time, rad.
    path : numpy.ndarray, shape (n, 2)
        Total rotation angle, the integral of the rate error's norm, from e and from -e, rad.
    final : numpy.ndarray, shape (n, 2)
        Attitude error at the end, rad.
    """

    angles: Array
    difference: Array
    path: Array
    final: Array

    __repr__ = brief

    @property
    def unwinds(self) -> bool:
        """True if e and -e lead to different motions, of which one takes the longer rotation (unwinding)."""
        return bool((self.difference > SAME).any())

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            Angles, differences, paths, and whether the law unwinds.
        """
        return {
            "angles_deg": np.degrees(self.angles).tolist(),
            "largest_difference_deg": np.degrees(self.difference).tolist(),
            "path_deg": np.degrees(self.path).tolist(),
            "final_error_deg": np.degrees(self.final).tolist(),
            "unwinds": self.unwinds,
        }


def unwinding(
    craft: Spacecraft,
    law: Law,
    *,
    duration: float,
    angles: ArrayLike = (0.5, 1.5, 2.5, 3.1),
    axis: ArrayLike = (0.6, -0.5, 0.8),
    state: ArrayLike | None = None,
    reference: Reference | None = None,
    step: float | None = None,
    blocks: Sequence[Block] = (),
    seed: int | None = None,
) -> Unwinding:
    """Simulate a law from e and from -e, which are the same attitude, and compare the motions.

    A law that uses vec(e_err) without regard to the sign of e_err stabilises (1, 0, 0, 0) and is repelled by
    (-1, 0, 0, 0), which is the same attitude. From there it rotates the spacecraft by up to 360 deg (Bhat & Bernstein
    2000). A law that uses the rotation matrix or the shorter rotation gives bitwise identical motions.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law
        The law.
    duration : float
        Length of each run, s.
    angles : array_like, shape (n,)
        Attitude errors at the start, rad.
    axis : array_like, shape (3,)
        Axis of the attitude error, body components.
    state : array_like, optional
        The operating point; by default the operating point of the law's model, or rest in (1, 0, 0, 0).
    reference : Reference, optional
        Reference of the law; by default the reference of its design.
    step : float, optional
        Longest step, s; by default one sampling period.
    blocks : sequence of Block
        Blocks in addition to the law.
    seed : int, optional
        Seed of the random numbers of the blocks.

    Returns
    -------
    Unwinding
        Difference of the two motions, and the total rotation of each.

    Raises
    ------
    InputError
        When the axis is zero, or no angle is given.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    >>> found = unwinding(craft, law, duration=30.0)
    >>> found.unwinds, found.difference.max().item()
    (False, 0.0)
    """
    sizes = vector("angles", angles, int(np.size(angles)), "rad")
    along = vector("axis", axis)
    if not sizes.size or not along.any():
        raise InputError("give at least one angle, and an axis that is not zero")
    span = positive("duration", duration, "s")
    at = operating_point(craft, law, state)
    follow = default_reference(law) if reference is None else reference
    difference, path, final = np.zeros(sizes.size), np.zeros((sizes.size, 2)), np.zeros((sizes.size, 2))
    for n, angle in enumerate(sizes):
        start = moved(craft, at, angle * along / np.linalg.norm(along), np.zeros(3))
        both: list[Array] = []
        for m, sign in enumerate((1.0, -1.0)):
            x = start.copy()
            x[3:7] *= sign
            run = simulate(
                craft,
                law,
                state=x,
                reference=follow,
                duration=span,
                integrator="rk4",
                step=law.sample if step is None else step,
                ledger=False,
                blocks=blocks,
                seed=seed,
            )
            rate = np.linalg.norm(run.values("rate") - craft.rate(at), axis=1)
            path[n, m] = 0.5 * (rate[1:] + rate[:-1]) @ np.diff(run.t)
            final[n, m] = run.values("attitude_error")[-1]
            both.append(run.values("attitude"))
        rows = min(len(both[0]), len(both[1]))
        difference[n] = _largest_angle(both[0][:rows], both[1][:rows])
    return Unwinding(angles=sizes, difference=difference, path=path, final=final)


def _largest_angle(one: Array, other: Array) -> float:
    """Return the largest angle between attitudes, regardless of the signs of their Euler parameters."""
    apart = np.minimum(np.linalg.norm(one - other, axis=1), np.linalg.norm(one + other, axis=1))
    return float(4.0 * np.arcsin(np.minimum(0.5 * apart, 1.0)).max())
