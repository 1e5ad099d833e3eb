"""Runs in a pack are bitwise equal to single runs; runs that fit no pack run singly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.engine import batch, packs
from polhode.sim.engine import indices as at
from polhode.sim.engine.pack_loop import advance_packs

RNG = np.random.default_rng(11)
MOST = 17
TURNS = RNG.standard_normal((MOST, 4))
ATTITUDES = TURNS / np.linalg.norm(TURNS, axis=1)[:, None]
RATES = 0.1 * RNG.standard_normal((MOST, 3))
BODY = np.array(((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0)))
LIMITED = plant.TorqueBasis("body", limit=0.05)
RIGID = plant.Spacecraft(plant.RigidBody(BODY), torques=LIMITED)
RK4 = {"duration": 2.0, "integrator": "rk4", "step": 0.05, "output_step": 0.3}
SLEW = controllers.EigenaxisSlew((1, 0, 0, 0), (0.8, 0.6, 0, 0), rate_limit=1.0, acceleration_limit=2.0)


def crafts(runs: int, **more: Any) -> list[Any]:
    sizes = 1.0 + 0.1 * np.random.default_rng(5).random(runs)
    return [plant.Spacecraft(plant.RigidBody(size * BODY), **({"torques": LIMITED} | more)) for size in sizes]


def feedback(**more: Any) -> Any:
    given = {"inertia": BODY, "stiffness": 2.0, "damping": 3.0, "sample": 0.1, **more}
    return controllers.QuaternionFeedback(**given)


def lqr(craft: Any = RIGID, **more: Any) -> Any:
    return controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1, **more)


@pytest.fixture
def flown(monkeypatch) -> list[int]:
    """Number of runs simulated in packs, call by call."""
    found: list[int] = []
    advance = packs.Packs.advance

    def watched(self, *given):
        told = advance(self, *given)
        found.append(int((told != at.DOUBTFUL).sum()))
        return told

    monkeypatch.setattr(packs.Packs, "advance", watched)
    return found


def same(craft: Any, law: Any = None, *, runs: int = 9, **given: Any) -> Any:
    """Simulate some together, and each singly."""
    each = {"attitude", "rate"} | {k for k, v in given.items() if k == "reference" and isinstance(v, list)}
    start: Any = {"attitude": ATTITUDES[:runs], "rate": RATES[:runs], **RK4, **given}
    found = sim.simulate_batch(craft, law, runs=runs, workers=1, **start)
    for n in range(runs):
        own: Any = {k: v[n] if k in each else v for k, v in start.items()}
        one = sim.simulate(
            craft[n] if isinstance(craft, list) else craft, law[n] if isinstance(law, list) else law, **own
        )
        assert found.status[n] == one.status
        assert found.reasons.get(n, "") == one.reason
        assert (n in found.flagged) == bool(one.ended.warnings)
        k = int((one.t[: found.t.size] == found.t[: one.t.size]).sum())
        for name in ("states", "inputs", "observables"):
            assert getattr(found, name)[n, :k].tobytes() == getattr(one, name)[:k].tobytes(), (n, name)
            assert np.isnan(getattr(found, name)[n, k:]).all()
    return found


@pytest.mark.parametrize("runs", [1, 2, 7, 8, 9, 17])
def test_any_number_of_runs(flown, runs) -> None:
    """The last pack is filled by repetition; a single run needs no pack."""
    same(crafts(runs), feedback(), runs=runs)
    assert flown == [runs if runs > 1 else 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "given"),
    [
        (None, {"output_step": 0.0007}),
        (None, {"ledger": False, "output_times": [2.0]}),
        (feedback, {"output_times": [0.05, 0.0501, 0.1, 0.17, 2.0]}),
        (feedback, {"step": 0.1, "ledger": False, "output_times": [2.0]}),
        (feedback, {"step": 0.03, "output_times": [0.1 * n for n in range(21)]}),
        (lambda: feedback(delay=0.04), {}),
        (lambda: feedback(delay=0.3), {"ledger": False, "step": 0.1}),
        (lambda: feedback(sample=0.07), {"duration": 1.0}),
        (lambda: feedback(sample=3.0, delay=1.0), {}),
        (feedback, {"reference": SLEW}),
        (lambda: lqr(delay=0.15), {}),
        (lambda: controllers.RateDamping(gain=3.0, sample=0.1, field=(1.0, 0.2, -0.4)), {}),
        (lambda: controllers.EnergyShaping(inertia=BODY, stiffness=2.0, damping=3.0, sample=0.1), {}),
    ],
    ids=["free, many rows", "free", "rows between", "a step a sample", "rows at samples", "delay", "long delay",
         "odd sample", "one sample", "moving reference", "LQR", "field", "energy shaping"],
)  # fmt: skip
def test_laws_delays_and_rows(flown, law, given) -> None:
    same(crafts(9), None if law is None else law(), **given)
    assert set(flown) == {9}


def test_pack_lanes_have_their_own_numbers(flown) -> None:
    """Gains, limits, references and inertia, each in its lane; different integer codes start a new pack."""
    gains = [feedback(stiffness=2.0 + 0.1 * n, damping=3.0) for n in range(9)]
    bases = [plant.TorqueBasis("body", limit=0.02 + 0.01 * n) for n in range(9)]
    craft = [plant.Spacecraft(plant.RigidBody(BODY), torques=basis) for basis in bases]
    aims = [controllers.FixedReference(attitude) for attitude in ATTITUDES[::-1][:9]]
    same(craft, gains, reference=aims)
    same(craft, [lqr(each) for each in craft], reference=aims)
    mixed = [feedback(gyroscopic=n % 3 != 0) for n in range(9)]
    same(craft, mixed)
    assert flown == [9, 9, 3]  # as the first of them
    kept = [plant.TorqueBasis("body", limit=0.05, keep_direction=n > 3) for n in range(9)]
    same([plant.Spacecraft(plant.RigidBody(BODY), torques=basis) for basis in kept], feedback())
    assert flown[3] == 4


@pytest.mark.slow
def test_run_of_another_kind_beside(flown) -> None:
    """A different basis has singular poses, a different spacecraft no ledger: the arrays are equal, the code paths
    are not.
    """
    others = [plant.TorqueBasis("dual-euler", sequence="3-1-3", limit=0.05), plant.TorqueBasis("inertial", limit=0.05)]
    bases = [others[n % 3] if n % 3 < 2 else LIMITED for n in range(9)]
    craft = [plant.Spacecraft(plant.RigidBody(BODY), torques=basis) for basis in reversed(bases)]
    same(craft, feedback())
    assert flown[0] == 3


def test_lane_that_comes_to_no_number(flown) -> None:
    """It reports what the single run reports, and the others continue."""
    rates = RATES[:9].copy()
    rates[3] = (20.0, -10.0, 10.0)
    rates[5] = (1e140, 1e140, -1e140)
    found = same(crafts(9), feedback(), rate=rates)
    assert found.status[5] == "failed"
    assert 3 in found.flagged
    assert flown == [8]


@pytest.mark.slow
def test_runs_with_large_drift_are_flagged_in_packs(flown) -> None:
    """Steps of about one radian change |e|^2 by more than 1e-4; every second run rotates that fast."""
    rates = RATES[:8] * np.where(np.arange(8) % 2, 200.0, 1.0)[:, None]
    found = same(RIGID, runs=8, rate=rates)
    assert sorted(found.flagged) == [1, 3, 5, 7]
    assert sum(flown) >= 8


@pytest.mark.slow
def test_long_runs_come_back_on_the_way(flown, monkeypatch) -> None:
    """As in the single engine, also in the middle of a stretch; too many steps are reported."""
    from polhode.sim.runs import batch_run

    monkeypatch.setattr(batch_run, "steps_per_call", lambda craft: 7)
    same(crafts(9), feedback(), step=0.03)
    same(crafts(9), None, output_step=0.31)
    found = same(crafts(9), feedback(), max_steps=20)
    assert set(found.status) == {"failed"}
    assert len(flown) > 10


@pytest.mark.slow
def test_any_number_of_threads(flown) -> None:
    many = np.resize(ATTITUDES, (100, 4))
    given = {**RK4, "attitude": many, "rate": np.resize(RATES, (100, 3))}
    one, two = (sim.simulate_batch(RIGID, feedback(), workers=workers, **given) for workers in (1, 2))
    assert one.states.tobytes() == two.states.tobytes()
    assert sum(flown) == 200


def made(**given: Any) -> tuple[Any, Any]:
    """A batch, with a loop."""
    from polhode.sim.runs.drive import loop_of
    from polhode.sim.runs.run_spec import run_spec

    plan = run_spec(RIGID, feedback(), **{**RK4, **given})
    loop = loop_of(plan)
    own: Any = batch.Batch(loop, 8, follows=True)
    return own, loop


@pytest.mark.parametrize("law", [None, feedback])
def test_runs_without_vector_code_are_simulated_one_by_one(flown, monkeypatch, capfd, law) -> None:
    """A compiler may lack vector types, a processor the instructions: the results are the same, without a message."""
    monkeypatch.setattr(packs, "simd_width", lambda: 0)
    same(crafts(9), law and law())
    assert flown == []
    monkeypatch.undo()
    monkeypatch.setattr(packs, "simd_address", lambda kernel: None)
    assert packs.may_fly_in_packs(made()[1]) is False
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("given", [{}, {"output_times": [0.05, 0.17, 2.0], "ledger": False}, {"reference": SLEW}])
def test_pack_loop_in_plain_python_is_the_engine(given) -> None:
    """A vector of plain Python holds one run; the states agree to rounding of the processor's functions."""
    own, loop = made(**given)
    for lane in range(2):
        own.load(lane, loop, RIGID.state(rate=RATES[0], attitude=ATTITUDES[0]))
        own.field("count")[lane, at.BUDGET] = own.field("count")[lane, at.MAX_STEPS]
    b, codes = own.arrays(1), np.zeros(1, dtype=np.int64)
    law, reference = loop.law.kernel, loop.reference.kernel
    advance_packs(law, reference, [b], np.zeros(10_000), codes)
    assert codes[0] == at.DONE == own._call("advance_entry", own._flights[:1])[0]
    for name in ("x", "u", "out_x", "out_u"):
        np.testing.assert_allclose(getattr(b, name), own.field(name)[0], rtol=1e-14, atol=1e-15)
    assert b.clock[at.T] == own.field("clock")[0, at.T] == 2.0
    assert b.count[at.STEPS] == own.field("count")[0, at.STEPS] > 0


@pytest.mark.parametrize(
    ("given", "may"),
    [
        ({}, True),
        ({"integrator": "rk8"}, False),
        ({"torques": [plant.TorquePulse((0.1, 0, 0), start=0.5, stop=1.0)]}, False),
    ],
)
def test_pack_accepts_only_marked_kernels(given, may) -> None:
    _, loop = made(**given)
    assert packs.may_fly_in_packs(loop) == may


def test_lanes_are_grouped_by_what_they_have_alike() -> None:
    """Runs of a different kind than the first, or at a different time, are not put into its packs."""
    own, loop = made()
    for lane in range(8):
        own.load(lane, loop, RIGID.state(rate=RATES[lane]))
    grouped = own._packs._groups(np.arange(8), own._arena)
    assert [group.tolist() for group in grouped] == [list(range(8))]
    own.arrays(2).count[at.WATCH] = 1
    own.arrays(3).clock[at.T] = 0.5
    own.arrays(5).clock[at.T] = own.arrays(6).clock[at.T] = 0.25
    own.arrays(7).limits[0] = 0.01
    grouped = own._packs._groups(np.arange(8), own._arena)
    assert sorted(group.tolist() for group in grouped) == [[0, 1, 4, 7], [5, 6]]
