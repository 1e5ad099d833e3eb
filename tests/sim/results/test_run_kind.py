"""Runs of one kind share what depends on their parts only; another part makes another kind."""

import itertools
import pickle

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.scenarios.report.metrics import measure
from polhode.sim.results import run_kind
from polhode.sim.results.run_kind import kind_of

BODY = plant.RigidBody((4, 3, 2), mass=10.0)
WHEELS = plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.2)
INSIDE, OUTSIDE = plant.TorqueBasis("body", internal=True), plant.TorqueBasis("body", internal=False, limit=0.5)
LAW = controllers.RateDamping(gain=1.0, sample=0.1)
ORBIT = plant.GravityGradient(mu=4e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))
HERE, SPIN = controllers.FixedReference(), controllers.SpinReference(rate=(0, 0, 0.1))


def run_of(law=None, reference=None, ledger=True, **options):
    craft = plant.Spacecraft(BODY, **({"elements": WHEELS, "torques": INSIDE} | options))
    how = {"law": law, "reference": reference, "ledger": ledger, "compiled": False}
    return sim.simulate(craft, **how, rate=(0.1, 0.2, 0.1), duration=1.0, output_step=0.25, integrator="rk4", step=0.05)


@pytest.fixture(scope="module")
def runs():
    return [
        run_of(),
        run_of(LAW, HERE),
        run_of(LAW, SPIN),
        run_of(LAW, HERE, ledger=False),
        run_of(LAW, HERE, torques=OUTSIDE),
        run_of(LAW, HERE, external=OUTSIDE),
        run_of(LAW, HERE, translation=True),
        run_of(LAW, HERE, elements=(), torques=OUTSIDE),
        run_of(LAW, HERE, potentials=[ORBIT]),
        run_of(reference=HERE, elements=(), torques=OUTSIDE),
    ]


def copy_of(run: sim.Run) -> sim.Run:
    """Return a copy of a run without its kind."""
    copy = pickle.loads(pickle.dumps(run))
    for name in ("names", "_polhode.sim.results.run_kind.kind_of"):
        vars(copy).pop(name, None)
    return copy


def test_metrics_do_not_depend_on_earlier_runs(runs: list[sim.Run]) -> None:
    expected = []
    for run, window in itertools.product(runs, (None, 0.5)):
        run_kind._kinds.clear()
        fresh = copy_of(run)
        expected.append((measure(fresh, window_s=window), fresh.names))
    again = [(measure(run, window_s=window), run.names) for run, window in itertools.product(runs, (None, 0.5))]
    assert again == expected
    assert len({id(kind_of(run)) for run in runs}) == len(runs)
    reasons = {tuple((metric.applies, metric.reason) for metric in found.values()) for found, _ in expected}
    assert len(reasons) > len(runs)


def test_runs_with_equal_parts_share_their_kind(runs):
    run_kind._kinds.clear()
    assert kind_of(run_of(LAW, HERE)) is kind_of(run_of(LAW, HERE))


def test_kinds_of_user_defined_parts_are_not_shared():
    class Own(controllers.RateDamping):
        """A law that may change between runs."""

    law = Own(gain=1.0, sample=0.1)
    assert kind_of(run_of(law, HERE)) is not kind_of(run_of(law, HERE))


def test_number_of_kept_kinds_is_bounded():
    for _ in range(2 * run_kind.KEPT):
        _ = run_of(LAW, controllers.FixedReference()).names
    assert len(run_kind._kinds) == run_kind.KEPT
