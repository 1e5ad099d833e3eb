"""Sliding-mode control with a boundary layer, robust against bounded disturbances."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant.kernels.fields import filled
from ...plant.quantity import INERTIA, PER_AXIS, declared, quantity
from ..contracts.checks import read_only
from ..contracts.design_condition import DesignCondition
from .nonlinear_kernels import SLIDING, sliding_mode_kernel
from .torque_law import TorqueLaw

Array = NDArray[np.float64]


@declared
class SlidingMode(TorqueLaw):
    """Sliding-mode control, which drives the state to the surface s = 0 and along it to the reference.

    With v = omega - omega_d and e_err the shorter rotation,

        s = v + L vec(e_err),    tau = omega x pi + J (omega_d' - L vec(e_err)') - K sat(s / phi),

    with L, K, phi diagonal, so that J s' = d - K sat(s / phi) for a disturbance d. If |d| < K on every axis, the state
    enters the boundary layer of the surface and stays there, with |s_n| <= phi_n |d_n| / K_n for a constant d. On the
    surface the error angle decays as theta' = -L sin(theta / 2) (Vadali 1986, Lo & Chen 1995; boundary layer: Slotine &
    Sastry 1983). The boundary layer must be wide enough for the sampling period. `margins` returns the margins of the
    loop inside the layer.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia J about the centre of rotation, kg m^2.
    slope : float or array_like, shape (3,)
        Slope L of the surface, 1/s.
    reach : float or array_like, shape (3,)
        Reaching torque K, N m; larger than the disturbance on each axis.
    boundary_layer : float or array_like, shape (3,)
        Width phi of the boundary layer, rad/s.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis, optional
        Basis of the plant's torque input; by default the body basis.

    Raises
    ------
    InputError
        When a value is not positive, the inertia is not physical, or sample or delay is out of range.
    """

    kind: ClassVar[str] = "sliding-mode"

    inertia: Array = quantity("kg m^2", converter=INERTIA, doc="J")
    slope: Array = quantity("1/s", converter=PER_AXIS, positive=True, doc="L")
    reach: Array = quantity("N m", converter=PER_AXIS, positive=True, doc="K, more than the disturbance")
    boundary_layer: Array = quantity("rad/s", converter=PER_AXIS, positive=True, doc="phi")

    @property
    def summary(self) -> str:
        """Description of the law."""
        return "sliding mode, which holds the attitude and rate of its reference against bounded disturbances"

    def gains(self) -> dict[str, list[list[float]]]:
        """Return L, K and phi, one row each."""
        rows = {"slope_1_s": self.slope, "reach_N_m": self.reach, "boundary_layer_rad_s": self.boundary_layer}
        return {name: [row.tolist()] for name, row in rows.items()}

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return sliding_mode_kernel

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: the law's inertia, any attitude and rate."""
        return DesignCondition(torques=self.torques, inertia=self.inertia)

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: basis and axes, J, L, K, phi."""
        given = {"slope": self.slope, "reach": self.reach, "layer": self.boundary_layer}
        return read_only(np.array(filled(SLIDING, basis=self.basis_numbers(), inertia=self.inertia, **given)))
