"""Fixtures: the satellite of Choi (2014) and spacecraft with arms."""

import numpy as np
import pytest

from polhode.plant import RigidBody, Spacecraft
from polhode.plant.flexible import Arm, BeamSection

MATERIAL = {"youngs_modulus": 7.17e10, "shear_modulus": 2.68e10, "density": 2.8e3}
SECTION = BeamSection(area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, **MATERIAL)


@pytest.fixture
def section():
    return SECTION


@pytest.fixture
def satellite():
    """Satellite of Choi (2014), with a given number of elements per arm and a given hub."""

    def build(elements=2, *, mass=22.4, inertia=0.149, offset=0.1, section=SECTION):
        arms = [
            Arm(section=section, length=2.0, elements=elements, direction=(s, 0, 0), root=(offset * s, 0, 0))
            for s in (1, -1)
        ]
        return Spacecraft(RigidBody(inertia * np.eye(3), mass=mass), elements=arms)

    return build


@pytest.fixture
def cantilever():
    """Hub with one arm of 2 m along x from its mass centre."""

    def build(elements, *, section=SECTION, length=2.0, hub=1.0):
        arm = Arm(section=section, length=length, elements=elements, direction=(1, 0, 0))
        return Spacecraft(RigidBody(hub * np.diag((1, 1, 1.5)), mass=hub), elements=[arm])

    return build


@pytest.fixture
def crooked():
    """Hub with three arms of different directions, offsets, meshes, sections, damping and tip mass."""

    def build(damping_time=0.0):
        section = BeamSection(
            area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=9.2e-7, damping_time=damping_time, **MATERIAL
        )
        other = BeamSection(area=1.5e-3, second_moment_m=3e-7, second_moment_n=2e-7, **MATERIAL)
        arms = [
            Arm(section=section, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.1, 0, 0.05), tip_mass=0.7),
            Arm(section=other, length=1.0, elements=3, direction=(-1, 0.2, -0.6), root=(-0.1, 0, 0.05)),
            Arm(section=section, length=0.8, elements=1, direction=(0, 1.2, -0.6), section_axis=(1, 0, 1)),
        ]
        return Spacecraft(RigidBody((1.0, 1.2, 1.4), mass=5.0), elements=arms)

    return build
