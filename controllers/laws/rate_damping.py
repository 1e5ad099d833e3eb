"""Rate damping by torque about every axis, or by magnetic torquers (B-dot)."""

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
    """tau = -K omega, or with a field b the B-dot law tau = (-K b') x b.

    b' = (Omega - omega) x b is the field rate that a magnetometer in the body measures if the field turns at the rate
    Omega. The torque is perpendicular to the field, so rates about the field are not damped. With a constant field a
    spin about it remains. With a turning field, as along a polar orbit, all rates are damped towards the field's own:
    the slower the field turns, the slower (Stickler & Alfriend 1976). The law does not use the reference.

    Parameters
    ----------
    gain : array_like, shape (), (3,) or (3, 3)
        K; N m s/rad without a field. With a field, the dipole per unit of field rate times the unit of b, so that
        K |b|^2 is in N m s/rad. Symmetric, positive definite.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    field : array_like, shape (3,), optional
        b at t = 0, inertial components, any unit. None: torque about every axis.
    field_rate : array_like, shape (3,)
        Omega, inertial components, rad/s: the field turns at this constant rate.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; the body by default.

    Raises
    ------
    InputError
        When the gain is not symmetric positive definite, the field is zero, a field rate has no field, or sample or
        delay are out of range.
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
        """Check the numbers, and that a field is there for its rate. Raises InputError."""
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
        """Reason with a field: the rate about it is not controllable. Without one the rate loop has margins."""
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
        """Any craft; the law holds no attitude."""
        return DesignCondition(torques=self.torques, deadband=None)

    def scalar_units(self) -> Mapping[str, str]:
        """Return the units of its numbers; with a field the unit of the gain depends on that of the field."""
        found = super().scalar_units()
        return found if self.field is None else {k: unit for k, unit in found.items() if not k.startswith("gain")}

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, field, field rate, K."""
        given = {"field": np.zeros(3) if self.field is None else self.field, "field_rate": self.field_rate}
        return read_only(np.array(filled(DAMPING, basis=self.basis_numbers(), gain=self.gain, **given)))
