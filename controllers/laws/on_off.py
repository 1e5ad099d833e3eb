"""On-off thruster control with deadband and hysteresis: full torque or none about each axis."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ...plant.kernels.fields import filled
from ...plant.quantity import PER_AXIS, declared, quantity
from ..contracts.checks import read_only
from ..contracts.design_condition import DesignCondition
from .on_off_kernel import AT, on_off_kernel
from .torque_law import TorqueLaw

Array = NDArray[np.float64]


@declared
class OnOffThrusters(TorqueLaw):
    """On-off control of each axis, with full torque opposite to a switching signal.

    With e_err the shorter rotation and v = omega - omega_d the rate error, each axis n is a Schmitt trigger:

        s_n = 2 vec(e_err)_n + lead_n v_n
        tau_n = -torque_n   once s_n >= deadband_n, until s_n <= deadband_n - hysteresis_n
        tau_n = +torque_n   once s_n <= -deadband_n, until s_n >= -(deadband_n - hysteresis_n)
        tau_n = 0           otherwise

    For small errors, 2 vec(e_err) is the error angle. The spacecraft does not come to rest but oscillates between the
    ends of the deadband. About a principal axis with inertia J, with a = torque / J and negligible sampling and delay,
    a pulse changes the rate from w to -w, and the angle theta is the same before and after the pulse. The limit cycle
    has

        w = hysteresis / (2 lead)       |theta| <= deadband - hysteresis / 2 + w^2 / (2 a)
        period = 4 lead (2 deadband - hysteresis) / hysteresis + 2 hysteresis / (lead a)

    A pulse lasts at least one sample, so w is at least about a x sample / 2, even with a small hysteresis; delay
    increases w (Sidi 1997, ch. 9). The law has no linear gain and therefore no margins.

    Parameters
    ----------
    torque : float or array_like, shape (3,)
        Torque of the thrusters about each axis, N m.
    deadband : float or array_like, shape (3,)
        Value of the switching signal at which the thrusters switch on, rad.
    lead : float or array_like, shape (3,)
        Lead time of the rate in the switching signal, s; with zero lead the law does not dissipate energy.
    hysteresis : float or array_like, shape (3,)
        Difference between switch-on and switch-off values, rad; at most the deadband.
    sample : float
        Sampling period, s, which is also the shortest pulse.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; by default the body basis.

    Raises
    ------
    InputError
        When a value is out of range, the hysteresis exceeds the deadband, or the limit of the torque basis is below the
        torque of the thrusters.

    Examples
    --------
    >>> law = OnOffThrusters(torque=0.5, deadband=0.01, lead=5.0, hysteresis=0.002, sample=0.1)
    >>> u, z = np.zeros(3), law.memory.copy()
    >>> y = np.array([0, 0, 0, 1, 0.006, 0, 0, 0, 0, 0])  # 0.012 rad about x, at rest
    >>> law.kernel(0.0, y, np.array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), law.parameters, z, u)
    >>> u.tolist(), z.tolist()
    ([-0.5, 0.0, 0.0], [-1.0, 0.0, 0.0])
    """

    kind: ClassVar[str] = "on-off"
    is_relay: ClassVar[bool] = True
    pulsed = True

    torque: Array = quantity("N m", converter=PER_AXIS, positive=True, doc="torque of the thrusters")
    deadband: Array = quantity("rad", converter=PER_AXIS, positive=True, doc="signal at which they are switched on")
    lead: Array = quantity(
        "s", converter=PER_AXIS, non_negative=True, doc="lead time of the rate in the switching signal"
    )
    hysteresis: Array = quantity(
        "rad", converter=PER_AXIS, non_negative=True, default=0.0, doc="how far below they are switched off"
    )

    def __post_init__(self) -> None:
        """Check parameters, thresholds and torque limit. Raises InputError when they are inconsistent."""
        super().__post_init__()
        for axis, on, less in zip("xyz", self.deadband, self.hysteresis, strict=True):
            if less > on:
                raise InputError(
                    f"hysteresis about {axis} is {less:g} rad, above the deadband of {on:g} rad: the thrusters would "
                    "stay on beyond zero"
                )
            if on >= 2.0:
                raise InputError(
                    f"deadband about {axis} is {on:g} rad, but at rest the signal, twice the vector part, never "
                    "reaches 2 rad: the thrusters would never fire; give a smaller deadband (rad)"
                )
        limits = self.torques.limits()
        if self.torques.name == "body" and (self.torque > limits).any():
            raise InputError(
                f"the thrusters give {self.torque.tolist()} N m, but the torque basis allows {limits.tolist()} N m; "
                "raise or omit the limit of the basis"
            )

    @property
    def summary(self) -> str:
        """Description of the law."""
        return "on-off thrusters, which keep the attitude of the reference within a deadband"

    @property
    def no_margins(self) -> str:
        """Reason why an on-off law has no margins: it has no linear gain."""
        return "on-off thrusters have no linear gain, so their loop has no margins"

    def gains(self) -> dict[str, list[list[float]]]:
        """Return torque, deadband, lead and hysteresis, one row each."""
        rows = {
            "torque_N_m": self.torque,
            "deadband_rad": self.deadband,
            "lead_s": self.lead,
            "hysteresis_rad": self.hysteresis,
        }
        return {name: [row.tolist()] for name, row in rows.items()}

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return on_off_kernel

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: any spacecraft; with a warning if the lead does not exceed the torque delay."""
        late = self.lateness
        axes = [f"{axis} ({lead:g} s)" for axis, lead in zip("xyz", self.lead, strict=True) if lead <= late]
        doubts = () if not axes else (_doubt(axes, late),)
        return DesignCondition(torques=self.torques, deadband=float(self.deadband.max()), doubts=doubts)

    @property
    def lateness(self) -> float:
        """Mean time from crossing a threshold to the torque: delay plus half a sample, s."""
        return self.delay + 0.5 * self.sample

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, torque, switch-on and switch-off values, lead."""
        given = {"torque": self.torque, "on": self.deadband, "off": self.deadband - self.hysteresis, "lead": self.lead}
        return read_only(np.array(filled(AT, basis=self.basis_numbers(), **given)))

    @property
    def memory(self) -> Array:
        """Initial state of the relay of each axis (-1, 0 or 1): off."""
        return read_only(np.zeros(3))


def _doubt(axes: list[str], late: float) -> str:
    return (
        f"the lead about {', '.join(axes)} is not longer than the {late:g} s from a threshold to its torque (delay "
        "plus half a sample): every pulse adds energy and the oscillation grows; give a longer lead"
    )
