"""What a law counts on, in its own words: whoever flies it compares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel, TorqueBasis
from ...plant.frozen import frozen_arrays
from ..loop.acting_model import operating_rate

__all__ = ["DesignedOn", "designed_on_model"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class DesignedOn:
    """Where a law was designed to fly; None for what does not matter to it.

    Parameters
    ----------
    torques : TorqueBasis
        The basis its command is written in.
    inertia : numpy.ndarray or None, shape (3, 3)
        Of the craft with everything inside locked, kg m^2.
    attitude : numpy.ndarray or None, shape (4,)
        Of the operating point, scalar first.
    rate : numpy.ndarray or None, shape (3,)
        Body rate of the operating point, rad/s.
    limits : numpy.ndarray or None, shape (3,)
        The torque limits that what it remembers goes by, N m.
    holds : float or None
        The attitude error it leaves by design, rad: 0, or a deadband. None: it holds no attitude.
    doubts : tuple of str
        What is wrong with its own numbers, whatever it flies on; a sentence each.
    """

    torques: TorqueBasis
    inertia: Array | None = None
    attitude: Array | None = None
    rate: Array | None = None
    limits: Array | None = None
    holds: float | None = 0.0
    doubts: tuple[str, ...] = ()


def designed_on_model(model: LinearModel, *, remembers: bool) -> DesignedOn:
    """Return where a law with constant gains was designed to fly: at the operating point of its model.

    remembers: whether the law goes on from its own commands, as limited -> basis, inertia, operating point, limits.
    """
    return DesignedOn(
        torques=model.torques,
        inertia=model.inertia,
        attitude=model.operating_point[3:7],
        rate=operating_rate(model),
        limits=np.asarray(model.torques.limits()) if remembers else None,
    )
