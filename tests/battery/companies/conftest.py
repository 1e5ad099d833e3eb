"""Spacecraft with random elements and arms: none, one or many of each kind, on every hub."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.flexible import Arm, BeamSection

GRAVITY = plant.UniformGravity((0.4, -0.2, -9.81))
SIZES = (0, 1, 3)


def direction(rng):
    a = rng.normal(size=3)
    return a / np.linalg.norm(a)


def wheel(rng):
    return plant.Wheel(
        axis=direction(rng),
        inertia=rng.uniform(0.02, 0.1),
        friction=rng.uniform(0, 0.05),
        relative_rate=rng.normal(scale=50),
    )


def ring(rng):
    return plant.RingDamper(
        axis=(0, 0, 1), mass=rng.uniform(0.5, 2), radius=rng.uniform(0.2, 0.5), friction=rng.uniform(0.05, 0.5),
        center=0.3 * rng.normal(size=3), fill=rng.uniform(0.5, 6), angle=rng.uniform(-3, 3), relative_rate=rng.normal(),
    )  # fmt: skip


def pendulum(rng):
    return plant.Pendulum(
        mass=rng.uniform(0.5, 4), length=rng.uniform(0.3, 0.8), hinge=0.3 * rng.normal(size=3),
        direction=direction(rng), damping=rng.uniform(0, 0.3), stiffness=rng.uniform(0, 2),
        angle=0.3 * rng.normal(size=2), rate=rng.normal(size=2),
    )  # fmt: skip


def panel(rng):
    return plant.HingedPanel(
        hinge=0.3 * rng.normal(size=3), axis=direction(rng), mass=rng.uniform(0.5, 4), centre=0.4 * rng.normal(size=3),
        inertia=rng.uniform(0.2, 0.35, 3), stiffness=rng.uniform(0, 2), damping=rng.uniform(0, 0.3),
        angle=rng.normal(), rate=rng.normal(),
    )  # fmt: skip


def slider(rng):
    return plant.MassSpringDamper(
        mass=rng.uniform(0.3, 1), point=0.3 * rng.normal(size=3), axis=direction(rng), stiffness=rng.uniform(2, 20),
        damping=rng.uniform(0, 0.5), displacement=0.1 * rng.normal(), rate=0.3 * rng.normal(),
    )  # fmt: skip


def arm(rng):
    modulus = rng.uniform(3e8, 9e8)
    section = BeamSection(
        area=1e-3, second_moment_m=rng.uniform(1, 3) * 1e-8, second_moment_n=rng.uniform(1, 3) * 1e-8,
        youngs_modulus=modulus, shear_modulus=0.37 * modulus, density=2700.0, damping_time=rng.choice((0.0, 1e-5)),
    )  # fmt: skip
    along = direction(rng)
    return Arm(
        section=section, length=rng.uniform(0.5, 2), elements=int(rng.integers(1, 4)), direction=along,
        root=0.3 * along, tip_mass=rng.choice((0.0, 0.5)),
    )  # fmt: skip


KINDS = (arm, wheel, ring, pendulum, panel, slider)
SUPPORTS = ("free", "translating", "pivoted")


def somewhere(craft, rng):
    """A state with every entry off rest: rotating hub, bent arms, displaced nodes."""
    x = craft.state(attitude=(0.7, 0.1, 0.5, 0.5), rate=0.4 * rng.normal(size=3))
    own = craft.layout.own
    x[own] += 1e-3 * rng.normal(size=own.stop - own.start)
    for at in craft.layout.own_units_at:
        x[at : at + 4] /= np.linalg.norm(x[at : at + 4])
    if craft.translation:
        x[craft.layout.position] += rng.normal(size=3)
        x[craft.layout.linear_momentum] += rng.normal(size=3)
    return x


@pytest.fixture
def company():
    """company(seed, support, sizes=None): a spacecraft, its elements in random order, and a state."""

    def build(seed, support, sizes=None):
        rng = np.random.default_rng(seed)
        sizes = rng.choice(SIZES, size=len(KINDS)) if sizes is None else sizes
        elements = [kind(rng) for kind, size in zip(KINDS, sizes, strict=True) for _ in range(size)]
        elements = [elements[k] for k in rng.permutation(len(elements))]
        inertia = np.array(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)))
        held = support == "pivoted"
        body = plant.RigidBody(
            inertia + 20 * held * np.eye(3), mass=60.0, **({"pivot": (0.1, -0.2, 0.3)} if held else {})
        )
        craft = plant.Spacecraft(
            body,
            elements=elements,
            potentials=[] if support == "free" else [GRAVITY],
            translation=support == "translating",
        )
        return craft, somewhere(craft, rng)

    return build
