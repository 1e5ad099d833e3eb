"""A sampled law of `polhode.controllers`, flown on the hub of a flexible satellite."""

from collections import deque

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Law, Reference
from ...plant import TorqueBasis
from ...plant.checks import positive
from ...plant.errors import InputError
from ...plant.rigid_body import RigidBody
from .simulate import HubLaw

__all__ = ["law_on_hub"]

Array = NDArray[np.float64]


def law_on_hub(law: Law, reference: Reference, *, body: RigidBody, limit: ArrayLike | None = None) -> HubLaw:
    """Return a law that knows a rigid body as one that `simulate_flexible` flies.

    It sees attitude and rate of the hub, and inertia times that rate for the momentum: the arms are not measured.

    Parameters
    ----------
    law : Law
        Designed on the satellite with rigid arms; the command is a torque in hub axes.
    reference : Reference
        What it holds.
    body : RigidBody
        The satellite with rigid arms.
    limit : float or array_like, shape (3,), optional
        Largest magnitude of each component, N m.

    Returns
    -------
    HubLaw
        With the law's own memory: make a new one for every run.

    Raises
    ------
    InputError
        When the law's delay is no whole number of samples, it measures internal states, or it commands in another
        basis than the body's.

    Examples
    --------
    >>> from polhode.controllers import FixedReference, RateDamping
    >>> hub = law_on_hub(RateDamping(gain=2.0, sample=0.1), FixedReference(), body=RigidBody((3, 2, 1)), limit=0.5)
    >>> hub(0.0, np.array((1.0, 0, 0, 0)), np.array((0.1, -0.2, -1.0))).tolist()
    [-0.2, 0.4, 0.5]
    """
    measured = tuple(getattr(law, "measured", ()))
    if measured:
        raise InputError(
            f"the law measures {', '.join(measured)}, and on a flexible satellite only attitude and rate of the hub "
            "are measured; design it without them, or with an estimator (lqg)"
        )
    basis: TorqueBasis | None = getattr(getattr(law, "model", law), "torques", None)
    if basis is not None and basis.name != "body":
        raise InputError(
            f"the law commands torque in the {basis.name!r} basis, and a flexible satellite takes it in hub axes; "
            'design it with TorqueBasis("body")'
        )
    late = round(law.delay / law.sample)
    if abs(late * law.sample - law.delay) > 1e-9 * law.sample:
        raise InputError(
            f"a law on a flexible satellite is late by a whole number of samples: delay {law.delay:g} s is "
            f"{law.delay / law.sample:g} samples of {law.sample:g} s"
        )
    bound = np.full(3, np.inf)
    if limit is not None:
        bound = np.broadcast_to(np.asarray(limit, dtype=np.float64), (3,))
        for value in bound:
            positive("limit", float(value), "N m")
    memory, parameters, inertia = law.memory.copy(), law.parameters, body.central_inertia
    waiting: deque[Array] = deque([np.zeros(3)] * late)

    def command(t: float, e: Array, rate: Array) -> Array:
        u = np.zeros(3)
        seen = np.concatenate((inertia @ rate, e / np.sqrt(e @ e), rate))
        law.kernel(t, seen, reference.at(t), parameters, memory, u)
        waiting.append(np.clip(u, -bound, bound))
        return waiting.popleft()

    return command
