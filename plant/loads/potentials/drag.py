# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Drag of a rotating atmosphere on a translating spacecraft, with a drag coefficient and an area."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...hub.mass_now import total_mass
from ...hub.parameters import LINEAR_MOMENTUM, POSITION
from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_body
from ...quantity import NUMBER, VECTOR, check_fields, declared, quantity
from .orbital_load import OrbitalLoad

AT = fields(strength=1, steepness=1, radius=1, rotation=3, centre=3)
"""Parameters: 1/2 rho Cd A, kg/m; 1/H, 1/m; radius of the density rho, m; rotation of the atmosphere, rad/s; centre of
pressure from the mass centre, m."""

DEEPEST = 50.0  # scale heights: a factor of 5e21 in density


@declared
class Drag(OrbitalLoad):
    """Atmospheric drag on a translating spacecraft, with a drag coefficient and an area.

    F = -1/2 rho Cd A |v_r| v_r, with v_r = v - rotation x r relative to the rotating atmosphere, and the density rho,
    constant or rho exp(-(r - reference_radius) / scale_height) at the distance r from the inertial origin. The force
    acts at the centre of pressure. It has no component across the flow; `polhode.plant.environment.EnvironmentLoads`
    models such forces on faces. Pass this object among the `potentials` of a spacecraft.

    Parameters
    ----------
    density : float
        Density rho, kg/m^3, at the reference radius if there is a scale height.
    coefficient : float
        Drag coefficient Cd.
    area : float
        Reference area A, m^2.
    scale_height : float
        Scale height H, m; zero for a constant density.
    reference_radius : float
        Distance from the centre at which the density is `density`, m; required with a scale height.
    rotation : array_like, shape (3,)
        Angular velocity of the atmosphere, inertial components, rad/s; by default the Earth's rotation about z.
    centre : array_like, shape (3,)
        Centre of pressure from the mass centre, body components, m.

    Raises
    ------
    InputError
        When a value is out of range, a scale height has no reference radius, the reference radius is an altitude or in
        km, the spacecraft is pivoted or does not
        translate, or its elements move the mass centre.
    """

    words: ClassVar[str] = "the drag"
    holds_point: ClassVar[bool] = True
    has_energy: ClassVar[bool] = False

    density: float = quantity("kg/m^3", converter=NUMBER, positive=True, doc="density of the atmosphere")
    coefficient: float = quantity(converter=NUMBER, positive=True, doc="drag coefficient")
    area: float = quantity("m^2", converter=NUMBER, positive=True, doc="reference area")
    scale_height: float = quantity(
        "m", converter=NUMBER, non_negative=True, default=0.0, doc="scale height of the density; 0: constant"
    )
    reference_radius: float = quantity(
        "m", converter=NUMBER, non_negative=True, default=0.0, doc="distance from the centre of the given density"
    )
    rotation: NDArray[np.float64] = quantity(
        "rad/s",
        converter=VECTOR,
        default=(0.0, 0.0, 7.292115146706e-5),
        doc="rotation of the atmosphere, inertial axes",
    )
    centre: NDArray[np.float64] = quantity(
        "m", converter=VECTOR, default=(0.0, 0.0, 0.0), doc="centre of pressure from the mass centre, body axes"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="drag")
        if (self.scale_height > 0.0) != (self.reference_radius > 0.0):
            raise InputError(
                f"drag: scale_height {self.scale_height:g} m and reference_radius {self.reference_radius:g} m belong "
                "together; give both (m), or neither for a constant density"
            )
        if self.reference_radius < self.scale_height:
            raise InputError(
                f"drag: reference_radius {self.reference_radius:g} m must be at least the scale_height, "
                f"{self.scale_height:g} m; it is the distance from the centre, radius plus altitude, in m"
            )

    def check_start(self, position: NDArray[np.float64], velocity: NDArray[np.float64]) -> None:
        """Raise InputError if the density at the start is beyond any atmosphere.

        Parameters
        ----------
        position : numpy.ndarray, shape (3,)
            Position at t = 0, m.
        velocity : numpy.ndarray, shape (3,)
            Velocity at t = 0, m/s.

        Raises
        ------
        InputError
            When the position is more than `DEEPEST` scale heights below the reference radius.
        """
        del velocity
        if self.scale_height == 0.0:
            return
        distance = float(np.linalg.norm(position))
        below = (self.reference_radius - distance) / self.scale_height
        if below > DEEPEST:
            raise InputError(
                f"the position at t = 0, {distance:g} m from the centre, is {below:.3g} scale heights below the "
                f"reference_radius {self.reference_radius:g} m of the drag; at most {DEEPEST:g} are "
                "plausible; give reference_radius, scale_height and position in m"
            )

    def _packed(self) -> list[float]:
        return filled(
            AT,
            strength=0.5 * self.density * self.coefficient * self.area,
            steepness=1.0 / self.scale_height if self.scale_height else 0.0,
            radius=self.reference_radius,
            rotation=self.rotation,
            centre=self.centre,
        )


@kernel
def drag_load(t, x, p, row, w):
    """Return torque (body) and force (inertial) of the drag."""
    n, m = int(p[POSITION]), int(p[LINEAR_MOMENTUM])
    r0, r1, r2 = x[n], x[n + 1], x[n + 2]
    o0, o1, o2 = three(p, row + AT.rotation)
    v0 = x[m] / total_mass(p, w) - (o1 * r2 - o2 * r1)
    v1 = x[m + 1] / total_mass(p, w) - (o2 * r0 - o0 * r2)
    v2 = x[m + 2] / total_mass(p, w) - (o0 * r1 - o1 * r0)
    k = -p[row + AT.strength] * np.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    if p[row + AT.steepness] != 0.0:
        r = np.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        k = k * np.exp(-(r - p[row + AT.radius]) * p[row + AT.steepness])
    f0, f1, f2 = k * v0, k * v1, k * v2
    b0, b1, b2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    c0, c1, c2 = three(p, row + AT.centre)
    return c1 * b2 - c2 * b1, c2 * b0 - c0 * b2, c0 * b1 - c1 * b0, f0, f1, f2


@kernel
def drag_energy(t, x, p, row, w):
    """Return zero: drag has no potential energy."""
    return 0.0 * x[3]


Drag.kernels = drag_load, drag_energy
POTENTIAL = Drag
