"""Bodies and the exact motion that the tests of the engine share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from polhode import plant

Array = NDArray[np.float64]


@pytest.fixture(scope="session", autouse=True)
def engine() -> None:
    """The engine compiled, and its notice on stderr printed, before any timing or capture."""
    from polhode import sim

    sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0)


@pytest.fixture(scope="session")
def free_body() -> plant.Spacecraft:
    """The torque-free body of Shivarama & Fahrenthold (2004), Table 2; it starts with momentum FREE_START."""
    return plant.Spacecraft(plant.RigidBody((400, 307.808385, 200)))


@pytest.fixture(scope="session")
def free_start() -> tuple[float, float, float]:
    """Its momentum at t = 0, N m s."""
    return (346.4101616, 0.0, -200.0)


@pytest.fixture(scope="session")
def elliptic(free_body, free_start) -> Callable[[Any], Array]:
    """Its momentum in closed form, h = (a1 dn, a2 sn, -a3 cn)(pt | m), shape (n, 3), N m s."""
    from scipy.special import ellipj

    J1, J2, J3 = np.diag(free_body.body.inertia)
    a1, a3 = free_start[0], -free_start[2]
    # h1' = (1/J3 - 1/J2) h2 h3 and so on: substitution gives p, a2, m. The printed values have only 15 digits.
    p = a1 * np.sqrt((1 / J3 - 1 / J1) * (1 / J2 - 1 / J1))
    a2 = (1 / J3 - 1 / J1) * a1 * a3 / p
    m = (1 / J3 - 1 / J2) * a2 * a3 / (a1 * p)

    def momentum(t: Any) -> Array:
        sn, cn, dn, _ = ellipj(p * np.asarray(t), m)
        return np.stack((a1 * dn, a2 * sn, -a3 * cn), axis=-1)

    return momentum


@pytest.fixture(scope="session")
def skew_body() -> plant.RigidBody:
    """A body with products of inertia."""
    return plant.RigidBody(((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0)), mass=7.0)
