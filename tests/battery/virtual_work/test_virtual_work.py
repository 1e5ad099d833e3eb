"""Every load on every element does the work that its forces do on the points of the spacecraft.

The generalised forces of the equations of motion are compared with derivatives of potentials and works. These are
sums over point masses and depend on positions only: no ledger, mass matrix or energy of the plant is used.
"""

import inspect
from typing import Any

import numpy as np
import pytest

from polhode import plant
from polhode.plant import elements
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import constants as earth
from polhode.plant.environment.faces import Face
from polhode.plant.environment.loads import Molecules
from polhode.plant.environment.magnetorquers import MagneticDamping, MagneticUnloading
from polhode.plant.errors import InputError
from polhode.plant.loads.potentials.kinds import POTENTIALS
from tests.battery.virtual_work.craft_points import PIVOT, SUPPORTS, CraftPoints, skew
from tests.battery.virtual_work.point_masses import KINDS

RADIUS = 3e4
"""Of the orbit, m. Terms of fourth order in size over it, which the plant leaves out, are some 1e-8 of the torque."""

MU = 0.3 * RADIUS**3
GRAVITY = np.array((0.4, -0.2, -9.81))
TOLERANCE = 1e-6
ROUNDING = 4e-15
"""Of the weight of the whole, which is 1e9 times what the gradient does to it."""


def newton(points: Any, centre: Any) -> Any:
    """Potential of the points minus that of their total mass at `centre`, their mass centre.

    It is the mean of the values of the spacecraft and its mirror image: terms of odd order in size over distance
    vanish.
    """
    mass = points.masses.sum()
    middle = points.masses @ points.places / mass
    total = mass / np.sqrt((centre + middle) @ (centre + middle))
    for sign in (1.0, -1.0):
        r = centre + middle + sign * (points.places - middle)
        total = total - 0.5 * (points.masses / np.sqrt((r * r).sum(axis=1))).sum()
    return MU * total


def orbiting(craft: CraftPoints) -> Any:
    """A gravity gradient on a prescribed orbit."""
    centre = RADIUS * np.array((0.48, 0.6, 0.64))
    load = plant.GravityGradient(mu=MU, position=centre, velocity=(0.0, 1.0, 0.0))
    return craft.load(craft.craft(potentials=[load])), lambda d: -newton(craft.points(d), centre)


def in_orbit(craft: CraftPoints) -> Any:
    """The same on the spacecraft's own orbit, without the weight of a point mass."""
    centre = RADIUS * np.array((0.48, 0.6, 0.64))
    craft.place = np.zeros(3)
    craft.x[craft.layout.position] = centre
    found = craft.load(craft.craft(potentials=[plant.GravityGradient(mu=MU)]))
    found[3:6] += MU * craft.bare.mass / RADIUS**3 * centre
    return found, lambda d: -newton(craft.points(d), centre)


def weight(craft: CraftPoints) -> Any:
    """Uniform gravity."""

    def work(d: Any) -> Any:
        points = craft.points(d)
        return points.masses @ points.places @ GRAVITY

    return craft.load(craft.craft(potentials=[plant.UniformGravity(GRAVITY)])), work


def springs(craft: CraftPoints) -> Any:
    """A spring with a damper, and a guided spring, on points of the hub."""
    at, anchor, n = np.array((0.5, -0.3, 0.2)), np.array((1.0, 2.0, -1.0)), np.array((0.6, 0.0, 0.8))
    loads = [
        plant.Spring(body_point=at, inertial_point=anchor, stiffness=7.0, natural_length=0.4, damping=0.9),
        plant.GuidedSpring(body_point=-at, direction=n, stiffness=5.0, rest=0.3),
    ]
    still = craft.points(np.zeros(craft.size))

    def place(d: Any, point: Any) -> Any:
        points = craft.points(d)
        return points.hub + points.turn @ point

    line = place(np.zeros(craft.size), at) - anchor
    line /= np.linalg.norm(line)
    v = still.turn @ np.cross(craft.bare.rate(craft.x), at - (PIVOT if craft.held else 0))
    if not craft.held:
        v = v + craft.x[craft.layout.linear_momentum] / craft.bare.mass
    pull = -0.9 * (line @ v) * line

    def work(d: Any) -> Any:
        first, second = place(d, at) - anchor, place(d, -at)
        return -3.5 * (np.sqrt(first @ first) - 0.4) ** 2 - 2.5 * (n @ second - 0.3) ** 2 + pull @ first

    return craft.load(craft.craft(potentials=loads)), work


def custom_potential(craft: CraftPoints) -> Any:
    """A custom potential of the mass centre of the whole and the attitude."""
    a, b = np.array((3.0, -2.0, 1.0)), np.array((0.4, 0.3, -0.2, 0.6))

    def value(c: Any, e: Any) -> Any:
        return a @ c + c[0] * c[1] + (b @ e) ** 2 * (1.0 + c[2])

    load = plant.Potential(value)
    e = craft.x[3:7]

    def work(d: Any) -> Any:
        points = craft.points(d)
        centre = points.masses @ points.places / points.masses.sum()
        turned = e + 0.5 * np.array((
            -e[1:] @ d[:3], *(e[0] * d[:3] + np.cross(e[1:], d[:3]))
        ))  # fmt: skip
        return -value(centre, turned)

    return craft.load(craft.craft(potentials=[load])), work


def custom_force(craft: CraftPoints) -> Any:
    """A custom torque about, and force at, the mass centre of the hub."""
    torque, force = np.array((0.3, -0.7, 0.5)), np.array((2.0, -1.0, 3.0))
    load = plant.UserForce(lambda t, e, omega, c, v: (*torque, *force))

    def work(d: Any) -> Any:
        return torque @ d[:3] + force @ craft.points(d).hub

    return craft.load(craft.craft(user_forces=[load])), work


def orbital(craft: CraftPoints) -> Any:
    """Central force and oblateness at the mass centre of the whole."""
    mu, j2, radius, pole = 3.0, 0.2, 1.3, np.array((0.48, 0.6, 0.64))
    loads = [plant.PointGravity(mu=mu), plant.Oblateness(mu=mu, j2=j2, radius=radius, pole=pole)]

    def work(d: Any) -> Any:
        points = craft.points(d)
        mass = points.masses.sum()
        c = points.masses @ points.places / mass
        r = np.sqrt(c @ c)
        legendre = 0.5 * (3.0 * (c @ pole / r) ** 2 - 1.0)
        return mu * mass / r * (1.0 - j2 * (radius / r) ** 2 * legendre)

    return craft.load(craft.craft(potentials=loads)), work


def pushed(craft: CraftPoints) -> Any:
    """Drag, and a thrust and a constant leak at points of the hub; all held."""
    force, point = np.array((0.7, -1.2, 0.4)), np.array((0.3, 0.5, -0.6))
    spin, centre = np.array((0.05, -0.1, 0.2)), np.array((-0.4, 0.2, 0.1))
    jet, valve = np.array((-0.3, 0.2, 0.6)), np.array((0.4, -0.2, 0.3))
    loads: list[Any] = [
        plant.Thrust(force=force, point=point, start=0.0, stop=1.0),
        plant.Leak(force=jet, point=valve),
    ]
    pull = np.zeros(3)
    if craft.support == "translating":
        loads.append(plant.Drag(density=0.3, coefficient=2.2, area=0.5, rotation=spin, centre=centre))
        flow = craft.x[craft.layout.linear_momentum] / craft.bare.mass
        flow = flow - np.cross(spin, craft.x[craft.layout.position])
        pull = -0.5 * 0.3 * 2.2 * 0.5 * np.linalg.norm(flow) * flow
    push, escape = rotation_matrix(craft.x[3:7]) @ force, rotation_matrix(craft.x[3:7]) @ jet

    def work(d: Any) -> Any:
        points = craft.points(d)
        moved = push @ (points.hub + points.turn @ point) + escape @ (points.hub + points.turn @ valve)
        return moved + pull @ (points.hub + points.turn @ centre)

    return craft.load(craft.craft(potentials=loads)), work


def tabled(craft: CraftPoints) -> Any:
    """Inertial torque between two rows of a table; the first row is at the time of the battery."""
    torque = np.array((0.4, -0.6, 0.9))
    load = plant.environment.TorqueTable(t=(0.0, 1.0), torque=(torque, -torque), basis="inertial")
    on = rotation_matrix(craft.x[3:7]).T @ torque
    return craft.load(craft.craft(potentials=[load])), lambda d: on @ d[:3]


def environment(craft: CraftPoints) -> Any:
    """Gravity gradient of the points, and a dipole in a field; the mass centre must stay at rest."""
    centre = RADIUS * np.array((0.48, 0.6, 0.64))
    field, dipole = np.array((0.3, -0.5, 0.2)), np.array((0.7, 0.4, -0.6))
    row = np.concatenate([centre, (0.0, 1e11, 0.0), field, (0.0, 0.0, 0.0, 0.0)])
    fields = plant.environment.FieldsAlongOrbit(
        orbit=None, duration=10.0, coefficients=np.tile(row, (10, 1)), contacts=(), magnetic=True
    )
    load = plant.environment.EnvironmentLoads(fields=fields, gravity_gradient=True, residual_dipole=dipole)
    scale = earth.MU / MU  # the load uses the Earth's constant

    def work(d: Any) -> Any:
        points = craft.points(d)
        return field @ points.turn @ dipole - scale * newton(points, centre)

    return craft.load(craft.craft(potentials=[load])), work


def magnetic(craft: CraftPoints) -> Any:
    """Induced and commanded dipoles in a field: the torque of -grad of the field's energy on them, held."""
    field, eddy = np.array((0.3, -0.5, 0.2)), np.array(((2.0, 0.3, 0.1), (0.3, 1.5, -0.2), (0.1, -0.2, 1.0)))
    row = np.concatenate([RADIUS * np.eye(3)[0], (0.0, 1e11, 0.0), field, (0.0, 0.0, 0.0, 0.0)])
    fields = plant.environment.FieldsAlongOrbit(
        orbit=None, duration=10.0, coefficients=np.tile(row, (10, 1)), contacts=(), magnetic=True
    )
    damping = MagneticDamping(gain=3.0, limit=(1.0, 0.01, 1.0))
    load = plant.environment.EnvironmentLoads(fields=fields, eddy_coefficient=eddy, magnetic_damping=damping)
    turning = np.asarray(skew(-craft.bare.rate(craft.x)) @ rotation_matrix(craft.x[3:7]).T @ field, dtype=float)
    dipole = -eddy @ turning + np.clip(-3.0 * turning, (-1.0, -0.01, -1.0), (1.0, 0.01, 1.0))

    def work(d: Any) -> Any:
        return field @ craft.points(d).turn @ dipole

    return craft.load(craft.craft(potentials=[load])), work


def unloading(craft: CraftPoints) -> Any:
    """The dipole that unloads the momentum beyond a deadband, held in a field."""
    field, target, deadband = np.array((0.3, -0.5, 0.2)), np.array((0.1, -0.2, 0.3)), 0.05
    row = np.concatenate([RADIUS * np.eye(3)[0], (0.0, 1e11, 0.0), field, (0.0, 0.0, 0.0, 0.0)])
    fields = plant.environment.FieldsAlongOrbit(
        orbit=None, duration=10.0, coefficients=np.tile(row, (10, 1)), contacts=(), magnetic=True
    )
    law = MagneticUnloading(gain=0.4, limit=(1.0, 0.3, 2.0), target=target, deadband=deadband)
    load = plant.environment.EnvironmentLoads(fields=fields, magnetic_unloading=law)
    left = np.real(craft.x[:3]) - target
    size = np.linalg.norm(left)
    excess = left * max(size - deadband, 0.0) / size
    inside = rotation_matrix(craft.x[3:7]).T @ field
    dipole = np.clip(0.4 * np.cross(excess, inside) / (field @ field), (-1.0, -0.3, -2.0), (1.0, 0.3, 2.0))

    def work(d: Any) -> Any:
        return field @ craft.points(d).turn @ dipole

    return craft.load(craft.craft(potentials=[load])), work


def faces(craft: CraftPoints) -> Any:
    """Sunlight and atmosphere on two plates: forces at their centres, which are fixed to the hub."""
    sun, wind = np.array((0.48, 0.6, 0.64)), np.array((7.0e3, -2.0e3, 1.5e3))
    distance, density = earth.ASTRONOMICAL_UNIT, 1e-13
    row = np.concatenate([RADIUS * 1e3 * sun, distance * sun, np.zeros(3), wind, [np.log(density)]])
    fields = plant.environment.FieldsAlongOrbit(
        orbit=None, duration=10.0, coefficients=np.tile(row, (10, 1)), contacts=(), dense=True
    )
    gas = Molecules(temperature=1000.0, molar_mass=0.016, wall_temperature=300.0)
    plates = [
        Face(area=2.0, normal=n, centre=c, specular=0.3, diffuse=0.4)
        for n, c in (((0.0, 0.6, 0.8), (1.5, -0.4, 0.2)), ((0.8, 0.0, -0.6), (-0.3, 0.7, 1.1)))
    ]
    load = plant.environment.EnvironmentLoads(
        fields=fields, faces=plates, solar_pressure=True, molecules=gas, open_faces=True
    )
    still = craft.points(np.zeros(craft.size))
    pushes = []
    for plate in plates:
        normal = np.real(still.turn) @ plate.normal
        pushes.append(sunlight(plate, normal, sun) + drag(plate, normal, wind, density, gas))

    def work(d: Any) -> Any:
        points = craft.points(d)
        middle = points.masses @ points.places / points.masses.sum()
        return sum(
            push @ (points.hub + points.turn @ plate.centre - middle)
            for plate, push in zip(plates, pushes, strict=True)
        )

    return craft.load(craft.craft(potentials=[load])), work


def sunlight(plate: Any, normal: Any, sun: Any) -> Any:
    """Force of sunlight on a plate at 1 au, N: absorbed, specular and diffuse fractions."""
    cosine = max(0.0, float(normal @ sun))
    absorbed = (1.0 - plate.specular) * sun
    return (
        -earth.SOLAR_FLUX / earth.SPEED_OF_LIGHT * plate.area * cosine
        * (absorbed + 2.0 * (plate.specular * cosine + plate.diffuse / 3.0) * normal)
    )  # fmt: skip


def drag(plate: Any, normal: Any, wind: Any, density: float, gas: Any) -> Any:
    """Free-molecular force on a plate, N, by Gauss quadrature over the normal velocity (diffuse reflection)."""
    x, weight = np.polynomial.legendre.leggauss(200)
    most = np.sqrt(2.0 * earth.GAS_CONSTANT * gas.temperature / gas.molar_mass)
    towards = float(normal @ wind) / most
    if towards < -6.0:
        return np.zeros(3)
    u = max(0.0, towards) + 8.0
    u = 0.5 * u * (x + 1.0)
    spread = 0.5 * (max(0.0, towards) + 8.0) * weight * np.exp(-((u - towards) ** 2)) / np.sqrt(np.pi)
    number, push = float((spread * u).sum()), float((spread * u * u).sum())
    leaving = number * np.sqrt(np.pi * gas.wall_temperature / gas.temperature) / 2.0
    along = wind / most - towards * normal
    return -density * most**2 * plate.area * ((push + leaving) * normal + number * along)


def command(craft: CraftPoints) -> Any:
    """The torque of a law, body components."""
    u = np.array((0.6, -0.9, 0.4))
    return craft.load(craft.bare, u), lambda d: u @ d[:3]


def pulses(craft: CraftPoints) -> Any:
    """One torque on the hub in inertial axes, one on each coordinate."""
    torque = np.array((0.2, 0.5, -0.3))
    names = craft.layout.coordinates
    scheduled = [plant.TorquePulse(torque, start=0.0, stop=1.0, basis=plant.TorqueBasis("inertial"))]
    scheduled += [plant.TorquePulse(0.7 + k, start=0.0, stop=1.0, coordinate=name) for k, name in enumerate(names)]
    u = [0.0, 0.0, 0.0, 1.0, *torque]
    for k in range(len(names)):
        u += [1.0, 0.7 + k, 0.0, 0.0]
    on = rotation_matrix(craft.x[3:7]).T @ torque
    push = 0.7 + np.arange(len(names))
    return craft.load(craft.bare, u, scheduled), lambda d: on @ d[:3] + push @ d[6 : 6 + len(names)]


LOADS = {
    orbiting: ("free",),
    in_orbit: ("translating",),
    weight: ("translating", "pivoted"),
    springs: ("translating", "pivoted"),
    custom_potential: ("translating", "pivoted"),
    custom_force: SUPPORTS,
    orbital: ("translating",),
    pushed: ("free", "translating"),
    tabled: SUPPORTS,
    environment: ("free",),
    magnetic: ("free",),
    unloading: ("free",),
    faces: ("free",),
    command: SUPPORTS,
    pulses: SUPPORTS,
}


def check(seed: int, *, arms: int) -> None:
    support = SUPPORTS[seed % len(SUPPORTS)]
    for load in (load for load, supports in LOADS.items() if support in supports):
        craft = CraftPoints(seed, support, arms=arms, gradient=load in (orbiting, in_orbit, environment))
        fixed = craft.held or not any(element.moves_mass for element in craft.elements)
        if load in (springs, pushed, environment, magnetic, unloading, faces) and not fixed:
            with pytest.raises(InputError, match="mass cent"):  # all need a mass centre at rest
                load(craft)
            continue
        found, work = load(craft)
        expected = craft.force(work)
        floor = ROUNDING * MU * craft.bare.mass / RADIUS**2
        for part in (slice(3), slice(3, 6), slice(6, None)):  # rotations, positions, coordinates and shapes
            size = np.abs(expected[part]).max(initial=0.0)
            np.testing.assert_allclose(
                found[part], expected[part], rtol=0, atol=TOLERANCE * size + floor, err_msg=f"{load.__name__} {seed}"
            )


def test_virtual_work_covers_every_element_and_potential() -> None:
    rng = np.random.default_rng(1)
    ours = {type(kind(rng).element) for kind in KINDS}
    offered = (getattr(elements, name) for name in elements.__all__)  # each is imported at its first use
    # thrusters need a free hub, rods a magnetic field: tests/plant/elements/test_propulsion, test_hysteresis_rod
    covered = {elements.Element, elements.HysteresisRod, elements.Propulsion}
    assert ours == {each for each in offered if isinstance(each, type) and hasattr(each, "pack")} - covered
    sources = "".join(inspect.getsource(load) for load in LOADS)
    assert all(f".{kind.__name__}(" in sources for kind in POTENTIALS)


@pytest.mark.parametrize("seed", range(3))
def test_loads_on_craft_with_an_arm_do_virtual_work(seed: int) -> None:
    check(seed, arms=1)


@pytest.mark.parametrize("seed", range(100, 103))
def test_loads_on_craft_without_arms_do_virtual_work(seed: int) -> None:
    check(seed, arms=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(103, 163))
def test_loads_on_random_craft_without_arms_do_virtual_work(seed: int) -> None:
    check(seed, arms=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_loads_on_random_craft_with_arms_do_virtual_work(seed: int) -> None:
    check(seed, arms=1 + seed % 2)
