# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Wheel with static and dynamic imbalance: jitter at the wheel rate, with the momentum of hub and rotor conserved.

A rigid rotor has about a point c of its axis a the first moment of mass and the product of inertia

    sum m r = Us u(q)        sum m (a . r)(d . r) = Ud,    u(q), d(q) perpendicular to a, rotating with the wheel

Us and Ud are the static and the dynamic imbalance. The hub contains the rotor's mass at c and its transverse inertia,
as for a balanced wheel. The rest has the mass 0, and is integrated as six point masses of both signs that have these
two moments and no other: +-Us/2 at +-u, and +Ud/4 at +-(a + d), -Ud/4 at +-(a - d) (kg and m). The energy of a rigid
body is linear in its mass, first and second moments, so that this is exact.

At a constant rate W, a hub at rest feels the force Us W^2 along u at c, and the torque Ud W^2 along a x d. A free hub
moves under them, and the axis of the rotor with it. The inertia across the axis is taken as symmetric. See Alcorn,
Allard & Schaub, "Fully coupled reaction wheel static and dynamic imbalance for spacecraft jitter modeling" (2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields as fields_of
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..hub.parameters import ELEMENT
from ..kernels.fields import fields, filled
from ..kernels.kernel import kernel
from ..quantity import NUMBER, VECTOR, declared, quantity
from .assembly import relative_rate
from .axis import axis_frame
from .turning_particle import turn_particle
from .wheel import Wheel, wheel_terms
from .wheel_motor import AT as WHEEL

if TYPE_CHECKING:
    from ..hub.rigid_body import RigidBody

Array = NDArray[np.float64]

POINTS = 6

AT = fields(center=3, masses=POINTS, offsets=3 * POINTS)
"""Parameters: centre of the wheel from the reference point; masses of the points and their positions from it at angle
0. Those of the balanced wheel follow."""


@declared
class ImbalancedWheel(Wheel):
    """Wheel whose rotor is statically and dynamically imbalanced.

    The angle of the wheel counts: runs need steps that resolve its rotation, about 20 for a turn. A linear model exists
    for a wheel at rest only; design a law on `balanced`. All other parameters are those of `Wheel`.

    Parameters
    ----------
    axis, inertia, friction, coulomb, coulomb_rate, static_friction, stribeck_rate, motor_torque, command, sharing, \
    assumed_axis, torque_limit, minimum_torque, power_limit, speed_limit, motor_efficiency, standby_power, \
    regeneration_efficiency, rated_power, relative_rate, angle
        As for `Wheel`. The inertia is about the axis.
    position : array_like, shape (3,)
        Centre of the wheel from the mass centre of the hub, body components, m.
    static_imbalance : float
        Static imbalance Us, kg m (1 g cm = 1e-5 kg m): mass of the rotor times the distance of its mass centre from the
        axis.
    dynamic_imbalance : float
        Dynamic imbalance Ud, kg m^2 (1 g cm^2 = 1e-7 kg m^2): product of inertia about `position`. Mass towards +a is
        heavier on the side of its phase.
    static_phase, dynamic_phase : float
        Directions of u and d at wheel angle 0, rad: angles about the axis from the first vector of `axis_frame(axis)`.

    Raises
    ------
    InputError
        As for `Wheel`; when an imbalance is negative, or so large that no rotor of this inertia can have it.

    Examples
    --------
    >>> wheel = ImbalancedWheel(axis=(0, 0, 1), inertia=0.01, relative_rate=600.0, static_imbalance=1e-5)
    >>> float(round(wheel.static_imbalance * wheel.relative_rate**2, 3))  # N: amplitude of the force
    3.6
    """

    position: Array = quantity(
        "m", converter=VECTOR, default=(0.0, 0.0, 0.0), doc="centre of the wheel, from the mass centre of the hub"
    )
    static_imbalance: float = quantity(
        "kg m", converter=NUMBER, non_negative=True, default=0.0, doc="mass of the rotor times its offset from the axis"
    )
    dynamic_imbalance: float = quantity(
        "kg m^2", converter=NUMBER, non_negative=True, default=0.0, doc="product of inertia of the rotor about its axis"
    )
    static_phase: float = quantity(
        "rad", converter=NUMBER, default=0.0, case="deg or rad", doc="direction of the static imbalance at angle 0"
    )
    dynamic_phase: float = quantity(
        "rad", converter=NUMBER, default=0.0, case="deg or rad", doc="direction of the dynamic imbalance at angle 0"
    )

    cyclic = False
    """False: inertia and energy depend on the angle."""

    constant = False
    """False: the contribution to the mass matrix depends on the angle."""

    moves_mass = True
    """True: the static imbalance moves the mass centre."""

    def check(self, body: RigidBody) -> None:
        """Raise InputError if no rotor with the inertia of the wheel can have its imbalance.

        Parameters
        ----------
        body : RigidBody
            The hub.

        Raises
        ------
        InputError
            As for `Wheel`, and when an imbalance is too large.
        """
        super().check(body)
        if self.dynamic_imbalance >= self.inertia:
            raise InputError(
                f"dynamic imbalance of wheel must be below its inertia, {self.inertia:g} kg m^2; got "
                f"{self.dynamic_imbalance:g} kg m^2; check the unit (1 g cm^2 = 1e-7 kg m^2)"
            )
        if body.mass is not None and self.static_imbalance**2 >= self.inertia * body.mass:
            bound = (self.inertia * body.mass) ** 0.5
            raise InputError(
                f"static imbalance of wheel must be below {bound:.4g} kg m, the root of its inertia times the mass of "
                f"the hub; got {self.static_imbalance:g} kg m; check the unit (1 g cm = 1e-5 kg m)"
            )

    @property
    def balanced(self) -> Wheel:
        """The wheel without imbalance, for design and linear models."""
        return Wheel(**{each.name: getattr(self, each.name) for each in fields_of(Wheel)})

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function of wheels with imbalance."""
        return imbalanced_wheel

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT, then the parameters of the balanced wheel.
        """
        first, second = axis_frame(self.axis)
        u, d = (
            np.cos(phase) * first + np.sin(phase) * second for phase in (self.static_phase, self.dynamic_phase)
        )  # fmt: skip
        a, us, ud = self.axis, 0.5 * self.static_imbalance, 0.25 * self.dynamic_imbalance
        places = np.concatenate((u, -u, a + d, -a - d, a - d, d - a))
        row = filled(AT, center=self.position + offset, masses=(us, -us, ud, ud, -ud, -ud), offsets=places)
        return [*row, *super().pack(offset)]


@kernel
def imbalanced_wheel(phase, t, x, u, p, row, w):
    """Kernel of a wheel with imbalance; see `polhode.plant.elements.element`."""
    k = int(p[row + ELEMENT.first])
    n = row + ELEMENT.size
    wheel_terms(phase, x, u, p, w, k, n + AT.size)
    if phase <= 1:
        q = x[7 + k]
        cos, sin, rate = np.cos(q), np.sin(q), relative_rate(p, w, k)
        for i in range(POINTS):
            if p[n + AT.masses + i] != 0.0:
                turn_particle(
                    phase, p, w, k, p[n + AT.masses + i], cos, sin, rate,
                    n + AT.size + WHEEL.axis, n + AT.center, n + AT.offsets + 3 * i,
                )  # fmt: skip
