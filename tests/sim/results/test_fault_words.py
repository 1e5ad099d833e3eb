"""A finite number that ends a run is called too large, never not finite."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.kernels.kernel import kernel
from polhode.sim.hosts.process.messages import MessageError, numbers_in

BODY = plant.RigidBody((3.0, 2.0, 1.0))
HUGE = 1e300


def huge_effort(t, e, omega, c, v):
    return (HUGE if t > 0.1 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def huge_reference(t, q, r):
    for m in range(10):
        r[m] = 0.0
    r[0] = 1.0
    r[4] = HUGE if t > 0.1 else 0.0


@kernel
def huge_law(t, y, r, q, z, u):
    u[0], u[1], u[2] = HUGE, 0.0, 0.0


def rest(t, y, r):
    return np.zeros(3)


def huge_block(t, y):
    return [HUGE, 0.0, 0.0]


RESTING = controllers.CustomLaw(rest, sample=0.1, compiled=False)
BLOCK = controllers.Block(huge_block, reads="rate", writes="rate", clock=controllers.Clock(0.1), compiled=False)


@pytest.mark.parametrize(
    ("craft", "arguments", "who"),
    [
        (
            plant.Spacecraft(BODY, user_forces=[plant.UserForce(huge_effort)]),
            {},
            "user force 'huge_effort' returned 1e+300",
        ),
        (
            plant.Spacecraft(BODY),
            {"law": RESTING, "reference": controllers.CustomReference(huge_reference)},
            "reference 'huge_reference' returned 1e+300 for omega_ref_x",
        ),
        (plant.Spacecraft(BODY), {"law": RESTING, "blocks": [BLOCK]}, "block 'huge_block' returned"),
        (plant.Spacecraft(BODY), {"law": controllers.CustomLaw(huge_law, sample=0.1)}, "law 'huge_law' returned"),
    ],
    ids=["effort", "reference", "block", "law"],
)
def test_huge_finite_number_is_called_too_large(craft, arguments, who):
    run = sim.simulate(craft, duration=0.5, integrator="rk4", step=0.05, compiled=False, **arguments)
    assert run.status == "failed"
    assert who in run.reason
    assert "too large to compute with" in run.reason
    assert "finite" not in run.reason


def test_huge_whole_number_of_a_program_is_called_too_large():
    line = b'{"n":1,"v":[1' + b"0" * 400 + b"]}\n"
    with pytest.raises(MessageError, match="too large for double precision"):
        numbers_in(line, 1, 1)


def test_plain_run_that_leaves_the_range_of_numbers_warns_of_nothing():
    potentials = [plant.GravityGradient(mu=4e14)]
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0), mass=5.0), potentials=potentials, translation=True)
    start = {"position": (7e6, 0, 0), "velocity": (0, 1e150, 0)}
    run = sim.simulate(craft, duration=0.2, integrator="rk4", step=0.1, compiled=False, **start)
    assert run.t[-1] == 0.2  # RuntimeWarnings are errors in tests
