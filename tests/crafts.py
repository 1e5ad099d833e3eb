"""Crafts of flexible arms in every company, on every hub, under every kind of load."""

import numpy as np

from polhode import plant
from polhode.plant.flexible import Arm, BeamSection

INERTIA = np.array(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)))
ATTITUDE = np.array((0.7, 0.1, 0.5, 0.5))


def arms(*, modulus=7e8, damping_time=1e-5):
    section = BeamSection(
        area=1e-3,
        second_moment_m=8e-9,
        second_moment_n=2e-8,
        youngs_modulus=modulus,
        shear_modulus=0.37 * modulus,
        density=2700.0,
        damping_time=damping_time,
    )
    return [
        Arm(section=section, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5),
        Arm(section=section, length=1.5, elements=3, direction=(-1, 0.3, 0.2), root=(-0.3, 0.1, 0)),
        Arm(section=section, length=0.5, elements=1, direction=(0, 1, 0.2), section_axis=(1, 0, 1)),
    ]


def company():
    return [
        plant.RingDamper(axis=(0, 0, 1), mass=2.0, radius=0.3, friction=0.1, center=(0, 0, 0.3), fill=3.0),
        plant.Wheel(axis=(1, 0, 0), inertia=0.06, friction=0.01, relative_rate=200.0),
        plant.Pendulum(mass=4.0, length=0.5, hinge=(0.1, 0.2, -0.3), direction=(0, 0, -1)),
        plant.MassSpringDamper(mass=1.0, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=10.0, damping=0.3),
    ]


def push(t, e, omega, c, v):
    return (0.1, 0.2, 0.3, 1.0, 2.0, -3.0)


GRAVITY = plant.UniformGravity((0.0, 1.0, -9.81))
ORBIT = plant.GravityGradient(mu=5e3, position=(20.0, 1.0, 3.0), velocity=(0.0, 16.0, 0.0))  # so near that it tells
HELD = plant.RigidBody(INERTIA + 20.0 * np.eye(3), mass=60.0, pivot=(0.1, -0.2, 0.3))
FREE = plant.RigidBody(INERTIA, mass=60.0)
CRAFTS = {
    "alone": lambda: plant.Spacecraft(FREE, elements=arms()),
    "free": lambda: plant.Spacecraft(FREE, elements=[*arms(), *company()]),
    "in another order": lambda: plant.Spacecraft(FREE, elements=[*company()[:2], *arms(), *company()[2:]]),
    "pivoted": lambda: plant.Spacecraft(HELD, elements=[*company(), *arms()]),
    "pivoted under gravity": lambda: plant.Spacecraft(HELD, elements=[*company(), *arms()], potentials=[GRAVITY]),
    "translating": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], potentials=[GRAVITY], translation=True
    ),
    "pushed": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], user_forces=[plant.UserForce(push)], translation=True
    ),
    "in a prescribed orbit": lambda: plant.Spacecraft(FREE, elements=[*arms(), *company()], potentials=[ORBIT]),
    "in orbit": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], potentials=[plant.GravityGradient(mu=5e3)], translation=True
    ),
    "in orbit without arms": lambda: plant.Spacecraft(
        FREE, elements=company(), potentials=[plant.GravityGradient(mu=5e3)], translation=True
    ),
    "inertial torque": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], torques=plant.TorqueBasis("inertial")
    ),
    "Euler torque": lambda: plant.Spacecraft(
        FREE, elements=[*arms(), *company()], torques=plant.TorqueBasis("euler", sequence="3-1-3")
    ),
}


def somewhere(craft, *, seed=1, size=1e-3):
    rng = np.random.default_rng(seed)
    x = craft.state(attitude=ATTITUDE, rate=(0.3, -0.2, 0.4))
    own = craft.layout.own
    x[own] += size * rng.standard_normal(own.stop - own.start)
    for at in craft.layout.own_units_at:
        x[at : at + 4] /= np.linalg.norm(x[at : at + 4])
    x[7 : own.start] += 0.05 * rng.standard_normal(own.start - 7)
    if craft.translation:
        x[craft.layout.position] += (20.0, 1.0, 3.0)
    x[:3] += 0.1 * rng.standard_normal(3)
    return x
