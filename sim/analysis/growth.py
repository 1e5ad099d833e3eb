"""Growth rate of a small disturbance in the nonlinear simulation of a closed loop."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft
from ...plant.checks import positive, vector
from ...plant.linear.holding import holding_pulses
from ..runs.default_reference import default_reference
from ..runs.simulate import simulate
from .operating_point import moved

GROWN = 300.0  # multiple of the initial error above which the error counts as growing
GONE = 1e-7  # fraction of the initial error below which the error counts as decayed, above round-off


def growth(
    craft: Spacecraft,
    law: Law,
    *,
    duration: float,
    reference: Reference | None = None,
    state: ArrayLike | None = None,
    direction: ArrayLike = (0.6, 0.64, 0.48),
    angle: float = 1e-6,
    step: float | None = None,
    blocks: Sequence[Block] = (),
) -> float:
    """Return the rate at which a small attitude error grows in the nonlinear simulation, 1/s.

    The spacecraft starts at the operating point, rotated by a small angle. The largest error angle in the last quarter
    of the run is compared with the largest one in the third quarter, when fast modes have decayed:

        rate = ln(last / third) / (duration / 4)

    An error that saturates the torque, or grows 300-fold, counts as growing.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law
        The law.
    duration : float
        Length of the simulation, s. The sign of the rate is correct if this is several time constants of the slowest
        mode of the loop. The accuracy of the rate increases with the number of periods of the slowest mode in a quarter
        of the run.
    reference : Reference, optional
        The reference at the operating point; by default the reference of the law's design.
    state : array_like, optional
        The state at the operating point; by default `craft.state` at the attitude and rate of the reference.
    direction : array_like, shape (3,)
        Axis of the initial rotation, body components.
    angle : float
        Angle of the initial rotation, rad.
    step : float, optional
        Longest step, s; by default one sampling period.
    blocks : sequence of Block
        Blocks in addition to the law.

    Returns
    -------
    float
        Positive if the error grows. If the error decays to round-off, the mean decay rate until then is returned.

    Raises
    ------
    InputError
        When the duration or the angle is not positive.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.05, sample=0.05)
    >>> pole = law.closed_loop_poles(craft.linearize(craft.at_rest()))[0]
    >>> round(growth(craft, law, duration=300.0), 2), round(float(np.log(abs(pole))) / 0.05, 2)
    (-0.02, -0.02)
    """
    span, turn = positive("duration", duration, "s"), positive("angle", angle, "rad")
    axis = vector("direction", direction)
    follow = default_reference(law) if reference is None else reference
    r = np.zeros(10)
    follow.kernel(0.0, np.asarray(follow.parameters), r)
    at = craft.state(attitude=r[:4], rate=r[4:7]) if state is None else vector("state", state, craft.layout.size)
    small = moved(craft, at, turn * axis / np.linalg.norm(axis), np.zeros(3))
    held = holding_pulses(craft, at, duration=2.0 * span)
    run = simulate(
        craft,
        law,
        state=small,
        reference=follow,
        duration=span,
        integrator="rk8",  # in a steady spin, its integration error is far below the disturbance
        step=law.sample if step is None else step,
        output_times=law.sample * np.arange(int(span / law.sample * (1.0 - 1e-12)) + 1),
        ledger=False,
        blocks=blocks,
        torques=held,
    )
    error = run.values("attitude_error")
    at_limit = (np.abs(run.values("command")) >= craft.torques.limits() * (1.0 - 1e-9)).any(axis=1)
    left = np.flatnonzero(at_limit | (error > GROWN * turn))
    if left.size or run.status != "completed":
        n = int(left[0]) if left.size else error.size - 1
        return log(max(float(error[: n + 1].max()) / turn, 2.0)) / max(float(run.t[n]), law.sample)
    quarter = error.size // 4
    third, last = float(error[2 * quarter : 3 * quarter].max()), float(error[3 * quarter :].max())
    if held:  # wheels that absorbed the disturbance have friction, which leaves a small constant error
        vector_error = run.values("error_vector")
        third, last = _swing(vector_error[2 * quarter : 3 * quarter]), _swing(vector_error[3 * quarter :])
    if last < GONE * turn:
        return log(GONE) / span
    return log(last / third) / (0.25 * span)


def _swing(errors: NDArray[np.float64]) -> float:
    """Return the largest distance of the errors (n, 3), rad, from their mean."""
    return float(np.linalg.norm(errors - errors.mean(axis=0), axis=1).max())
