"""A torque that acts between two known times, in any basis, with or without damping of its own."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from ..checks import finite, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from .basis import TorqueBasis

__all__ = ["TorquePulse"]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class TorquePulse:
    """Constant torque components from `start` to `stop`.

    While it acts, component n is c_n - d_n q_n', with q_n' the rate conjugate to that component: the Euler
    rate in the dual basis (Choi 2014, section 2.2.4, (28), (36)), the body or inertial rate in those bases.
    Integration is split at both edges, so a pulse is never stepped over; pulses that overlap add up.

    Parameters
    ----------
    components : array_like, shape (3,)
        c, components in the basis, N m.
    start : float
        From when it acts, s.
    stop : float
        Until when it acts, s, later than `start`.
    basis : TorqueBasis
        The basis of the components; its limit does not apply.
    euler_rate_damping : array_like, shape (3,)
        d, N m s/rad, none of them negative.

    Raises
    ------
    InputError
        When a number is not finite, the times are in the wrong order, a damping is negative or the basis is
        not a TorqueBasis.
    """

    components: ArrayLike
    start: float
    stop: float
    basis: TorqueBasis
    euler_rate_damping: ArrayLike

    def __init__(
        self,
        components: ArrayLike,
        *,
        start: float,
        stop: float,
        basis: TorqueBasis | None = None,
        euler_rate_damping: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        if basis is not None and not isinstance(basis, TorqueBasis):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the basis of a torque must be a polhode.plant.TorqueBasis; got {basis!r}")
        damping = vector("torque damping", euler_rate_damping, unit="N m s/rad")
        if (damping < 0.0).any():
            raise InputError(f"torque damping must not be negative (N m s/rad); got {damping.tolist()}")
        if not finite("torque start", start, "s") < finite("torque stop", stop, "s"):
            raise InputError(f"a torque must stop after it starts; got start {start:g} s, stop {stop:g} s")
        object.__setattr__(self, "components", vector("torque components", components, unit="N m"))
        object.__setattr__(self, "start", float(start))
        object.__setattr__(self, "stop", float(stop))
        object.__setattr__(self, "basis", TorqueBasis() if basis is None else basis)
        object.__setattr__(self, "euler_rate_damping", damping)
