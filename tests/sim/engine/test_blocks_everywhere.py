"""Blocks with every other part of a run: formulations, arms, wheels, moving references, streams, times."""

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, blocks
from polhode.plant.flexible import Arm, BeamSection

START = {"attitude": (0.8, 0.0, 0.6, 0.0), "rate": (0.05, -0.1, 0.08)}


def twice(t, y, q, z, v):
    for n in range(3):
        v[n] = 2.0 * y[n]
        v[3 + n] = y[n]


def pair(**more) -> Any:
    return [
        blocks.low_pass(frequency=6.0, reads="rate", sample=0.05, **more),
        blocks.delay(reads="command", sample=0.1, delay=0.03),
    ]


def law_of(craft, **more) -> Any:
    return controllers.quaternion_feedback(craft, **{"frequency": 0.3, "damping_ratio": 0.7, "sample": 0.1, **more})


def fly(craft, made=None, **more) -> Any:
    settings = {"duration": 2.0, "integrator": "rk8", "step": 0.05, "output_step": 0.1, **START, **more}
    return sim.simulate(craft, law_of(craft), blocks=pair() if made is None else made, **settings)


@pytest.fixture(scope="module")
def rigid():
    return plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))


@pytest.mark.parametrize("formulation", ["lagrange-29", "hamilton-7", "newton-euler"])
def test_blocks_are_equal_in_states_of_formulation(rigid, formulation):
    own, other = fly(rigid), fly(rigid, formulation=formulation)
    for name in ("attitude", "rate", "command", *own.written):
        np.testing.assert_allclose(other.values(name), own.values(name), rtol=0, atol=1e-9)


def arms_and_wheels() -> Any:
    section = BeamSection(
        area=1e-3, second_moment_m=8e-9, second_moment_n=2e-8, youngs_modulus=7e9, shear_modulus=2.6e9, density=2700.0,
        damping_time=1e-2,
    )  # fmt: skip
    arm = Arm(section=section, length=1.5, elements=1, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1))
    hub = plant.RigidBody((14.0, 11.0, 9.0), mass=60.0)
    wheels = plant.wheel_array(np.eye(3), inertia=0.02, torque_limit=0.4)
    return plant.Spacecraft(hub, elements=(arm, *wheels), torques=plant.TorqueBasis("body", internal=True))


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["gauss4", "dop853"])
def test_blocks_with_arms_and_wheels_under_gauss_and_others(integrator):
    """The total momentum is conserved with any blocks; the speed of a wheel is a signal like any other."""
    craft = arms_and_wheels()
    wheel = next(name for name in craft.layout.coordinates if "wheel" in name)
    made = [blocks.quantizer(0.5, reads=wheel, width=1, sample=0.1), *pair()]
    step = {} if integrator == "dop853" else {"step": 0.01}
    run = fly(craft, made, integrator=integrator, **{"step": None, **step}, duration=1.0)
    assert run.status == "completed"
    assert {f"{wheel}_for_law", "rate_for_law", "command_of_law"} < set(run.names)
    momentum = run.values("inertial_momentum")
    assert np.abs(momentum - momentum[0]).max() < 1e-11 * np.abs(momentum[0]).max()
    steps = run.values(f"{wheel}_for_law") / 0.5
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-12)


def test_reference_that_moves_and_rows_at_any_time(rigid, tmp_path):
    turn = controllers.EigenaxisSlew(START["attitude"], (1, 0, 0, 0), acceleration_limit=0.1)
    more: Any = {"reference": turn, "rate": (0, 0, 0), "output_times": [0.0, 0.333, 1.1, 2.0], "output_step": None}
    run = fly(rigid, **more)
    assert run.t.tolist() == [0.0, 0.333, 1.1, 2.0]
    streamed = fly(rigid, stream=tmp_path / "run.nc", **more)
    for name in ("attitude", *run.written):
        np.testing.assert_array_equal(streamed.values(name), run.values(name))


def test_block_signals_unread_and_read_are_recorded(rigid):
    made = [Block(twice, reads="rate", writes={"rate": 3, "spare": 3}, clock=Clock(0.1))]
    run = fly(rigid, made)
    np.testing.assert_allclose(run.values("rate_for_law"), 2.0 * run.values("spare"))
    with pytest.raises(plant.InputError, match="writes 'spare', which nothing behind it reads"):
        fly(rigid, [Block(twice, reads="rate", writes={"spare": 3, "more": 3}, clock=Clock(0.1))])
