"""Torque pulse between two fixed times, in any basis or on a coordinate of an element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import choice, finite, of_kind, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from .basis import TorqueBasis

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

SHAPES = ("constant", "raised-cosine")


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class TorquePulse:
    """Torque components from `start` to `stop`, constant or shaped as a raised cosine.

    While the pulse acts, component n is f c_n - d_n q_n', with f = 1 or f = (1 - cos(2 pi (t - start) / (stop -
    start))) / 2 (Choi 2014, (116)). The rate q_n' is conjugate to that component: the Euler rate in the dual basis
    (Choi 2014, section 2.2.4, (28), (36)), the body or inertial rate in the body or inertial basis. Integration steps
    end at both edges, so no pulse is missed. Overlapping pulses add up.

    On a coordinate of an element the pulse is the generalised force f c on that coordinate. The force acts between hub
    and element and leaves the total momentum unchanged.

    Parameters
    ----------
    components : array_like, shape (3,), or float
        c, components in the basis, N m; the peak of a raised cosine. If `coordinate` is given, a single number:
        N m on an angle, N on a displacement, N/kg^0.5 on a modal coordinate.
    start : float
        Start of the pulse, s.
    stop : float
        End of the pulse, s, later than `start`.
    basis : TorqueBasis
        Basis of the components; its limit is not applied. Not allowed with `coordinate`.
    euler_rate_damping : array_like, shape (3,)
        d, N m s/rad, not negative; constant throughout the pulse. Not allowed with `coordinate`.
    shape : str
        "constant", or "raised-cosine", which starts and ends continuously and has half the impulse of a constant pulse.
        For other functions of time use `UserForce`.
    coordinate : str
        Name of the element coordinate on which the pulse acts instead of on the body, such as "wheel_2_angle" or
        "slider_displacement". Empty: the body. On a wheel, the motor provides the torque, within its torque
        and speed limits.

    Raises
    ------
    InputError
        When a value is not finite, the times are in the wrong order, a damping coefficient is negative, the basis
        is not a TorqueBasis, the shape is unknown, or a basis or damping is given with `coordinate`. Whether the
        spacecraft has the coordinate is checked at the start of a run.

    Examples
    --------
    >>> TorquePulse((0, 15, 0), start=0.0, stop=1.0, shape="raised-cosine").at([0.0, 0.25, 0.5, 1.0])[:, 1].round(12)
    array([ 0. ,  7.5, 15. ,  0. ])
    >>> TorquePulse(0.02, start=1.0, stop=5.0, coordinate="wheel_angle").at([2.0])
    array([[0.02]])
    """

    components: ArrayLike
    start: float
    stop: float
    basis: TorqueBasis
    euler_rate_damping: ArrayLike
    shape: str
    coordinate: str

    def __init__(
        self,
        components: ArrayLike,
        *,
        start: float,
        stop: float,
        basis: TorqueBasis | None = None,
        euler_rate_damping: ArrayLike = (0.0, 0.0, 0.0),
        shape: str = "constant",
        coordinate: str = "",
    ) -> None:
        if basis is not None and not isinstance(basis, TorqueBasis):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the basis of a torque must be a polhode.plant.TorqueBasis; got {basis!r}")
        damping = vector("torque damping", euler_rate_damping, unit="N m s/rad")
        if (damping < 0.0).any():
            raise InputError(f"torque damping must not be negative (N m s/rad); got {damping.tolist()}")
        if not finite("torque start", start, "s") < finite("torque stop", stop, "s"):
            raise InputError(f"a torque must stop after it starts; got start {start:g} s, stop {stop:g} s")
        of_kind("coordinate", coordinate, str, such_as='the name of a coordinate, "wheel_angle"')
        if coordinate:
            if basis is not None or damping.any():
                raise InputError(
                    f"a torque on {coordinate!r} is a single number: it has no basis and no damping "
                    "of the Euler rates; omit them"
                )
            c = np.array([finite(f"torque or force on {coordinate}", components)])  # pyright: ignore[reportArgumentType] # `finite` checks
        else:
            c = vector("torque components", components, unit="N m")
        object.__setattr__(self, "coordinate", coordinate)
        object.__setattr__(self, "components", c)
        object.__setattr__(self, "start", float(start))
        object.__setattr__(self, "stop", float(stop))
        object.__setattr__(self, "basis", TorqueBasis() if basis is None else basis)
        object.__setattr__(self, "euler_rate_damping", damping)
        object.__setattr__(self, "shape", choice("shape", shape, SHAPES))

    @property
    def fault(self) -> str:
        """Description of the fault that acts from `start` to `stop`; empty for a torque."""
        return ""

    def numbers(self, craft: Spacecraft) -> Sequence[float]:
        """Return three parameters of the torque for a spacecraft: the damping of the Euler rates.

        Parameters
        ----------
        craft : Spacecraft
            Spacecraft on which the torque acts.

        Returns
        -------
        sequence of float
            `euler_rate_damping`, N m s/rad.
        """
        return np.asarray(self.euler_rate_damping, dtype=np.float64).tolist()

    @property
    def turning(self) -> float:
        """Angular frequency 2 pi / (stop - start) of a raised cosine, rad/s; 0 for a constant pulse."""
        return 0.0 if self.shape == "constant" else 2.0 * math.pi / (self.stop - self.start)

    def at(self, times: ArrayLike) -> NDArray[np.float64]:
        """Return the components at given times, without damping; zero outside the pulse.

        Parameters
        ----------
        times : array_like, shape (n,)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            Components, N m; if `coordinate` is given, shape (n, 1) in the unit of the force.
        """
        t = np.asarray(times, dtype=np.float64)
        size = np.ones_like(t) if self.shape == "constant" else 0.5 * (1.0 - np.cos(self.turning * (t - self.start)))
        acts = (self.start <= t) & (t < self.stop)
        return np.where(acts, size, 0.0)[:, None] * np.asarray(self.components, dtype=np.float64)
