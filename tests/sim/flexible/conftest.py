"""The satellite of 003, and arms soft enough to bend visibly."""

import numpy as np
import pytest

from polhode.plant import RigidBody
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite

SHAPE = {"area": 2.5e-3, "second_moment_m": 5.2e-7, "density": 2.8e3}


@pytest.fixture
def satellite():
    section = BeamSection(**SHAPE, second_moment_n=5.2e-7, elastic_modulus=7.17e10, shear_modulus=2.68e10)

    def build(elements=2):
        arms = [
            Arm(section=section, length=2.0, elements=elements, direction=(s, 0, 0), root=(0.1 * s, 0, 0))
            for s in (1, -1)
        ]
        return FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=arms, hub_size=(0.2, 0.2, 0.2))

    return build


@pytest.fixture
def soft():
    """Unlike arms, a thousand times softer."""

    def build(damping_time=0.0):
        section = BeamSection(
            **SHAPE, second_moment_n=9.2e-7, elastic_modulus=7.17e7, shear_modulus=2.68e7, damping_time=damping_time
        )
        arms = [
            Arm(section=section, length=2.0, elements=2, direction=(1, 0.3, 0), root=(0.1, 0, 0)),
            Arm(section=section, length=1.5, elements=1, direction=(-1, 0, 0.4), root=(-0.1, 0, 0), tip_mass=0.5),
        ]
        return FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=arms)

    return build
