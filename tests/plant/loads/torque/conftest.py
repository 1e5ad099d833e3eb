"""All twelve sequences, and attitudes away from the singular pose with their angles."""

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES


@pytest.fixture(params=SEQUENCES)
def sequence(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def angles(sequence: str):
    """Twenty sets of Euler angles with the middle angle in its standard range, at least 0.1 rad from the pose."""
    rng = np.random.default_rng(12)
    low, high = (0.1, np.pi - 0.1) if sequence[0] == sequence[-1] else (-np.pi / 2 + 0.1, np.pi / 2 - 0.1)
    return np.column_stack([rng.uniform(-3, 3, 20), rng.uniform(low, high, 20), rng.uniform(-3, 3, 20)])
