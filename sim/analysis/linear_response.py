"""Time response of the linear sampled loop to an initial deviation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Law
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.loop.sampled_plant import split_delay
from ...plant import LinearModel
from ...plant.brief import brief
from ...plant.checks import positive, vector
from ...plant.frozen import frozen_results
from ...plant.one_thread import one_thread

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class FreeResponse:
    """Response of the linear loop: deviations from the operating point at the samples.

    Parameters
    ----------
    t : numpy.ndarray, shape (n,)
        Times of the samples, s.
    error_vector : numpy.ndarray, shape (n, 3)
        Attitude error, rad.
    rate : numpy.ndarray, shape (n, 3)
        Deviation of the body rate, rad/s.
    command : numpy.ndarray, shape (n, 3)
        Deviation of the command applied from each sample onwards, in the torque basis, N m; limits are not applied.
    """

    t: Array
    error_vector: Array
    rate: Array
    command: Array

    __repr__ = brief


@one_thread
def linear_response(law: Law, model: LinearModel, *, start: ArrayLike, duration: float) -> FreeResponse:
    """Return the response of the linear sampled loop to an initial deviation from the operating point.

    The response s[k+1] = (F - G K) s[k] is exact at the samples and includes zero-order hold, delay and the memory of
    the law.

    Parameters
    ----------
    law : Law
        The law, whose initial memory is zero.
    model : LinearModel
        `craft.linearize(...)` of the plant.
    start : array_like, shape (n,)
        Deviations of the states of `law.loop(model, attitude=True).with_total_momentum()`: attitude error (rad),
        momentum (N m s), then every state in `model.states` that acts on attitude or momentum or is measured by the
        law. If wheels provide the torque, the momentum excludes the axial momenta of these wheels; if the wheels have
        friction, the momenta of all these wheels are further states. Constant momenta, such as the momentum of a wheel
        without friction or motor, may be added in the order of the states of `with_start_momenta()` of the loop; by
        default their deviation is zero.
    duration : float
        Duration of the response, s.

    Returns
    -------
    FreeResponse
        The response at every sample within the duration.

    Raises
    ------
    InputError
        When `start` has the wrong length.
    DesignError
        When the law has no linear loop.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.01)
    >>> model = craft.linearize(craft.at_rest())
    >>> found = linear_response(law, model, start=(0.1, 0, 0, 0, 0, 0), duration=4.0)
    >>> found.error_vector[-1, 0].round(3).item(), (0.1 * (1 + 0.5 * 4) * np.exp(-0.5 * 4)).round(3).item()
    (0.041, 0.041)
    """
    span = positive("duration", duration, "s")
    moving = with_defaults(law).loop(model, attitude=True).with_total_momentum()
    loop = moving.with_start_momenta()
    F, G, K = loop.matrices()
    n, given = len(loop.states), np.asarray(start, dtype=np.float64)
    if given.shape == (n,):
        deviations = vector("start", given, n)
    else:
        named = dict(zip(moving.states, vector("start", given, len(moving.states)), strict=True))
        deviations = np.array([named.get(name, 0.0) for name in loop.states])
    state = np.zeros(len(F))
    state[:n] = deviations / loop.T
    closed = F - G @ K
    count = int(span / law.sample * (1.0 + 1e-12)) + 1
    states = np.zeros((count, len(F)))
    for k in range(count):
        states[k] = state
        state = closed @ state
    whole, rest = split_delay(law.sample, law.delay)
    late = whole + (rest > 0.0)
    command = np.zeros((count, 3))
    command[late:] = (-loop.scale * states @ K.T)[: max(count - late, 0)]
    x = states[:, :n] * loop.T
    rate = states[:, :n] @ loop.C[3:6].T
    t: Array = law.sample * np.arange(count, dtype=np.float64)
    return FreeResponse(t=t, error_vector=x[:, :3], rate=rate, command=command)
