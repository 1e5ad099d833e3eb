"""Spacecraft as sets of point masses at the positions that a state gives.

Nothing here uses momenta, mass matrices or generalised forces: a set computes the positions of its points from
attitude, coordinates and shape. All positions accept complex numbers, so that one step of 1e-40 i displaces the
points virtually.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode import plant
from polhode.plant.flexible import Arm, BeamSection

STATIONS = 6
"""Along each beam element, of Gauss: more than the plant has."""


@dataclass(frozen=True)
class Heap:
    """An element as points: masses (n) and positions (n, 3) in the hub, from the hub's mass centre.

    The mass of a wheel, and of an appendage with modes, belongs to the hub: `lent` (mass, positions) is this part of
    the hub. `gradient` states whether the gravity gradient acts on the element.
    """

    element: Any
    masses: Any
    places: Callable[[Any], Any]
    lent: Any = None
    gradient: bool = True


def direction(rng: Any) -> Any:
    a = rng.normal(size=3)
    return a / np.linalg.norm(a)


def across(rng: Any, a: Any) -> Any:
    b = np.cross(a, direction(rng))
    return b / np.linalg.norm(b)


def turned(axis: Any, angle: Any, r: Any) -> Any:
    """Rotate r about a unit axis (Rodrigues)."""
    return np.cos(angle) * r + np.sin(angle) * np.cross(axis, r) + (1 - np.cos(angle)) * (r @ axis)[..., None] * axis


def tensor_points(mass: float, inertia: Any) -> tuple[Any, Any]:
    """Six points of a mass and an inertia about the origin."""
    second, axes = np.linalg.eigh(0.5 * np.trace(inertia) * np.eye(3) - inertia)
    arms = np.sqrt(3.0 * np.maximum(second, 0.0) / mass) * axes
    return np.full(6, mass / 6.0), np.vstack([arms.T, -arms.T])


def wheel(rng: Any) -> Heap:
    a, inertia = direction(rng), rng.uniform(0.05, 0.3)
    u = across(rng, a)
    spokes = np.array([u, np.cross(a, u), -u, -np.cross(a, u)]) * 0.2
    masses = np.full(4, inertia / 0.16)
    element = plant.Wheel(axis=a, inertia=inertia, relative_rate=rng.normal(scale=20), angle=rng.normal())
    lent = tensor_points(masses.sum(), 0.5 * inertia * (np.eye(3) - np.outer(a, a)))
    return Heap(element, masses, lambda s: turned(a, s[0], spokes), lent=lent)


def imbalanced_wheel(rng: Any) -> Heap:
    """Two planes of eight points, each heavier towards one side; the hub has them at equal masses, without rotation."""
    a, mass, radius, height = direction(rng), rng.uniform(0.05, 0.1), rng.uniform(0.3, 0.5), rng.uniform(0.1, 0.3)
    center, share = 0.3 * rng.normal(size=3), 0.2 * (rng.normal(size=2) + 1j * rng.normal(size=2))
    first, second = plant.elements.axis.axis_frame(a)
    turns = np.exp(2j * np.pi * np.arange(8) / 8)
    masses = np.concatenate([mass * (1.0 + (turns * each.conjugate()).real) for each in share])
    rim = radius * (np.outer(turns.real, first) + np.outer(turns.imag, second))
    spokes = np.vstack((rim + height * a, rim - height * a))
    static, dynamic = 4 * mass * radius * (share[0] + share[1]), 4 * mass * radius * height * (share[0] - share[1])
    inertia = 16 * mass * radius**2
    element = plant.ImbalancedWheel(
        axis=a, inertia=inertia, relative_rate=rng.normal(scale=20), angle=rng.normal(), position=center,
        static_imbalance=abs(static), static_phase=np.angle(static), dynamic_imbalance=abs(dynamic),
        dynamic_phase=np.angle(dynamic),
    )  # fmt: skip
    lent, places = tensor_points(
        16 * mass, 16 * mass * (height**2 + 0.5 * radius**2) * (np.eye(3) - np.outer(a, a))
    )  # without the inertia about the axis
    return Heap(element, masses, lambda s: center + turned(a, s[0], spokes), lent=(lent, center + places))


def gyro(rng: Any) -> Heap:
    """A rotor in a gimbal frame whose rate loop holds it; the hub has its mass."""
    g = direction(rng)
    a = across(rng, g)
    t = np.cross(g, a)
    inertia, frame = rng.uniform(0.05, 0.3), rng.uniform(0.02, 0.3, 3)
    spokes, pairs = np.array([t, g, -t, -g]) * 0.2, np.array([a, -a, t, -t, g, -g]) * 0.3
    masses = np.concatenate((np.full(4, inertia / 0.16), np.repeat(frame / 0.18, 2)))
    about = frame.sum() - frame  # inertias of the frame about a, t, g
    about_gimbal = about[2] + inertia / 2
    element = plant.ControlMomentGyro(
        axis=g, spin_axis=a, momentum=rng.normal(scale=3), rotor_inertia=inertia, gimbal_inertia=about_gimbal,
        spin_inertia=about[0], transverse_inertia=about[1] + inertia / 2,
        time_constant=about_gimbal,  # a commanded rate of 1 rad/s is then a torque of 1 N m
        angle=rng.uniform(-3, 3), rate=rng.normal(),
    )  # fmt: skip

    def places(s: Any) -> Any:
        return turned(g, s[0], np.vstack((turned(a, s[1], spokes), pairs)))

    return Heap(element, masses, places, lent=(np.array([masses.sum()]), np.zeros((1, 3))))


def ring(rng: Any) -> Heap:
    center, radius, mass, fill = (
        0.5 * rng.normal(size=3),
        rng.uniform(0.3, 0.8),
        rng.uniform(0.5, 2),
        rng.uniform(0.5, 6),
    )
    element = plant.RingDamper(
        axis=(0, 0, 1), mass=mass, radius=radius, friction=0.2, center=center, fill=fill, angle=rng.uniform(-3, 3)
    )
    nodes, weights = np.polynomial.legendre.leggauss(24)
    arc = radius * turned(np.eye(3)[2], 0.5 * fill * nodes[:, None], np.tile((1.0, 0.0, 0.0), (24, 1)))
    return Heap(element, 0.5 * mass * weights, lambda s: center + turned(np.eye(3)[2], s[0], arc))


def planar_pendulum(rng: Any) -> Heap:
    n = direction(rng)
    a, hinge, length, mass = across(rng, n), 0.5 * rng.normal(size=3), rng.uniform(0.3, 0.9), rng.uniform(0.5, 2)
    element = plant.Pendulum(
        hinge=hinge, length=length, mass=mass, direction=n, axis=a, stiffness=1.0, angle=rng.uniform(-2, 2)
    )
    return Heap(element, np.array([mass]), lambda s: hinge + turned(a, s[0], length * n[None]))


def panel(rng: Any) -> Heap:
    """A rigid body on a hinge."""
    a, hinge = direction(rng), 0.5 * rng.normal(size=3)
    masses, places = rng.uniform(0.1, 0.5, 7), 0.4 * rng.normal(size=(7, 3))
    mass = float(masses.sum())
    centre = masses @ places / mass
    d = places - centre
    inertia = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, d, strict=True))
    element = plant.HingedPanel(
        hinge=hinge, axis=a, mass=mass, centre=centre, inertia=inertia, stiffness=1.0, angle=rng.uniform(-2, 2)
    )
    return Heap(element, masses, lambda s: hinge + turned(a, s[0], places))


def wing(rng: Any) -> Heap:
    """Two rigid bodies, the second hinged to the first."""
    axes, hinges = [direction(rng) for _ in range(2)], [0.5 * rng.normal(size=3) for _ in range(2)]
    panels, bodies = [], []
    for axis, hinge in zip(axes, hinges, strict=True):
        masses, places = rng.uniform(0.1, 0.5, 7), 0.4 * rng.normal(size=(7, 3))
        mass = float(masses.sum())
        centre = masses @ places / mass
        d = places - centre
        inertia = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, d, strict=True))
        panels.append(
            plant.HingedPanel(
                hinge=hinge,
                axis=axis,
                mass=mass,
                centre=centre,
                inertia=inertia,
                stiffness=1.0,
                angle=rng.uniform(-2, 2),
            )
        )
        bodies.append((masses, places))

    def placed(s):
        outer = hinges[1] - hinges[0] + turned(axes[1], s[1], bodies[1][1])
        return np.vstack([hinges[0] + turned(axes[0], s[0], each) for each in (bodies[0][1], outer)])

    return Heap(plant.PanelChain(panels), np.concatenate([each[0] for each in bodies]), placed)


def slosh(rng: Any) -> Heap:
    """Spherical pendulum: the cross joint rotates about j, then about the rotated axis -i."""
    n = direction(rng)
    i, j = plant.elements.axis.axis_frame(n)
    hinge, length, mass = 0.5 * rng.normal(size=3), rng.uniform(0.3, 0.9), rng.uniform(0.5, 2)
    element = plant.Pendulum(
        hinge=hinge, length=length, mass=mass, direction=n, stiffness=1.0, angle=rng.uniform(-1, 1, 2)
    )
    return Heap(element, np.array([mass]), lambda s: hinge + turned(j, s[0], turned(-i, s[1], length * n[None])))


def slider(rng: Any) -> Heap:
    a, place, mass = direction(rng), 0.5 * rng.normal(size=3), rng.uniform(0.3, 1)
    element = plant.MassSpringDamper(
        point=place, axis=a, mass=mass, stiffness=2.0, displacement=rng.normal(scale=0.3), rate=rng.normal()
    )
    return Heap(element, np.array([mass]), lambda s: (place + s[0] * a)[None])


def part(rng: Any) -> Heap:
    """A rigid part with its own inertia."""
    mass, center = rng.uniform(1, 5), rng.normal(size=3)
    turn, values = np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.uniform(1.0, 1.9, 3)
    inertia = turn @ np.diag(values) @ turn.T
    masses, places = tensor_points(mass, inertia)
    return Heap(
        plant.elements.rigid_part.RigidPart(mass=mass, center=center, inertia=inertia),
        masses,
        lambda s: center + places,
    )


def modes(rng: Any) -> Heap:
    """Six points of an appendage with three shapes of unit modal mass."""
    masses, places = rng.uniform(0.02, 0.1, 6), rng.normal(size=(6, 3))
    root = np.sqrt(np.repeat(masses, 3))
    shapes = (np.linalg.qr(root[:, None] * rng.normal(size=(18, 3)))[0] / root[:, None]).reshape(6, 3, 3)
    element = plant.FlexibleModes(
        frequencies=rng.uniform(0.5, 3, 3), damping_ratios=0.01, translation=np.tensordot(masses, shapes, 1),
        rotation=np.tensordot(masses, np.cross(places[:, :, None], shapes, axis=1), 1),
        displacements=rng.normal(scale=0.2, size=3),
    )  # fmt: skip
    return Heap(element, masses, lambda s: places + shapes @ s, lent=(masses, places), gradient=False)


KINDS = (wheel, imbalanced_wheel, ring, planar_pendulum, panel, wing, slosh, slider, part, modes, gyro)


def arm(rng: Any) -> Arm:
    """A beam with massive cross-sections: wide panels as well as slender booms."""
    width, height, modulus = rng.uniform(0.05, 1.5), rng.uniform(0.01, 0.2), rng.uniform(1e8, 1e9)
    section = BeamSection(
        area=width * height, second_moment_m=width * height**3 / 12, second_moment_n=height * width**3 / 12,
        youngs_modulus=modulus, shear_modulus=0.37 * modulus, density=rng.uniform(2, 8) / (width * height),
    )  # fmt: skip
    along = direction(rng)
    return Arm(
        section=section, length=rng.uniform(0.8, 3), elements=int(rng.integers(1, 4)), direction=along,
        root=0.4 * direction(rng), section_axis=across(rng, along), tip_mass=rng.choice((0.0, 1.5)),
    )  # fmt: skip


def beam_points(arm: Arm, r: Any, axes: Any, strain: Any) -> tuple[Any, Any]:
    """Masses (n) and places (n, 3) of an arm; its nodes are at r (k, 3), their axes l, m, n are columns."""
    section, length = arm.section, arm.element_length
    nodes, weights = np.polynomial.legendre.leggauss(STATIONS)
    x = 0.5 * (1 + nodes)
    shapes = np.array((1 - 3 * x**2 + 2 * x**3, x - 2 * x**2 + x**3, 3 * x**2 - 2 * x**3, x**3 - x**2))
    slopes = np.array((6 * x**2 - 6 * x, 1 - 4 * x + 3 * x**2, 6 * x - 6 * x**2, 3 * x**2 - 2 * x))
    # two pairs of points with the mass and the second moments of area of the section
    y, z = np.sqrt(2 * section.second_moment_n / section.area), np.sqrt(2 * section.second_moment_m / section.area)
    places = []
    for a in range(arm.elements):
        b = a + 1
        la, lb = axes[a][:, 0], axes[b][:, 0]
        ends = np.array((r[a], length * (1 + strain[a]) * la, r[b], length * (1 + strain[b]) * lb))
        far = swing(la, lb[None])[0] @ axes[a]  # the frame of a, rotated to the direction of b
        alpha = angle(far[:, 1] @ axes[b][:, 1], far[:, 2] @ axes[b][:, 1])
        middle, t = shapes.T @ ends, slopes.T @ ends
        frame = swing(la, t / np.sqrt((t * t).sum(axis=1))[:, None]) @ axes[a]
        c, s = np.cos(alpha * x)[:, None], np.sin(alpha * x)[:, None]
        m = y * (c * frame[:, :, 1] + s * frame[:, :, 2])
        n = z * (c * frame[:, :, 2] - s * frame[:, :, 1])
        places += [middle + m, middle - m, middle + n, middle - n]
    share = 0.125 * section.mass_per_length * length * weights
    return np.array([*np.tile(share, 4 * arm.elements), arm.tip_mass]), np.vstack([*places, r[-1:]])


def swing(a: Any, b: Any) -> Any:
    """The smallest rotations from the unit vector a (3) to unit vectors b (n, 3)."""
    k = np.cross(a, b)
    skew = np.cross(k[:, None, :], np.eye(3)).swapaxes(1, 2)  # columns k x e_i
    return np.eye(3) + skew + skew @ skew / (1 + b @ a)[:, None, None]


def angle(c: Any, s: Any) -> Any:
    """arctan2(s, c), right to first order in the imaginary part."""
    c0, s0 = np.real(c), np.real(s)
    return np.arctan2(s0, c0) + (s * c0 - c * s0) / (c0**2 + s0**2)
