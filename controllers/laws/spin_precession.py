"""Spin-synchronous thruster pulses that precess the spin axis of a spinner to a direction."""

from collections.abc import Callable
from math import cos, pi, sin
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import positive
from ...plant.errors import DesignError, InputError
from ...plant.kernels.fields import filled
from ...plant.quantity import NUMBER, VECTOR, declared, quantity
from ..contracts.checks import read_only
from ..contracts.design_condition import DesignCondition
from ..contracts.reference import Reference
from .spin_precession_kernel import AT, spin_precession_kernel
from .torque_law import TorqueLaw

Array = NDArray[np.float64]


LATE = 1e6
"""Time at which a reference has reached its final motion, s."""


@declared
class SpinPrecession(TorqueLaw):
    """Spin-synchronous pulses of one thruster, which precess the angular momentum to a direction.

    The target is the direction of `axis` at the reference attitude. Once in each revolution the thruster is on while
    its torque, perpendicular to the momentum, is within half an arc of the direction in which the momentum must move.
    The momentum moves on a great circle. One pulse rotates the momentum by

        delta = torque arc sinc(arc / 2) / (rate momentum),   sinc(x) = sin(x) / x

    The phase refers to the middle of the torque: the law predicts the attitude over the delay, half a sample and
    `lead`. The number of samples in a pulse varies by one, and its mean is arc / (rate sample). Pulses stop within the
    deadband. They excite nutation, which builds up when the nutation frequency in inertial axes is close to a multiple
    of the spin rate. The law has no linear gain and therefore no margins.

    Parameters
    ----------
    torque : array_like, shape (3,)
        Torque of the thruster, body components, N m.
    axis : array_like, shape (3,)
        Spin axis, body components, of any nonzero length and not parallel to the torque.
    arc : float
        Rotation during a pulse, rad, above 0 and below pi.
    deadband : float
        Angle from the momentum to the target within which the thruster is off, rad, below pi/2.
    lead : float
        Time from the command to the middle of one sample's torque, in excess of `delay` and half a sample, s:
        valve delay and the mean of half the rise time and half the fall time.
    sample : float
        Sampling period, s, which is the resolution of the valve.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; by default the body basis.

    Raises
    ------
    InputError
        When a value is out of range, torque or axis is zero, the two are parallel, or the limit of the torque basis is
        below the torque.

    Notes
    -----
    J. R. Wertz (ed.), Spacecraft Attitude Determination and Control (1978), section 19.3.

    Examples
    --------
    >>> law = SpinPrecession(torque=(8, 0, 0), axis=(0, 0, 1), arc=0.7, deadband=1e-3, sample=0.01)
    >>> round(law.precession(rate=3.0, momentum=900.0), 6)  # rad
    0.002032
    """

    kind: ClassVar[str] = "spin-precession"
    pulsed = True
    looks_at_momentum: ClassVar[bool] = True
    """The law reads the momentum, which sensors measure as inertia times rate."""

    torque: Array = quantity("N m", converter=VECTOR, doc="torque of the thruster, body axes")
    axis: Array = quantity(converter=VECTOR, doc="spin axis, body axes, any length but zero")
    arc: float = quantity("rad", converter=NUMBER, positive=True, doc="rotation during a pulse")
    deadband: float = quantity(
        "rad", converter=NUMBER, positive=True, doc="angle from momentum to target within which the thruster is off"
    )
    lead: float = quantity(
        "s", converter=NUMBER, non_negative=True, default=0.0,
        doc="valve delay and mean of half the rise and fall time of the thruster",
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Check parameters and torque limit. Raises InputError when they are inconsistent."""
        super().__post_init__()
        for name, value in (("torque", self.torque), ("axis", self.axis)):
            if not value.any():
                raise InputError(f"{name} of spin-synchronous pulses must not be zero; got {value.tolist()}")
        across = float(np.linalg.norm(np.cross(self.torque, self.axis)))
        if across <= 1e-9 * float(np.linalg.norm(self.torque) * np.linalg.norm(self.axis)):
            raise InputError(
                f"torque {self.torque.tolist()} is parallel to the spin axis {self.axis.tolist()}, so it cannot "
                "precess the spin; give a torque across the axis"
            )
        if self.arc >= pi:
            raise InputError(f"arc of a pulse must be below pi rad (180 deg); got {self.arc:g} rad")
        if self.deadband >= 0.5 * pi:
            raise InputError(f"deadband must be below pi/2 rad (90 deg); got {self.deadband:g} rad")
        limits = np.asarray(self.torques.limits())
        if self.torques.name == "body" and (np.abs(self.torque) > limits).any():
            raise InputError(
                f"the thruster gives {self.torque.tolist()} N m, but the torque basis allows {limits.tolist()} N m; "
                "raise or omit the limit of the basis"
            )

    def precession(self, *, rate: float, momentum: float) -> float:
        """Return the mean angle by which one pulse rotates the momentum.

        Parameters
        ----------
        rate : float
            Spin rate, rad/s.
        momentum : float
            Angular momentum, N m s.

        Returns
        -------
        float
            Angle, rad: T arc sinc(arc/2) / (rate momentum), with T the component of the torque perpendicular to the
            axis.

        Raises
        ------
        InputError
            When rate or momentum is not positive.
        """
        spin, h = positive("rate", rate, "rad/s"), positive("momentum", momentum, "N m s")
        across = float(np.linalg.norm(np.cross(self.torque, self.axis)) / np.linalg.norm(self.axis))
        return across * 2.0 * sin(0.5 * self.arc) / (spin * h)

    def check_reference(self, reference: Reference) -> None:
        """Raise DesignError if a reference does not spin.

        Parameters
        ----------
        reference : Reference
            The reference of the run.

        Raises
        ------
        DesignError
            When the rate of the reference is zero at the start and long after it.
        """
        if not any(np.any(np.asarray(reference.at(t))[4:7]) for t in (0.0, LATE)):
            raise DesignError(
                "spin-synchronous pulses precess a spinning spacecraft, but the reference does not spin; give it the "
                "spin rate"
            )

    @property
    def summary(self) -> str:
        """Description of the law."""
        return "spin-synchronous pulses, which precess the spin axis to that of the reference"

    @property
    def no_margins(self) -> str:
        """Reason why the law has no margins: it has no linear gain."""
        return "spin-synchronous pulses have no linear gain, so their loop has no margins"

    def gains(self) -> dict[str, list[list[float]]]:
        """Return torque, axis, arc, deadband and lead, one row each."""
        return {
            "torque_N_m": [self.torque.tolist()],
            "axis": [self.axis.tolist()],
            "arc_rad": [[self.arc]],
            "deadband_rad": [[self.deadband]],
            "lead_s": [[self.lead]],
        }

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return spin_precession_kernel

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: any spacecraft; the law does not hold an attitude about the spin axis."""
        return DesignCondition(torques=self.torques, deadband=None)

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, torque, unit axis, deadband, arc, prediction time."""
        given = {
            "torque": self.torque,
            "axis": self.axis / np.linalg.norm(self.axis),
            "outside": sin(self.deadband) ** 2,
            "within": cos(0.5 * self.arc),
            "ahead": self.delay + 0.5 * self.sample + self.lead,
        }
        return read_only(np.array(filled(AT, basis=self.basis_numbers(), **given)))
