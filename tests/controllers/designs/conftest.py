"""Spacecraft and designs for the tests of every design."""

import control
import numpy as np
import pytest

from polhode import controllers, plant

J = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])
WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}
NOISE = {"torque_noise": 1e-2, "attitude_noise": 1e-4, "rate_noise": 1e-4}


@pytest.fixture(scope="session")
def inertia():
    return J


@pytest.fixture(scope="session")
def rigid():
    """A rigid craft of full inertia, with torque limits."""
    return plant.Spacecraft(plant.RigidBody(J), torques=plant.TorqueBasis("body", limit=(0.3, 0.2, 0.25)))


@pytest.fixture(scope="session")
def geared():
    """A craft with a viscous wheel, a frictionless wheel that carries 10 N m s, and a ring damper."""
    elements = (
        plant.elements.Wheel(axis=(0, 0, 1), inertia=1.0, friction=0.1),
        plant.elements.Wheel(axis=(0, 1, 0), inertia=0.1, relative_rate=100.0),
        plant.elements.RingDamper(axis=(1, 0, 0), mass=2, radius=1, friction=0.2, fill=1.0),
    )
    return plant.Spacecraft(plant.RigidBody(J, mass=100.0), elements=elements)


DESIGNS = {
    "lqr": lambda model, **timing: controllers.lqr(model, **WEIGHTS, **timing),
    "lqr-continuous": lambda model, **timing: controllers.lqr(model, **WEIGHTS, **timing, method="continuous"),
    "lqr-measured": lambda model, **timing: controllers.lqr(model, **WEIGHTS, **timing, internal="measured"),
    "lqi": lambda model, **timing: controllers.lqi(model, **WEIGHTS, integral=0.5, **timing),
    "lqi-measured": lambda model, **timing: controllers.lqi(
        model, **WEIGHTS, integral=0.5, **timing, internal="measured"
    ),
    "lqg": lambda model, **timing: controllers.lqg(model, **WEIGHTS, **NOISE, **timing),
    "pid": lambda model, **timing: controllers.pid(
        model, frequency=(0.5, 0.6, 0.7), damping_ratio=0.8, integral_time=15.0, **timing
    ),
    "pole-placement": lambda model, **timing: controllers.pole_placement(
        model, poles=[-0.5 + 0.3j, -0.5 - 0.3j] * 3, **timing
    ),
    "filtered": lambda model, **timing: controllers.filtered(
        controllers.lqr(model, **WEIGHTS, **timing), controllers.notch(6.0, width=0.3), controllers.roll_off(9.0)
    ),
    "python-control": lambda model, **timing: controllers.law_from_system(
        control.tf([20.0, 20.0, 2.0], [0.2, 1.0, 0.0]), model, **timing
    ),
}


@pytest.fixture(params=DESIGNS)
def design(request):
    """Every design in turn, as a function of the model and the timing."""
    return DESIGNS[request.param]
