"""Random bodies, states and loads, and all formulations with all their sequences."""

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES, rotation_matrix
from polhode.plant.formulations import FORMULATIONS, Load, RotationModel

CHOICES = [
    (name, sequence)
    for name, formulation in FORMULATIONS.items()
    for sequence in (SEQUENCES if formulation.has_angles else (None,))
]


class Case:
    """Body, state and load, with the angular acceleration from the Newton-Euler equations."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        axes, _ = np.linalg.qr(random.standard_normal((3, 3)))
        self.inertia = axes @ np.diag(random.uniform(2.0, 3.5, 3)) @ axes.T
        self.inertia = 0.5 * (self.inertia + self.inertia.T)
        e = random.standard_normal(4)
        self.attitude = e / np.linalg.norm(e)
        self.rate = random.standard_normal(3)
        self.load = Load(
            body_torque=random.standard_normal(3),
            inertial_torque=random.standard_normal(3),
            force=random.standard_normal(3),
            point=random.standard_normal(3),
        )
        A = rotation_matrix(self.attitude)
        self.body_force = A.T @ self.load.force
        moment = np.cross(self.load.point, self.body_force)
        self.torque = self.load.body_torque + A.T @ self.load.inertial_torque + moment
        gyroscopic = np.cross(self.rate, self.inertia @ self.rate)
        self.acceleration = np.linalg.solve(self.inertia, self.torque - gyroscopic)

    def model(self, name: str, sequence: str | None = None) -> RotationModel:
        if sequence is None and FORMULATIONS[name].has_angles:
            sequence = "3-1-3"
        return RotationModel(name, self.inertia, sequence=sequence)


@pytest.fixture(scope="session", params=range(4))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


@pytest.fixture(scope="session", params=CHOICES, ids=lambda choice: " ".join(filter(None, choice)))
def choice(request: pytest.FixtureRequest) -> tuple[str, str | None]:
    return request.param
