"""A torque that acts between two known times, in any basis or on a coordinate of an element."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import choice, finite, of_kind, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from .basis import TorqueBasis

__all__ = ["SHAPES", "TorquePulse"]

SHAPES = ("constant", "raised-cosine")


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class TorquePulse:
    """Torque components from `start` to `stop`, constant or in the shape of a raised cosine.

    While it acts, component n is f c_n - d_n q_n', with f = 1, or (1 - cos(2 pi (t - start) / (stop - start))) / 2
    (Choi 2014, (116)), and q_n' the rate conjugate to that component: the Euler
    rate in the dual basis (Choi 2014, section 2.2.4, (28), (36)), the body or inertial rate in those bases.
    Integration is split at both edges, so a pulse is never stepped over; pulses that overlap add up.

    On a coordinate of an element it is the one generalised force f c that works on that coordinate: between hub and
    element, so that the momentum of the whole is left alone.

    Parameters
    ----------
    components : array_like, shape (3,), or float
        c, components in the basis, N m; of a raised cosine those half way, its largest. With `on` one number: N m on an
        angle, N on a displacement, N/kg^0.5 on a mode.
    start : float
        From when it acts, s.
    stop : float
        Until when it acts, s, later than `start`.
    basis : TorqueBasis
        The basis of the components; its limit does not apply. Of the body only.
    euler_rate_damping : array_like, shape (3,)
        d, N m s/rad, none of them negative; it acts in full all the time. Of the body only.
    shape : str
        "constant", or "raised-cosine": it begins and ends without a jump, and its impulse is half of that of a
        constant one. A torque that is any other function of time is an `Effort`.
    on : str
        The coordinate of an element that it acts on in place of the body, by the name it has among the states:
        "wheel_2_angle", "slider_displacement"; empty: the body. A wheel's motor gives it, within its limits of torque
        and speed.

    Raises
    ------
    InputError
        When a number is not finite, the times are in the wrong order, a damping is negative, the basis is
        not a TorqueBasis, the shape is unknown, or a basis or a damping is given on a coordinate. That the craft has
        the coordinate is found out where it flies.

    Examples
    --------
    >>> TorquePulse((0, 15, 0), start=0.0, stop=1.0, shape="raised-cosine").at([0.0, 0.25, 0.5, 1.0])[:, 1].round(12)
    array([ 0. ,  7.5, 15. ,  0. ])
    >>> TorquePulse(0.02, start=1.0, stop=5.0, on="wheel_angle").at([2.0])
    array([[0.02]])
    """

    components: ArrayLike
    start: float
    stop: float
    basis: TorqueBasis
    euler_rate_damping: ArrayLike
    shape: str
    on: str

    def __init__(
        self,
        components: ArrayLike,
        *,
        start: float,
        stop: float,
        basis: TorqueBasis | None = None,
        euler_rate_damping: ArrayLike = (0.0, 0.0, 0.0),
        shape: str = "constant",
        on: str = "",
    ) -> None:
        if basis is not None and not isinstance(basis, TorqueBasis):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the basis of a torque must be a polhode.plant.TorqueBasis; got {basis!r}")
        damping = vector("torque damping", euler_rate_damping, unit="N m s/rad")
        if (damping < 0.0).any():
            raise InputError(f"torque damping must not be negative (N m s/rad); got {damping.tolist()}")
        if not finite("torque start", start, "s") < finite("torque stop", stop, "s"):
            raise InputError(f"a torque must stop after it starts; got start {start:g} s, stop {stop:g} s")
        of_kind("on", on, str, such_as='the name of a coordinate, "wheel_angle"')
        if on:
            if basis is not None or damping.any():
                raise InputError(
                    f"a torque on {on!r} is one number about that coordinate: it takes no basis and no damping of the "
                    "Euler rates; leave them out"
                )
            given = np.array([finite(f"torque or force on {on}", components)])  # pyright: ignore[reportArgumentType] # it tells what is no number
        else:
            given = vector("torque components", components, unit="N m")
        object.__setattr__(self, "on", on)
        object.__setattr__(self, "components", given)
        object.__setattr__(self, "start", float(start))
        object.__setattr__(self, "stop", float(stop))
        object.__setattr__(self, "basis", TorqueBasis() if basis is None else basis)
        object.__setattr__(self, "euler_rate_damping", damping)
        object.__setattr__(self, "shape", choice("shape", shape, SHAPES))

    @property
    def turning(self) -> float:
        """2 pi / (stop - start) of a raised cosine, rad/s; 0 of a constant pulse."""
        return 0.0 if self.shape == "constant" else 2.0 * math.pi / (self.stop - self.start)

    def at(self, times: ArrayLike) -> NDArray[np.float64]:
        """Return its components at given times without its damping, zero where it does not act.

        Parameters
        ----------
        times : array_like, shape (n,)
            s.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            N m; on a coordinate shape (n, 1), in the unit of what acts there.
        """
        t = np.asarray(times, dtype=np.float64)
        size = np.ones_like(t) if self.shape == "constant" else 0.5 * (1.0 - np.cos(self.turning * (t - self.start)))
        acts = (self.start <= t) & (t < self.stop)
        return np.where(acts, size, 0.0)[:, None] * np.asarray(self.components, dtype=np.float64)
