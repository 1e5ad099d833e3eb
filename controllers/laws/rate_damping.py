"""Rate damping by torque about all axes, or by magnetic torquers (B-dot)."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ...plant.kernels.fields import filled
from ...plant.quantity import OPTIONAL_VECTOR, POSITIVE_DEFINITE, VECTOR, declared, quantity
from ..contracts.checks import read_only
from ..contracts.design_condition import DesignCondition
from .nonlinear_kernels import DAMPING, rate_damping_kernel
from .torque_law import TorqueLaw

Array = NDArray[np.float64]


@declared
class RateDamping(TorqueLaw):
    """Rate damping tau = -K omega, or in a magnetic field b the B-dot law tau = (-K b') x b.

    b' = (Omega - omega) x b is the time derivative of the field measured by a magnetometer in the body if the field
    rotates at the rate Omega. The torque is perpendicular to the field, so rates about the field are not damped: in a
    constant field, a spin about the field remains. In a rotating field, as along a polar orbit, all rates are damped
    towards the rate of the field; the slower the field rotates, the slower the damping (Stickler & Alfriend 1976). The
    law does not use the reference.

    Parameters
    ----------
    gain : array_like, shape (), (3,) or (3, 3)
        Gain K, symmetric positive definite. If no field is given, in N m s/rad. If a field is given, K |b|^2 must be in
        N m s/rad: K is the dipole (N m per unit of b) per rate of field change (unit of b per second).
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    field : array_like, shape (3,), optional
        Field b at t = 0 in inertial components, any unit. None for torque about all axes.
    field_rate : array_like, shape (3,)
        Constant angular velocity Omega of the field in inertial components, rad/s.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; by default the body basis.

    Raises
    ------
    InputError
        When the gain is not symmetric positive definite, the field is zero, a field rate is given without a field, or
        sample or delay is out of range.
    """

    kind: ClassVar[str] = "rate-damping"
    alike: ClassVar[int] = DAMPING.gain

    gain: Array = quantity("N m s/rad", converter=POSITIVE_DEFINITE, doc="K, with a field times its square")
    field: Array | None = quantity(
        converter=OPTIONAL_VECTOR, optional=True, default=None, doc="field at t = 0, inertial axes, any unit"
    )
    field_rate: Array = quantity(
        "rad/s", converter=VECTOR, default=(0.0, 0.0, 0.0), doc="its turning rate, inertial axes"
    )

    def __post_init__(self) -> None:
        """Check the parameters. Raises InputError, also for a field rate without a field."""
        super().__post_init__()
        if self.field is not None and not self.field.any():
            raise InputError("a field of (0, 0, 0) gives no torque; omit field for torque about every axis")
        if self.field is None and self.field_rate.any():
            raise InputError("a field rate needs a field; got field=None")

    @property
    def summary(self) -> str:
        """Description of the law."""
        if self.field is None:
            return "rate damping, which takes the rate to zero and holds no attitude"
        return "rate damping by a magnetic field (B-dot), which holds no attitude"

    @property
    def no_margins(self) -> str:
        """Reason why a field rules out margins: the rate about it is uncontrollable; empty if no field."""
        if self.field is None:
            return ""
        return (
            "rate damping holds no attitude, and the torque of a field is perpendicular to it, so nothing damps the "
            "rate about it and its loop has no margins"
        )

    def gains(self) -> dict[str, list[list[float]]]:
        """Return K."""
        return {"gain_N_m_s": self.gain.tolist()}

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return rate_damping_kernel

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: any spacecraft; the law does not hold an attitude."""
        return DesignCondition(torques=self.torques, deadband=None)

    def scalar_units(self) -> Mapping[str, str]:
        """Return the units of the scalars; in a field, the unit of the gain depends on the unit of the field."""
        found = super().scalar_units()
        return found if self.field is None else {k: unit for k, unit in found.items() if not k.startswith("gain")}

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, field, field rate, K."""
        given = {"field": np.zeros(3) if self.field is None else self.field, "field_rate": self.field_rate}
        return read_only(np.array(filled(DAMPING, basis=self.basis_numbers(), gain=self.gain, **given)))
