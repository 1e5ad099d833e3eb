"""Every kind of element as in the plant, and as a set of point masses.

The battery takes its mechanics from the point masses: kinetic energy as a sum of 1/2 m v^2 over points whose
velocities follow from angular velocities and mode shapes, potential energy, Rayleigh's function. No block of a mass
matrix is written down here. The kind `Bead` is defined in this file, as a user would define a custom element.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import rotation_matrix
from polhode.plant.elements.assembly import (
    add_energy,
    add_force,
    add_power,
    couple_particle,
    particle_force,
    particle_velocity,
    place_particle,
    relative_rate,
)
from polhode.plant.kernels.kernel import kernel


@dataclasses.dataclass(frozen=True)
class Case:
    """An element and its independent mechanics; all functions accept complex numbers."""

    element: Any
    kinetic: Callable[..., Any]  # T(omega, v0, s, sdot), v0 the velocity of the hub's mass centre
    moment: Callable[..., Any]  # sum of m r about the hub's mass centre
    mass: float
    potential: Callable[..., Any] = lambda s: 0.0
    rayleigh: Callable[..., Any] = lambda s, v: 0.0
    held: Callable[..., Any] | None = None  # kinetic energy on a pivoted hub, if its model differs


def points(masses: Any, places: Any, velocities: Any) -> dict[str, Any]:
    """Mechanics of a case from masses (n), places(s) (n, 3) and velocities(s, sdot) (n, 3) in the hub."""

    def kinetic(omega, v0, s, v):
        speed = v0 + np.cross(omega, places(s)) + velocities(s, v)
        return 0.5 * np.sum(masses[:, None] * speed * speed)

    return {"kinetic": kinetic, "moment": lambda s: masses @ places(s), "mass": float(masses.sum())}


def turned(axis: Any, angle: Any, r: Any) -> Any:
    """Rotate r about a unit axis (Rodrigues)."""
    return np.cos(angle) * r + np.sin(angle) * np.cross(axis, r) + (1 - np.cos(angle)) * (r @ axis)[..., None] * axis


def direction(rng: Any) -> Any:
    a = rng.normal(size=3)
    return a / np.linalg.norm(a)


def across(rng: Any, a: Any) -> Any:
    b = np.cross(a, direction(rng))
    return b / np.linalg.norm(b)


def ring(rng: Any, *, full: bool = False) -> Case:
    k = direction(rng) if full else np.array((0.0, 0.0, 1.0))
    fill = 2 * np.pi if full else float(rng.uniform(0.5, 6.0))
    center, radius, mass, friction = rng.normal(size=3), rng.uniform(0.3, 0.8), rng.uniform(0.1, 0.4), rng.uniform(0, 1)
    element = plant.RingDamper(
        axis=2.5 * k, mass=mass, radius=radius, friction=friction, center=center, fill=fill,
        angle=rng.uniform(-3, 3), relative_rate=rng.normal(),
    )  # fmt: skip
    first = (1.0, 0.0, 0.0) if k[2] == 1.0 else plant.elements.axis.axis_frame(k)[0]
    nodes, weights = np.polynomial.legendre.leggauss(24)  # integrates arcs of up to 2 pi to round-off
    arc = radius * turned(k, 0.5 * fill * nodes[:, None], np.tile(first, (24, 1)))

    def rim(s):
        return turned(k, s[0], arc)

    masses = 0.5 * mass * weights
    mechanics = points(masses, lambda s: center + rim(s), lambda s, v: v[0] * np.cross(k, rim(s)))
    return Case(element, **mechanics, rayleigh=lambda s, v: 0.5 * friction * radius**2 * v[0] ** 2)


def full_ring(rng: Any) -> Case:
    return ring(rng, full=True)


def wheel(rng: Any) -> Case:
    a, inertia, friction = direction(rng), rng.uniform(0.05, 0.3), rng.uniform(0, 0.4)
    element = plant.Wheel(
        axis=3 * a, inertia=inertia, friction=friction, relative_rate=rng.normal(scale=20), angle=rng.normal()
    )
    u = across(rng, a)
    spokes = np.array([u, np.cross(a, u), -u, -np.cross(a, u)]) * 0.2
    masses = np.full(4, inertia / 0.04 / 4)
    rim = points(masses, lambda s: turned(a, s[0], spokes), lambda s, v: v[0] * np.cross(a, turned(a, s[0], spokes)))

    def kinetic(omega, v0, s, v):
        """Mass and transverse inertia (half the axial inertia) belong to the hub."""
        lent = masses.sum() * (v0 @ v0) + 0.5 * inertia * (omega @ omega - (a @ omega) ** 2)
        return rim["kinetic"](omega, v0, s, v) - 0.5 * lent

    return Case(element, kinetic, lambda s: np.zeros(3), 0.0, rayleigh=lambda s, v: 0.5 * friction * v[0] ** 2)


def imbalanced_wheel(rng: Any) -> Case:
    """Two planes of eight points, heavier towards one side each, as in two-plane balancing."""
    a, mass, radius, height = direction(rng), rng.uniform(0.2, 0.5), rng.uniform(0.3, 0.5), rng.uniform(0.1, 0.3)
    center, share = 0.3 * rng.normal(size=3), 0.4 * (rng.normal(size=2) + 1j * rng.normal(size=2)) / 2
    first, second = plant.elements.axis.axis_frame(a)
    turns = np.exp(2j * np.pi * np.arange(8) / 8)
    masses = np.concatenate([mass * (1.0 + (turns * each.conjugate()).real) for each in share])
    rim = radius * (np.outer(turns.real, first) + np.outer(turns.imag, second))
    spokes = np.vstack((rim + height * a, rim - height * a))
    static, dynamic = 4 * mass * radius * (share[0] + share[1]), 4 * mass * radius * height * (share[0] - share[1])
    friction, inertia, across_it = rng.uniform(0, 0.4), 16 * mass * radius**2, 16 * mass * (height**2 + radius**2 / 2)
    element = plant.ImbalancedWheel(
        axis=3 * a, inertia=inertia, friction=friction, relative_rate=rng.normal(scale=5), angle=rng.normal(),
        position=center, static_imbalance=abs(static), static_phase=np.angle(static), dynamic_imbalance=abs(dynamic),
        dynamic_phase=np.angle(dynamic),
    )  # fmt: skip

    def places(s):
        return center + turned(a, s[0], spokes)

    whole = points(masses, places, lambda s, v: v[0] * np.cross(a, turned(a, s[0], spokes)))

    def kinetic(omega, v0, s, v):
        """Mass and transverse inertia belong to the hub."""
        speed = v0 + np.cross(omega, center)
        lent = 16 * mass * (speed @ speed) + across_it * (omega @ omega - (a @ omega) ** 2)
        return whole["kinetic"](omega, v0, s, v) - 0.5 * lent

    return Case(
        element, kinetic, lambda s: masses @ places(s) - 16 * mass * center, 0.0,
        rayleigh=lambda s, v: 0.5 * friction * v[0] ** 2,
    )  # fmt: skip


def gyro(rng: Any) -> Case:
    """Rim of a rotor and a gimbal frame of three pairs of points, rotated one inside the other."""
    g = direction(rng)
    a = across(rng, g)
    t = np.cross(g, a)
    inertia, momentum, frame = rng.uniform(0.05, 0.3), rng.normal(scale=3), rng.uniform(0.02, 0.1, 3)
    spokes = np.array([t, g, -t, -g]) * 0.2
    rotor = np.full(4, inertia / 0.04 / 4)
    pairs = np.array([a, -a, t, -t, g, -g]) * 0.3  # of masses frame / 0.18, on a, t, g
    masses = np.concatenate((rotor, np.repeat(frame / 0.18, 2)))
    about = frame.sum() - frame  # inertias of the frame about a, t, g
    element = plant.ControlMomentGyro(
        axis=2 * g, spin_axis=3 * a, momentum=momentum, rotor_inertia=inertia, gimbal_inertia=about[2] + inertia / 2,
        spin_inertia=about[0], transverse_inertia=about[1] + inertia / 2, angle=rng.uniform(-3, 3), rate=rng.normal(),
    )  # fmt: skip

    def places(s):
        return turned(g, s[0], np.vstack((turned(a, s[1], spokes), pairs)))

    def velocities(s, v):
        spin = v[0] * g + v[1] * turned(g, s[0], a[None])[0]
        return np.vstack((np.cross(spin, places(s)[:4]), v[0] * np.cross(g, places(s)[4:])))

    whole = points(masses, places, velocities)

    def kinetic(omega, v0, s, v):
        """The mass is the hub's."""
        return whole["kinetic"](omega, v0, s, v) - 0.5 * masses.sum() * (v0 @ v0)

    return Case(element, kinetic, lambda s: np.zeros(3), 0.0)


def planar_pendulum(rng: Any) -> Case:
    n = direction(rng)
    a = across(rng, n)
    hinge, length, mass, c, k = rng.normal(size=3), rng.uniform(0.3, 0.9), rng.uniform(0.1, 0.5), 0.3, rng.uniform(0, 2)
    element = plant.Pendulum(
        hinge=hinge, length=length, mass=mass, direction=2 * n, axis=5 * a, damping=c, stiffness=k,
        angle=rng.uniform(-2, 2), rate=rng.normal(),
    )  # fmt: skip

    def rod(s):
        return turned(a, s[0], length * n[None])

    mechanics = points(np.array([mass]), lambda s: hinge + rod(s), lambda s, v: v[0] * np.cross(a, rod(s)))
    return Case(
        element, **mechanics, potential=lambda s: k * (1 - np.cos(s[0])), rayleigh=lambda s, v: 0.5 * c * v[0] ** 2
    )


def panel(rng: Any, *, latched: bool = False) -> Case:
    """Eight points on a hinge, with the inertia of the points."""
    a, hinge = direction(rng), rng.normal(size=3)
    masses, places = rng.uniform(0.02, 0.08, 8), rng.normal(scale=0.5, size=(8, 3)) + rng.normal(scale=0.5, size=3)
    mass = float(masses.sum())
    centre = masses @ places / mass
    d = places - centre
    inertia = np.sum(
        masses[:, None, None] * ((d * d).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None]), 0
    )
    k, c, rest = rng.uniform(0, 2), rng.uniform(0, 0.5), rng.normal()
    angle = rng.uniform(-2, 2)
    more = {"latch_angle": angle - 0.1, "capture": 1.0, "latch_time": 0.7} if latched else {}
    element = plant.HingedPanel(
        hinge=hinge, axis=3 * a, mass=mass, centre=centre, inertia=inertia, stiffness=k, damping=c, rest=rest,
        angle=angle, rate=rng.normal(), **more,
    )  # fmt: skip
    about = float((masses * (np.cross(a, places) ** 2).sum(axis=1)).sum())
    hold, brake = (about / 0.7**2, 2 * about / 0.7) if latched else (0.0, 0.0)

    def placed(s):
        return turned(a, s[0], places)

    mechanics = points(masses, lambda s: hinge + placed(s), lambda s, v: v[0] * np.cross(a, placed(s)))
    return Case(
        element,
        **mechanics,
        potential=lambda s: 0.5 * k * (s[0] - rest) ** 2 + 0.5 * hold * ((s[0] - angle + 0.1) ** 2 - 1.0),
        rayleigh=lambda s, v: 0.5 * (c + brake) * v[0] ** 2,
    )


def latched_panel(rng: Any) -> Case:
    return panel(rng, latched=True)


def wing(rng: Any) -> Case:
    """Two bodies, the second hinged to the first, each with a mode that displaces its points like a rigid body."""
    hinges, axes, k, c = (
        rng.normal(size=(2, 3)),
        [direction(rng) for _ in range(2)],
        rng.uniform(0, 2, 2),
        rng.uniform(0, 0.5, 2),
    )
    panels, modes, bodies, rest = [], [], [], np.zeros(2)
    w, zeta = rng.uniform(1, 3, 2), rng.uniform(0, 0.2, 2)
    for n in range(2):
        masses, places = rng.uniform(0.02, 0.1, 7), rng.normal(size=(7, 3)) * 0.4
        mass = masses.sum()
        d = places - masses @ places / mass
        inertia = np.sum(
            masses[:, None, None] * ((d * d).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None]), 0
        )
        shape = rng.normal(size=3) + np.cross(rng.normal(size=3), d)
        shape *= np.sqrt(0.6 / (masses @ (shape * shape)).sum())
        rest[n] = 0.4
        panels.append(
            plant.HingedPanel(
                hinge=hinges[n],
                axis=axes[n],
                mass=mass,
                centre=masses @ places / mass,
                inertia=inertia,
                stiffness=k[n],
                damping=c[n],
                angle=rng.uniform(-2, 2),
                rate=rng.normal(),
            )
        )
        modes.append(
            plant.FlexibleModes(
                frequencies=[w[n]],
                damping_ratios=zeta[n],
                translation=(masses @ shape)[:, None],
                rotation=(masses @ np.cross(places, shape))[:, None],
                displacements=rng.normal(scale=0.2),
            )
        )
        bodies.append((masses, places, shape))

    def body(s, n):
        return bodies[n][1] + s[2 + n] * bodies[n][2]

    def places(s):
        outer = hinges[1] - hinges[0] + turned(axes[1], s[1], body(s, 1))
        return np.vstack([hinges[0] + turned(axes[0], s[0], each) for each in (body(s, 0), outer)])

    def velocities(s, v):
        spin = v[0] * axes[0], v[0] * axes[0] + v[1] * turned(axes[0], s[0], axes[1][None])[0]
        inner, second = turned(axes[0], s[0], body(s, 0)), turned(axes[0], s[0], turned(axes[1], s[1], body(s, 1)))
        arm = turned(axes[0], s[0], (hinges[1] - hinges[0])[None])[0]
        bends = turned(axes[0], s[0], bodies[0][2]), turned(axes[0], s[0], turned(axes[1], s[1], bodies[1][2]))
        return np.vstack(
            (
                np.cross(spin[0], inner) + v[2] * bends[0],
                np.cross(spin[0], arm) + np.cross(spin[1], second) + v[3] * bends[1],
            )
        )

    mechanics = points(np.concatenate([each[0] for each in bodies]), places, velocities)
    kinetic = mechanics.pop("kinetic")
    return Case(
        plant.PanelChain(panels, modes),
        kinetic=lambda omega, v0, s, v: kinetic(omega, v0, s, v) + 0.5 * (rest * v[2:] * v[2:]).sum(),
        **mechanics,
        potential=lambda s: 0.5 * (k * s[:2] * s[:2]).sum() + 0.5 * (w**2 * s[2:] * s[2:]).sum(),
        rayleigh=lambda s, v: 0.5 * (c * v[:2] * v[:2]).sum() + (zeta * w * v[2:] * v[2:]).sum(),
    )


def spherical_pendulum(rng: Any) -> Case:
    """Cross joint: rotation about j, then about the rotated axis -i."""
    n = direction(rng)
    i, j = plant.elements.axis.axis_frame(n)
    hinge, length, mass, c, k = rng.normal(size=3), rng.uniform(0.3, 0.9), rng.uniform(0.1, 0.5), 0.3, rng.uniform(0, 2)
    element = plant.Pendulum(
        hinge=hinge, length=length, mass=mass, direction=n, damping=c, stiffness=k,
        angle=rng.uniform(-1, 1, 2), rate=rng.normal(size=2),
    )  # fmt: skip

    def rod(s):
        return turned(j, s[0], turned(-i, s[1], length * n[None]))

    def turning(s, v):
        return v[0] * j + v[1] * turned(j, s[0], -i[None])[0]

    mechanics = points(np.array([mass]), lambda s: hinge + rod(s), lambda s, v: np.cross(turning(s, v), rod(s)))
    return Case(
        element,
        **mechanics,
        potential=lambda s: k * (1 - rod(s)[0] @ n / length),
        rayleigh=lambda s, v: 0.5 * c * np.sum(np.cross(turning(s, v), rod(s)) ** 2) / length**2,
    )


def slider(rng: Any) -> Case:
    a, place = direction(rng), rng.normal(size=3)
    mass, k, c = rng.uniform(0.1, 0.5), rng.uniform(0, 3), rng.uniform(0, 1)
    element = plant.MassSpringDamper(
        point=place,
        axis=4 * a,
        mass=mass,
        stiffness=k,
        damping=c,
        displacement=rng.normal(scale=0.3),
        rate=rng.normal(),
    )
    mechanics = points(np.array([mass]), lambda s: (place + s[0] * a)[None], lambda s, v: (v[0] * a)[None])
    return Case(
        element, **mechanics, potential=lambda s: 0.5 * k * s[0] ** 2, rayleigh=lambda s, v: 0.5 * c * v[0] ** 2
    )


def modes(rng: Any, *, symmetric: bool = False) -> Case:
    """Six points of an appendage with three shapes; `symmetric`: shapes that move no mass centre."""
    masses, places = rng.uniform(0.02, 0.1, 6), rng.normal(size=(6, 3))
    shapes = rng.normal(size=(18, 3))
    root = np.sqrt(np.repeat(masses, 3))
    if symmetric:
        shapes -= np.tile(np.tensordot(masses, shapes.reshape(6, 3, 3), 1) / masses.sum(), (6, 1))
    shapes = (np.linalg.qr(root[:, None] * shapes)[0] / root[:, None]).reshape(6, 3, 3)  # sum m phi' phi = 1
    pull = np.tensordot(masses, shapes, 1)
    turn = np.tensordot(masses, np.cross(places[:, :, None], shapes, axis=1), 1)
    w, zeta = rng.uniform(0.5, 3, 3), rng.uniform(0, 0.1, 3)
    element = plant.FlexibleModes(
        frequencies=w, damping_ratios=zeta, rotation=turn, translation=None if symmetric else pull,
        displacements=rng.normal(scale=0.2, size=3), rates=rng.normal(size=3),
    )  # fmt: skip

    def held(omega, v0, s, v):
        """Contribution beyond the undeformed hub."""
        speed = shapes @ v
        base = np.cross(omega, places) + (0.0 if symmetric else v0)
        return np.sum(masses[:, None] * (base * speed + 0.5 * speed * speed))

    def kinetic(omega, v0, s, v):
        """The linear momentum of a free spacecraft includes the motion of its mass centre due to the deformation."""
        return held(omega, v0, s, v) + v0 @ np.cross(omega, moment(s))

    def moment(s):
        return np.zeros(3) if symmetric else pull @ s

    return Case(
        element,
        kinetic,
        moment,
        0.0,
        potential=lambda s: 0.5 * np.sum(w**2 * s * s),
        rayleigh=lambda s, v: np.sum(zeta * w * v * v),
        held=held,
    )


def antisymmetric_modes(rng: Any) -> Case:
    return modes(rng, symmetric=True)


# --- a custom kind of element: a bead on a bent wire, r = r0 + s a + 1/2 kappa s^2 b -------------------------------


@kernel
def bead(phase, t, x, u, p, row, w):
    k = int(p[row + 2])
    n = row + 4
    mass, s, bend = p[n], x[7 + k], p[n + 1]
    if phase == 2:
        add_energy(p, w, p[n + 2] * s**4)
        return
    y0, y1, y2 = p[n + 6] + bend * s * p[n + 9], p[n + 7] + bend * s * p[n + 10], p[n + 8] + bend * s * p[n + 11]
    half = 0.5 * bend * s * s
    r0 = p[n + 3] + s * p[n + 6] + half * p[n + 9]
    r1 = p[n + 4] + s * p[n + 7] + half * p[n + 10]
    r2 = p[n + 5] + s * p[n + 8] + half * p[n + 11]
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
        couple_particle(p, w, k, mass, r0, r1, r2, y0, y1, y2)
    else:
        rate = relative_rate(p, w, k)
        v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, y0 * rate, y1 * rate, y2 * rate)
        c = bend * rate
        particle_force(p, w, k, mass, v0, v1, v2, y0, y1, y2, c * p[n + 9], c * p[n + 10], c * p[n + 11])
        drag = -0.3 * rate**3
        add_force(p, w, k, drag - 4.0 * p[n + 2] * s**3)
        add_power(p, w, drag * rate)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Bead:
    """A bead of mass m on a wire along a, bent towards b, in a quartic well, with cubic drag."""

    mass: float
    bend: float
    well: float
    point: Any
    along: Any
    towards: Any
    start: float
    speed: float

    kernel = staticmethod(bead)
    coordinates = ("bead_place",)
    units = ("m",)
    driven = ("bead_place",)
    cyclic = False
    constant = False
    moves_mass = True

    @property
    def initial(self):
        return (self.start,), (self.speed,)

    def pack(self, offset):
        return [self.mass, self.bend, self.well, *(self.point + offset), *self.along, *self.towards]


def own_kind(rng: Any) -> Case:
    a, place = direction(rng), rng.normal(size=3)
    b = across(rng, a)
    mass, bend, well = rng.uniform(0.1, 0.5), rng.normal(), rng.uniform(0, 2)
    element = Bead(
        mass=mass,
        bend=bend,
        well=well,
        point=place,
        along=a,
        towards=b,
        start=rng.normal(scale=0.5),
        speed=rng.normal(),
    )
    mechanics = points(
        np.array([mass]),
        lambda s: (place + s[0] * a + 0.5 * bend * s[0] ** 2 * b)[None],
        lambda s, v: (v[0] * (a + bend * s[0] * b))[None],
    )
    return Case(element, **mechanics, potential=lambda s: well * s[0] ** 4, rayleigh=lambda s, v: 0.075 * v[0] ** 4)


KINDS = {
    "ring": ring,
    "full ring": full_ring,
    "wheel": wheel,
    "imbalanced wheel": imbalanced_wheel,
    "control moment gyro": gyro,
    "planar pendulum": planar_pendulum,
    "spherical pendulum": spherical_pendulum,
    "panel": panel,
    "latched panel": latched_panel,
    "wing": wing,
    "slider": slider,
    "modes": modes,
    "antisymmetric modes": antisymmetric_modes,
    "own kind": own_kind,
}
SUPPORTS = ("free", "translating", "pivoted")
TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
HUB_MASS = 7.0
PIVOT = np.array((0.1, -0.3, -0.6))
GRAVITY = np.array((0.4, -0.2, -9.81))


class Kit:
    """A spacecraft with elements, and its mechanics from the point masses."""

    def __init__(self, kinds, support: str = "free", seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.cases = [KINDS[kind](rng) for kind in kinds]
        self.pivoted = support == "pivoted"
        self.craft = plant.Spacecraft(
            plant.RigidBody(TENSOR, mass=HUB_MASS, pivot=PIVOT if self.pivoted else None),
            elements=[case.element for case in self.cases],
            potentials=[plant.UniformGravity(GRAVITY)] if support != "free" else [],
            translation=support == "translating",
        )
        e = rng.normal(size=4)
        self.attitude = e / np.linalg.norm(e)
        self.rate = rng.normal(size=3)
        place = {"position": rng.normal(size=3), "velocity": rng.normal(size=3)} if self.craft.translation else {}
        self.x = self.craft.state(attitude=self.attitude, rate=self.rate, **place)

    def parts(self, s):
        """Each case with its part of a vector over all coordinates."""
        start = 0
        for case in self.cases:
            n = len(case.element.coordinates)
            yield case, slice(start, start + n)
            start += n

    def of(self, case):
        return case.held if self.pivoted and case.held else case.kinetic

    def squares(self, s):
        """The matrix of 2 T in (omega, sdot, v0), from the energies of the hub and of each element by polarisation."""
        n = len(s)
        whole = np.zeros((6 + n, 6 + n))
        shift = np.array([np.cross(row, -PIVOT) for row in np.eye(3)]).T if self.pivoted else np.zeros((3, 3))

        def add(kinetic, own):
            places = [0, 1, 2, *range(3 + own.start, 3 + own.stop), 3 + n, 4 + n, 5 + n]
            count = own.stop - own.start

            def energy(z):
                base = shift @ z[:3] if self.pivoted else z[3 + count :]
                return kinetic(z[:3], base, s[own], z[3 : 3 + count])

            units = np.eye(6 + count)
            single = np.array([energy(row) for row in units])
            pairs = np.array([[energy(a + b) for b in units] for a in units])
            whole[np.ix_(places, places)] += pairs - single[:, None] - single

        add(lambda omega, v0, s, v: 0.5 * (omega @ TENSOR @ omega + HUB_MASS * (v0 @ v0)), slice(0, 0))
        for case, part in self.parts(s):
            add(self.of(case), part)
        return whole

    def mass_matrix(self, s):
        """The same in (omega, sdot): the free velocity v0 is eliminated by zero linear momentum."""
        m = 3 + len(s)
        whole = self.squares(s)
        return whole[:m, :m] if self.pivoted else whole[:m, :m] + whole[:m, m:] @ self.recoil(whole)

    def recoil(self, whole):
        """The velocity of the hub's mass centre for zero linear momentum, by (omega, sdot)."""
        m = len(whole) - 3
        return -np.linalg.solve(whole[m:, m:], whole[m:, :m])

    def kinetic(self, v, recoil):
        """T as a function of s only; its slope at fixed v0 equals that of the reduced T, since v0 is stationary."""
        omega, rates = v[:3], v[3:]
        v0 = np.cross(omega, -PIVOT) if self.pivoted else recoil @ v
        own = 0.5 * (omega @ TENSOR @ omega + HUB_MASS * (v0 @ v0))
        return lambda s: own + sum(self.of(case)(omega, v0, s[part], rates[part]) for case, part in self.parts(s))

    def potential(self, s, e):
        value = sum(case.potential(s[part]) for case, part in self.parts(s))
        if self.pivoted:
            moment = -HUB_MASS * PIVOT - sum(case.mass for case in self.cases) * PIVOT
            moment = moment + sum(case.moment(s[part]) for case, part in self.parts(s))
            value = value - GRAVITY @ rotation_matrix(e) @ moment
        return value

    def rayleigh(self, s, v):
        return sum(case.rayleigh(s[part], v[part]) for case, part in self.parts(s))


@pytest.fixture(params=[f"{kind}; {support}" for kind in KINDS for support in SUPPORTS])
def kit(request: pytest.FixtureRequest) -> Kit:
    """One element of each kind on each support."""
    kind, support = request.param.split("; ")
    return Kit([kind], support)


@pytest.fixture(scope="session")
def make_kit() -> type[Kit]:
    return Kit


@pytest.fixture
def kinds() -> list[str]:
    return list(KINDS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "one_kind" in metafunc.fixturenames:
        metafunc.parametrize("one_kind", list(KINDS))
