"""Mesh convergence of flexible arms towards references that do not use polhode's beam element."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ....plant import RigidBody, Spacecraft
from ....plant.flexible import Arm, BeamSection, hub_position, modes_of, node_positions, static_shape

Array = NDArray[np.float64]

LENGTH = 2.0  # m, of Choi's arms
SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    youngs_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)
FREE_HZ = (12.556713, 39.976164)
"""First symmetric and antisymmetric bending frequency of the free hub with arms, Hz. Two independent codes agree to
these digits."""

ORDER = 4.0


@dataclass(frozen=True, eq=False, kw_only=True)
class MeshCurve:
    """Relative error of a quantity as a function of the number of elements.

    reference: source of the reference value.
    elements: numbers of elements per arm.
    errors: errors relative to the reference value or, for shapes, to the arm length.
    """

    words: str
    reference: str
    elements: tuple[int, ...]
    errors: tuple[float, ...]

    @property
    def order(self) -> float:
        """Order of convergence between the two finest meshes."""
        ratio = self.elements[-1] / self.elements[-2]
        return float(np.log(self.errors[-2] / self.errors[-1]) / np.log(ratio))

    @property
    def holds(self) -> bool:
        """True if the order of convergence is above 3.8, that is, four within a margin of 0.2."""
        return self.order > ORDER - 0.2

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: the curve, its order of convergence and the verdict."""
        return {
            "figure": self.words,
            "reference": self.reference,
            "elements": list(self.elements),
            "errors": list(self.errors),
            "order": self.order,
            "holds": self.holds,
        }


def mesh_study() -> tuple[MeshCurve, ...]:
    """Refine the mesh of Choi's arms and return the error of each quantity.

    The quantities are two bending frequencies in free flight, the torsion frequency of one arm, and the tip position in
    a roll-up and in the elastica.
    """
    stiffness = SECTION.bending_stiffness[0]
    half = np.array((0.0, 2.0 / np.pi))  # tip position of a half circle, in arm lengths
    elastica = _elastica(10.0, axial=SECTION.axial_stiffness * LENGTH**2 / stiffness)
    codes = "two independent codes"
    return (
        _curve("first bending, free flight", codes, (2, 4, 8), lambda n: _bending(n)[0] / FREE_HZ[0] - 1.0),
        _curve("second bending, free flight", codes, (2, 4, 8), lambda n: _bending(n)[1] / FREE_HZ[1] - 1.0),
        _curve("torsion of an arm", "closed form", (1, 2, 4, 8), _torsion),
        _curve("roll-up to a half circle", "closed form", (2, 4, 8), lambda n: _rolled(n, half)),
        _curve("elastica, F L^2 / EI = 10", "shooting", (2, 4, 8), lambda n: _bent(n, 10.0, elastica)),
    )


def _curve(words: str, reference: str, elements: Iterable[int], error: Callable[[int], float]) -> MeshCurve:
    meshes = tuple(elements)
    return MeshCurve(
        words=words, reference=reference, elements=meshes, errors=tuple(abs(float(error(n))) for n in meshes)
    )


def _satellite(elements: int) -> Spacecraft:
    arms = [
        Arm(section=SECTION, length=LENGTH, elements=elements, direction=(s, 0, 0), root=(0.1 * s, 0, 0))
        for s in (1, -1)
    ]
    return Spacecraft(RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)


def _cantilever(elements: int) -> Spacecraft:
    arm = Arm(section=SECTION, length=LENGTH, elements=elements, direction=(1, 0, 0))
    return Spacecraft(RigidBody(np.diag((1.0, 1.0, 1.5)), mass=1.0), elements=[arm])


def _bending(elements: int) -> Array:
    """Return the first two bending frequencies, Hz; each occurs twice, once in each plane."""
    hertz = modes_of(_satellite(elements), count=12).hertz
    return hertz[np.flatnonzero(np.diff(hertz) < 1e-6 * hertz[1:])][:2]


def _torsion(elements: int) -> float:
    # quarter-wave frequency; the polar second moment cancels between torsional stiffness and inertia
    exact = float(np.sqrt(SECTION.shear_modulus / SECTION.density)) / (4.0 * LENGTH)
    hertz = modes_of(_cantilever(elements), clamped=True, count=6 * elements).hertz
    return float(np.abs(hertz / exact - 1.0).min())


def _rolled(elements: int, exact: Array) -> float:
    moment = np.pi * SECTION.bending_stiffness[0] / LENGTH
    craft = _cantilever(elements)
    x = static_shape(craft, moment=(0, -moment, 0), increments=8)
    return float(np.abs(_tip(craft, x) - exact).max())


def _bent(elements: int, load: float, exact: Array) -> float:
    force = load * SECTION.bending_stiffness[0] / LENGTH**2
    craft = _cantilever(elements)
    x = static_shape(craft, force=(0, 0, force), increments=4)
    return float(np.abs(_tip(craft, x) - exact).max())


def _tip(craft: Spacecraft, x: Array) -> Array:
    """Return the tip position along and across the undeformed arm, in arm lengths from the root.

    The root is at the hub's mass centre.
    """
    from_root = node_positions(craft, [x])[0][0, -1] - hub_position(craft, [x])[0]
    return from_root[[0, 2]] / LENGTH


def _elastica(load: float, *, axial: float) -> Array:
    """Return the tip position of an extensible cantilever (unit EI and L) under a dead force, by shooting.

    The moment balance per undeformed length is theta'' = - (1 + strain) load cos(theta).
    """
    from scipy import integrate, optimize

    def slopes(_: float, y: Array) -> tuple[float, float, float, float]:
        stretched = 1.0 + load * np.sin(y[2]) / axial
        c, s = np.cos(y[2]), np.sin(y[2])
        return stretched * c, stretched * s, y[3], -stretched * c * load

    def shoot(curvature: float) -> Array:
        found = cast("Any", integrate).solve_ivp(slopes, (0.0, 1.0), (0.0, 0.0, 0.0, curvature), rtol=1e-11, atol=1e-13)
        return found.y[:, -1]

    def left_over(curvature: float) -> float:
        return float(shoot(curvature)[3])

    end = shoot(float(cast("Any", optimize).brentq(left_over, 0.01 * load, load, xtol=1e-13)))
    return end[:2]
