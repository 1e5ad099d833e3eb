"""Fixtures: test attitudes, and the distance between two attitudes."""

import numpy as np
import pytest
from numpy.typing import NDArray


def _edges() -> NDArray[np.float64]:
    """Identity, half turns, quarter turns, and attitudes close to each; both signs of e."""
    whole = [np.eye(4)[n] for n in range(4)]
    halves = [np.array(v) / np.sqrt(2.0) for v in ((1, 1, 0, 0), (1, 0, -1, 0), (0, 1, 1, 0), (0, 0, 1, -1))]
    thirds = [np.array((1, 1, 1, 1)) / 2.0, np.array((1, -1, 1, -1)) / 2.0]
    exact = np.array([*whole, *halves, *thirds])
    rng = np.random.default_rng(4)
    near = [e + 10.0**n * rng.standard_normal(4) for e in exact for n in range(-17, -2)]
    every = np.concatenate((exact, near))
    every /= np.linalg.norm(every, axis=1)[:, np.newaxis]
    return np.concatenate((every, -every))


@pytest.fixture(scope="session")
def attitudes() -> NDArray[np.float64]:
    """The edge cases and 500 random attitudes, shape (n, 4)."""
    e = np.random.default_rng(2004).standard_normal((500, 4))
    return np.concatenate((_edges(), e / np.linalg.norm(e, axis=1)[:, np.newaxis]))


@pytest.fixture(scope="session")
def distance():
    """Largest angle, rad, between attitudes e and f of either sign, accurate to round-off."""

    def largest(e, f) -> float:
        apart = np.minimum(np.linalg.norm(e - f, axis=-1), np.linalg.norm(e + f, axis=-1))
        return float(2.0 * np.max(apart))

    return largest
