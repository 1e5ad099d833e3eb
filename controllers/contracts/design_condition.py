"""Design conditions of a law, which a run compares with its own conditions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel, TorqueBasis
from ...plant.frozen import frozen_arrays

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class DesignCondition:
    """Conditions that a law was designed for; None for a condition that does not affect the law.

    Parameters
    ----------
    torques : TorqueBasis
        Torque basis of the law's command.
    inertia : numpy.ndarray or None, shape (3, 3)
        Inertia of the spacecraft with all elements locked, kg m^2.
    attitude : numpy.ndarray or None, shape (4,)
        Attitude of the operating point, scalar first.
    rate : numpy.ndarray or None, shape (3,)
        Body rate of the operating point, rad/s.
    limits : numpy.ndarray or None, shape (3,)
        Torque limits assumed by the law's memory, N m.
    deadband : float or None
        Attitude error that the law leaves by design, rad: 0, or a deadband. None if the law does not hold an attitude.
    doubts : tuple of str
        Problems caused by the law's own parameters on any spacecraft, one sentence each.
    """

    torques: TorqueBasis
    inertia: Array | None = None
    attitude: Array | None = None
    rate: Array | None = None
    limits: Array | None = None
    deadband: float | None = 0.0
    doubts: tuple[str, ...] = ()


def design_condition_of_model(model: LinearModel, *, remembers: bool) -> DesignCondition:
    """Return the design conditions of a law with constant gains, taken from its design model.

    remembers: whether the law stores its own saturated commands, and so assumes the torque limits of the model.
    """
    from ..loop.acting_model import operating_rate

    return DesignCondition(
        torques=model.torques,
        inertia=model.inertia,
        attitude=model.operating_point[3:7],
        rate=operating_rate(model),
        limits=np.asarray(model.torques.limits()) if remembers else None,
    )
