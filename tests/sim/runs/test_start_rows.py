"""Starts and inertias of many runs at once equal those of the single run, bitwise, and are refused likewise."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.hub.packing import OF_BODY
from polhode.sim.runs import start_rows
from polhode.sim.runs.batch_request import BatchRequest
from polhode.sim.runs.run_spec import run_spec

RNG = np.random.default_rng(9)
RUNS = 40
TURNS = RNG.standard_normal((RUNS, 4))
ATTITUDES = (1.0 + 1e-7 * RNG.random((RUNS, 1))) * TURNS / np.linalg.norm(TURNS, axis=1)[:, None]
RATES = 0.1 * RNG.standard_normal((RUNS, 3))
BODY = np.array(((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0)))
SCATTERED = BODY * (1.0 + 0.1 * RNG.random((RUNS, 1, 1))) + 1e-10 * RNG.random((RUNS, 3, 3))
LIMITED = plant.TorqueBasis("body", limit=0.05)
RIGID = plant.Spacecraft(plant.RigidBody(BODY), torques=LIMITED)
RK4 = {"duration": 1.0, "integrator": "rk4", "step": 0.05, "output_times": [1.0], "workers": 1}


def feedback() -> Any:
    return controllers.QuaternionFeedback(inertia=BODY, stiffness=2.0, damping=3.0, sample=0.1)


def made(n: int) -> Any:
    return plant.Spacecraft(plant.RigidBody(SCATTERED[n]), torques=LIMITED)


@pytest.mark.parametrize("parts", [{"attitude": ATTITUDES, "rate": RATES}, {"momentum": RATES}, {"rate": RATES[0]}, {}])
def test_each_is_the_single_one(parts) -> None:
    found = start_rows.start_rows(SCATTERED, {k: np.asarray(v) for k, v in parts.items()}, checked=False)
    assert found is not None
    assert found.fine.all()
    for n in range(RUNS):
        craft = made(n)
        own = {name: value[n] if np.ndim(value) == 2 else value for name, value in parts.items()}
        assert found.x[n].tobytes() == craft.state(**own).tobytes()
        assert found.of_body[n].tobytes() == craft.pack()[list(OF_BODY)].tobytes()


@pytest.mark.parametrize("parts", [{"rate": RATES, "momentum": RATES}, {"attitude": RATES}, {"position": RATES}])
def test_start_rows_errors_equal_single_run_errors(parts) -> None:
    assert start_rows.start_rows(SCATTERED, parts, checked=False) is None
    with pytest.raises(InputError):
        sim.simulate_batch(RIGID, inertia=SCATTERED, **parts, **RK4)


def test_start_rows_reject_invalid_inertia_with_its_message() -> None:
    """The others are simulated."""
    given = SCATTERED.copy()
    given[3] = np.diag((20.0, 10.0, 5.0))
    given[5, 0, 1] += 1.0
    given[7] = -given[7]
    given[8] = 0.0
    attitudes = ATTITUDES.copy()
    attitudes[11] *= 1.1
    found = sim.simulate_batch(RIGID, feedback(), inertia=given, attitude=attitudes, rate=RATES, **RK4)
    wrong = [3, 5, 7, 8, 11]
    assert np.flatnonzero(found.status == "refused").tolist() == wrong
    assert [*found.reasons] == wrong
    assert found.reasons[3].startswith("inertia fails the triangle inequality: 20 > 10 + 5 kg m^2")
    for n, words in ((5, "symmetric"), (7, "definite"), (8, "definite"), (11, "norm of")):
        assert words in found.reasons[n]
        if n < 11:
            with pytest.raises(InputError) as refusal:
                plant.RigidBody(given[n])
            assert str(refusal.value) == found.reasons[n]
    assert (found.status[[0, 1, 39]] == "completed").all()


def test_inertia_is_that_of_crafts() -> None:
    """As for spacecraft created with it, with the message of the single run."""
    given = {"attitude": ATTITUDES, "rate": RATES, **RK4}
    rows = sim.simulate_batch(RIGID, feedback(), inertia=SCATTERED, **given)
    crafts = sim.simulate_batch([made(n) for n in range(RUNS)], feedback(), **given)
    for name in ("states", "inputs", "observables"):
        assert getattr(rows, name).tobytes() == getattr(crafts, name).tobytes()
    assert np.array_equal(rows[7].craft.body.inertia, made(7).body.inertia)
    assert rows[7].states.tobytes() == rows.states[7].tobytes()


def test_start_rows_of_craft_with_elements() -> None:
    """Each is created separately then."""
    wheels = plant.wheel_array(np.eye(3), inertia=0.02, torque_limit=0.03)
    craft = plant.Spacecraft(plant.RigidBody(BODY, mass=7.0), elements=wheels)
    rows = sim.simulate_batch(craft, inertia=SCATTERED[:3], rate=RATES[:3], **RK4)
    own = plant.Spacecraft(plant.RigidBody(SCATTERED[1], mass=7.0), elements=wheels)
    given: Any = {name: value for name, value in RK4.items() if name != "workers"}
    assert sim.simulate(own, rate=RATES[1], **given).states.tobytes() == rows.states[1].tobytes()


def test_step_that_nobody_gave_is_that_of_each_craft() -> None:
    """It follows from the slowest vibration of the arms, which a heavier hub changes."""
    stiffness = {"youngs_modulus": 7e6, "shear_modulus": 3e6}
    section = BeamSection(area=1e-3, second_moment_m=8e-9, second_moment_n=2e-8, density=2700.0, **stiffness)
    arm = Arm(section=section, length=2.0, elements=1, direction=(1, 0, 0), root=(0.4, 0, 0))
    given: Any = {"integrator": "gauss4", "duration": 1.0}
    bodies = np.array([BODY, 3.0 * BODY])
    crafts = [plant.Spacecraft(plant.RigidBody(each, mass=60.0), elements=[arm]) for each in bodies]
    wanted = BatchRequest(None, {"craft": crafts[0], "inertia": bodies, "law": None, "reference": None}, given, first=0)
    found = [wanted.plan(n).scheme.step for n in range(2)]
    assert found == [run_spec(craft, **given).scheme.step for craft in crafts]
    assert found[0] != found[1]


@pytest.mark.parametrize("inertia", [BODY, np.ones((4, 2)), 3.0, "much"])
def test_start_rows_with_one_value_belong_to_the_craft(inertia) -> None:
    with pytest.raises(InputError, match="inertia"):
        sim.simulate_batch(RIGID, inertia=inertia, **RK4)


def test_lengths_must_agree() -> None:
    with pytest.raises(InputError, match="inertia 40"):
        sim.simulate_batch(RIGID, inertia=SCATTERED, rate=RATES[:3], **RK4)


def test_crafts_that_differ_in_more_are_looked_at_one_by_one() -> None:
    crafts = [made(0), made(1)]
    found = start_rows.inertia_of(crafts)
    assert found is not None
    assert np.array_equal(found, [craft.body.inertia for craft in crafts])
    other = plant.TorqueBasis("body", limit=0.02)
    assert start_rows.inertia_of([made(0), plant.Spacecraft(plant.RigidBody(BODY), torques=other)]) is None
    assert start_rows.inertia_of([made(0), plant.Spacecraft(plant.RigidBody(BODY, mass=3.0), torques=LIMITED)]) is None
    assert not start_rows.is_bare(plant.Spacecraft(plant.RigidBody(BODY, mass=3.0), translation=True))


BITS = """
import hashlib
import numpy as np
from polhode import plant, sim
from polhode.controllers import QuaternionFeedback
from tests.sim.runs.test_start_rows import ATTITUDES, BODY, LIMITED, RATES, RIGID, RK4, RUNS, feedback, made
given = {**RK4, "output_times": [0.0, 1.0]}
many = sim.simulate_batch([made(n) for n in range(RUNS)], feedback(), attitude=ATTITUDES, rate=RATES, **given)
del given["workers"]
for n in range(RUNS):
    one = sim.simulate(made(n), feedback(), attitude=ATTITUDES[n], rate=RATES[n], **given)
    assert one.states.tobytes() == many.states[n].tobytes(), n
print(hashlib.sha256(many.states.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_runs_have_the_same_bits_with_any_blas() -> None:
    """Starts use no BLAS, whose rounding differs between processors and between one product and a stack of them."""
    digests: set[str] = set()
    for core in ("Prescott", "Nehalem", "Haswell", "Zen", "SkylakeX"):
        environment = {**os.environ, "OPENBLAS_CORETYPE": core}
        done = subprocess.run(
            [sys.executable, "-c", BITS], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1


def test_principal_moments_per_run_equal_diagonal_tensors() -> None:
    moments = np.array([(4.0, 3.0, 2.0), (5.0, 3.5, 2.5), (1.0, 1.0, 1.0)])
    given = {"attitude": ATTITUDES[:3], "rate": RATES[:3], **RK4}
    rows = sim.simulate_batch(RIGID, feedback(), inertia=moments, **given)
    tensors = sim.simulate_batch(RIGID, feedback(), inertia=[np.diag(each) for each in moments], **given)
    assert rows.states.tobytes() == tensors.states.tobytes()
    assert np.array_equal(rows[1].craft.body.inertia, plant.RigidBody(moments[1]).inertia)


def test_equal_moments_of_three_runs_are_no_tensor() -> None:
    assert (sim.simulate_batch(RIGID, inertia=np.ones((3, 3)), **RK4).status == "completed").all()
    one = np.diag((4.0, 3.0, 2.0)) + 0.9 * (np.ones((3, 3)) - np.eye(3))  # only the first row fails as moments
    with pytest.raises(InputError, match="symmetric like one tensor; for a single tensor, create a spacecraft"):
        sim.simulate_batch(RIGID, inertia=one, **RK4)


def test_no_inertia_tensor_has_rows_that_are_all_principal_moments() -> None:
    """Random mass distributions, flat ones too, rotated to random axes."""
    rng = np.random.default_rng(3)
    for _ in range(2000):
        spread = rng.random(3) * (rng.random(3) < 0.8)  # second moments of mass along the principal axes
        moments = spread.sum() - spread
        turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        rows = turn @ np.diag(moments) @ turn.T
        valid = [(row > 0.0).all() and 2.0 * row.max() <= row.sum() * (1.0 + 1e-9) for row in rows]
        assert not all(valid)
