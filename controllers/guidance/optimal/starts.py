"""Initial guesses for the optimisation of a slew: the eigenaxis slew, and random detours from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude import conjugate, from_rotation_vector, quaternion_product

if TYPE_CHECKING:
    from .slew_problem import SlewProblem

Array = NDArray[np.float64]

DETOUR = 0.7
"""Standard deviation of each component of a detour, rad."""


def guess(
    problem: SlewProblem, *, count: int, duration: float, start: int, seed: int
) -> tuple[Array, Array, Array, Array]:
    """Return an initial guess for the nonlinear program of a slew.

    The guess consists of steps (count,), torque (count, 3), attitude (count + 1, 4) and rate (count + 1, 3).

    duration: duration of the guess, approximately the duration of the eigenaxis slew, s; start: 0 for the shortest
    rotation, otherwise the number of a random guess; seed: seed of all random guesses. The torques are what the path
    requires, reduced to the limits.
    """
    rng = np.random.default_rng((seed, start))
    s = np.linspace(0.0, 1.0, count + 1)
    turn = problem.misses(problem.start)
    angle = float(np.linalg.norm(turn))
    detours, longer = np.zeros((2, 3)), 1.0
    if start:
        detours = DETOUR * rng.normal(size=(2, 3))
        longer = float(rng.uniform(1.0, 1.5))
        if rng.random() < 0.2:  # rotate in the opposite direction
            turn = turn * ((angle - 2.0 * np.pi) / angle)
        if problem.pointing is not None:  # roll is free, so choose it at random
            detours[1] += problem.pointing[0] * rng.uniform(-np.pi, np.pi)
    smooth = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
    waves = np.sin(np.pi * s)[:, None] * detours[0]
    if problem.pointing is None:
        waves = waves + np.sin(2.0 * np.pi * s)[:, None] * detours[1]
    else:
        waves = waves + smooth[:, None] * (problem.pointing[0] * (detours[1] @ problem.pointing[0]))
    e = np.array(
        [
            quaternion_product(quaternion_product(problem.start, from_rotation_vector(share * turn)), each)
            for share, each in zip(smooth, from_rotation_vector(waves), strict=True)
        ]
    )
    e *= np.cumprod(np.concatenate(([1.0], np.where((e[1:] * e[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))))[:, None]
    step = longer * duration / count
    slope = np.gradient(e, step, axis=0)
    w = 2.0 * quaternion_product(conjugate(e), slope)[:, 1:]
    w[0] = w[-1] = 0.0
    torque = (np.diff(w, axis=0) / step) @ problem.limits.inertia
    most = np.abs(torque @ problem.limits.torque.T).max(axis=1)
    return np.full(count, step), torque / np.maximum(most, 1.0)[:, None], e, w
