"""Observables of rows are computed on first use, with the results of an immediate computation."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.sim.engine.observed import Observed
from polhode.sim.results.rows import rows_of

BODY = plant.RigidBody((400, 307.8, 200), mass=50.0)
CRAFT = plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=1.0))


class Asked:
    """Evaluates observables and counts its calls."""

    def __init__(self, fault=""):
        self.count, self.fault = 0, fault

    def __call__(self):
        self.count += 1
        return np.full((2, 3), 5.0), self.fault


def test_observables_are_computed_once_on_first_use():
    work = Asked("why")
    found = Observed(work)
    assert work.count == 0
    assert found.fault == "why"
    assert found.table.tolist() == [[5.0] * 3] * 2
    assert work.count == 1
    with pytest.raises(ValueError, match="read-only"):
        found.table[0, 0] = 1.0


def test_after_ctrl_c_it_can_be_asked_again():
    calls = []

    def work():
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return np.ones((1, 1)), ""

    found = Observed(work)
    with pytest.raises(KeyboardInterrupt):
        _ = found.table
    assert found.table.tolist() == [[1.0]]


def test_copy_has_what_was_found():
    made = pickle.loads(pickle.dumps(Observed.known(np.eye(2))))
    np.testing.assert_array_equal(made.table, np.eye(2))
    run = sim.simulate(CRAFT, rate=(0.1, 0.2, 0.3), duration=1.0)
    np.testing.assert_array_equal(copy.deepcopy(run.observed).table, run.observables)


def test_run_works_nothing_out_until_quantity_is_asked_for():
    run = sim.simulate(CRAFT, rate=(0.1, 0.2, 0.3), duration=10.0, output_step=1.0)
    waiting = "_work"
    assert getattr(run.observed, waiting) is not None
    assert run.counters["steps"] > 0
    assert run.values("attitude").shape == (11, 4)
    assert getattr(run.observed, waiting) is not None
    for row, x in enumerate(run.x):
        np.testing.assert_allclose(run.values("rate")[row], CRAFT.rate(x), rtol=1e-15)
        np.testing.assert_allclose(run.values("inertial_momentum")[row], rotation_matrix(x[3:7]) @ x[:3], rtol=1e-14)
    assert getattr(run.observed, waiting) is None


def test_signals_have_the_same_spread_whoever_asks_and_however_often():
    craft = plant.Spacecraft(
        BODY, elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.1, friction=0.01, relative_rate=50.0)]
    )
    runs = [sim.simulate(craft, rate=(0.1, 0.2, 0.3), duration=20.0, output_step=1.0) for _ in range(2)]
    first = runs[0].observables
    with ThreadPoolExecutor(4) as pool:
        for other in pool.map(lambda _: runs[1].observables, range(8)):
            np.testing.assert_array_equal(other, first)


def test_function_of_users_own_is_asked_at_once():
    stiffness = [1.0]
    craft = plant.Spacecraft(BODY, potentials=[plant.Potential(lambda c, e: stiffness[0] * e[1] ** 2)])
    run = sim.simulate(craft, rate=(0.1, 0, 0), duration=1.0, output_times=[0.0, 1.0], compiled=False)
    wanted = craft.energy(run.x[-1])
    stiffness[0] = 1e6
    assert run.values("energy")[-1] == pytest.approx(wanted, rel=1e-14)


def test_run_whose_rows_tell_nothing_finite_has_failed():
    """The states alone do not determine it."""

    def reference(t, q, r):
        r[0] = 1.0 if t < 0.5 else np.inf
        for m in range(1, 10):
            r[m] = 0.0

    bad = controllers.CustomReference(reference)
    run = sim.simulate(CRAFT, reference=bad, rate=(0.1, 0, 0), duration=1.0, output_times=[0.0, 0.4, 1.0])
    assert run.counters["steps"] > 0
    assert run.status == "failed"
    assert "t = 1 s" in run.reason
    some = rows_of(run, np.array([0, 1]))  # which are all finite
    assert (some.status, some.reason) == (run.status, run.reason)


@pytest.mark.parametrize("compiled", [True, False])
def test_reference_without_numbers_of_its_own_is_followed(compiled):
    def upright(t, q, r):
        r[0] = 1.0
        for m in range(1, 10):
            r[m] = 0.0

    how = {"rate": (0.1, 0, 0), "duration": 1.0, "output_times": [0.4, 1.0], "compiled": compiled}
    run = sim.simulate(CRAFT, reference=controllers.CustomReference(upright), **how)
    np.testing.assert_allclose(run.values("attitude_error"), (0.04, 0.1), rtol=1e-9)
    same = sim.simulate_batch(CRAFT, runs=2, reference=controllers.CustomReference(upright), **how)
    np.testing.assert_array_equal(same.values("attitude_error"), [run.values("attitude_error")] * 2)
