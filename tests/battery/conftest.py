"""Spacecraft of the battery: every kind of load, with every torque basis."""

import numpy as np
import pytest
from numpy.typing import NDArray

from polhode import plant

BASES = {
    "body": plant.TorqueBasis("body"),
    "inertial": plant.TorqueBasis("inertial"),
    "euler": plant.TorqueBasis("euler", "3-1-3"),
    "dual-euler": plant.TorqueBasis("dual-euler", "1-2-3"),
}
TENSOR = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])  # products of inertia, all different
SPRINGS = (
    plant.Spring(body_point=(0.4, -0.2, 0.7), inertial_point=(1.3, 0.4, -0.6), stiffness=2.3),
    plant.Spring(
        body_point=(-0.5, 0.1, 0.2), inertial_point=(0.2, -1.7, 0.9), stiffness=1.1, natural_length=0.8, damping=0.6
    ),
)
GUIDED = (
    plant.GuidedSpring(body_point=(0.4, -0.2, 0.7), direction=(0.1, 1.0, -0.4), stiffness=1.9),
    plant.GuidedSpring(body_point=(-0.3, 0.5, 0.1), direction=(1.0, 0.2, 0.3), stiffness=0.8, rest=0.4),
)


def user_energy(c, e):
    """Neither symmetric nor a polynomial, and dependent on every argument."""
    return (
        np.exp(-0.3 * c[0]) * e[1] * e[2] + np.sqrt(2.0 + c @ c) * (1.0 + e[0] * e[3]) - 0.7 * c[1] * c[2] * e[2] ** 3
    )


def user_load(t, e, omega, c, v):
    drag = 0.2 + np.sqrt(omega @ omega)
    torque = [-drag * omega[n] + 0.1 * np.sin(2.0 * t) * e[n] * e[n + 1] for n in range(3)]
    force = [-0.3 * v[n] * (1.0 + c[n] ** 2) + 0.2 * e[3 - n] for n in range(3)]
    return (*torque, *force)


def environment(seed=11):
    """All torques of the environment, on a table of random smooth columns in the units of the battery's spacecraft."""
    from polhode.plant.environment import EnvironmentLoads, FieldsAlongOrbit, box_faces
    from polhode.plant.environment.loads import Molecules
    from polhode.plant.environment.magnetorquers import MagneticDamping

    noise = 0.1 * np.random.default_rng(seed).standard_normal((12, 13))
    middle = np.array((4e4, -6e4, 7e4, 5e8, 9e8, -3e8, 0.3, -0.2, 0.4, 0.5, 0.8, -0.6, 0.2))
    fields = FieldsAlongOrbit(
        orbit=None, duration=7.0, coefficients=middle * (1 + noise), contacts=(), magnetic=True, dense=True
    )
    faces = box_faces((1.0, 0.7, 1.4), centre=(0.1, -0.2, 0.3), specular=0.3, diffuse=0.2, tangential_accommodation=0.8)
    return EnvironmentLoads(
        fields=fields, gravity_gradient=True, residual_dipole=(0.3, 0.1, -0.4),
        eddy_coefficient=[[0.5, 0.1, 0.0], [0.1, 0.6, 0.2], [0.0, 0.2, 0.4]],
        magnetic_damping=MagneticDamping(gain=0.7, limit=0.2), faces=faces, solar_pressure=True,
        molecules=Molecules(temperature=0.12, molar_mass=0.2, wall_temperature=0.1),
    )  # fmt: skip


CRAFTS = {
    "environment": lambda basis: plant.Spacecraft(plant.RigidBody(TENSOR), torques=basis, potentials=[environment()]),
    "torque table": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR),
        torques=basis,
        potentials=[
            plant.environment.TorqueTable(
                t=(0.0, 0.5, 9.0), torque=((1, 0, 2), (0.3, 0.4, -1), (2, 0, 0)), basis="inertial"
            )
        ],
    ),
    "plain": lambda basis: plant.Spacecraft(plant.RigidBody(TENSOR), torques=basis),
    "pivoted top": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7, pivot=(0.1, -0.3, -1.0)),
        torques=basis,
        potentials=[plant.UniformGravity((0.4, -0.2, -9.81)), SPRINGS[1]],
    ),
    "springs": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, pivot=(0, 0, 0)), torques=basis, potentials=SPRINGS
    ),
    "guided springs": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7, pivot=(0.1, -0.3, -1.0)), torques=basis, potentials=GUIDED
    ),
    "springs, translation": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7),
        torques=basis,
        potentials=[*SPRINGS, *GUIDED, plant.UniformGravity((0.4, -0.2, -9.81))],
        translation=True,
    ),
    "orbit": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR),
        torques=basis,
        potentials=[plant.GravityGradient(mu=1.3, position=(1.1, 0.4, -0.7), velocity=(0.3, 0.9, 0.2))],
    ),
    "orbit, translation": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7), torques=basis, potentials=[plant.GravityGradient(mu=1.3)], translation=True
    ),
    "orbital forces": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7),
        torques=basis,
        potentials=[
            plant.PointGravity(mu=1.3),
            plant.Oblateness(mu=1.3, j2=0.3, radius=0.9, pole=(0.3, -0.2, 0.9)),
            plant.Drag(
                density=0.4,
                coefficient=2.2,
                area=0.7,
                scale_height=0.5,
                reference_radius=1.5,
                rotation=(0.1, -0.2, 0.3),
                centre=(0.2, -0.1, 0.3),
            ),
            plant.Thrust(force=(0.3, 0.8, -0.4), point=(-0.2, 0.5, 0.1), start=0.0, stop=1.0),
            plant.Leak(force=(-0.2, 0.1, 0.5), point=(0.3, -0.1, 0.2), decay_time=0.7),
        ],
        translation=True,
    ),
    "user potential": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7), torques=basis, potentials=[plant.Potential(user_energy)], translation=True
    ),
    "user effort": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7), torques=basis, user_forces=[plant.UserForce(user_load)], translation=True
    ),
    "user potential, pivoted": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7, pivot=(0.1, -0.3, -1.0)),
        torques=basis,
        potentials=[plant.Potential(user_energy), plant.UniformGravity((0.4, -0.2, -9.81))],
    ),
    "user effort, pivoted": lambda basis: plant.Spacecraft(
        plant.RigidBody(TENSOR, mass=1.7, pivot=(0.1, -0.3, -1.0)),
        torques=basis,
        potentials=[plant.Potential(user_energy)],
        user_forces=[plant.UserForce(user_load)],
    ),
}


@pytest.fixture(params=[f"{kind}; {basis}" for kind in CRAFTS for basis in BASES])
def craft(request: pytest.FixtureRequest) -> plant.Spacecraft:
    kind, basis = request.param.split("; ")
    return CRAFTS[kind](BASES[basis])


@pytest.fixture(params=list(CRAFTS))
def kind(request: pytest.FixtureRequest) -> plant.Spacecraft:
    """Each spacecraft once, for tests that are independent of the torque basis."""
    return CRAFTS[request.param](BASES["body"])


@pytest.fixture
def moving():
    """A state with every coordinate in motion, all values of order one."""

    def state(craft: plant.Spacecraft) -> NDArray[np.float64]:
        e = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
        place = {"position": (1.2, -0.8, 0.9), "velocity": (0.4, 0.7, -0.2)} if craft.translation else {}
        return craft.state(attitude=e, rate=(0.8, -0.5, 1.1), **place)

    return state
