"""Which runs fly as plain Python where the engine is yet to be compiled."""

import pytest

from polhode import controllers, plant, sim
from polhode.sim import before_compiling
from polhode.sim.before_compiling import flies_plain
from polhode.sim.machine import plain
from polhode.sim.planned import planned

CRAFT = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
LAW = controllers.lqr(CRAFT.linearize(CRAFT.at_rest()), attitude=1, rate=1, effort=1, sample=0.1)
RK4 = {"integrator": "rk4", "step": 0.1, "duration": 10.0, "at": [10.0]}


@pytest.fixture
def asked(monkeypatch):
    """What was to be compiled by another process, which is said to be doing so; the rates take 5 us."""
    found = []
    monkeypatch.setattr(before_compiling, "compiled_ahead", lambda pieces: found.append(pieces) or True)
    monkeypatch.setattr(before_compiling, "_rates", lambda plan: 5e-6)
    return found


def test_a_short_run_does_and_says_what_it_needs(asked):
    assert flies_plain(planned(CRAFT, LAW, **RK4))
    assert flies_plain(planned(CRAFT, sim.ChangedLaw(LAW, factor=(0.5, 0.5, 0.5)), **RK4))
    assert ("law", LAW.kernel) in asked[0]
    assert ("law", LAW.kernel) in asked[1]
    assert all(("reference", controllers.FixedReference((1, 0, 0, 0)).kernel) in pieces for pieces in asked)
    wheel = plant.Spacecraft(plant.RigidBody((3, 2, 1)), elements=[plant.Wheel(inertia=0.1, axis=(0, 0, 1))])
    assert flies_plain(planned(wheel, **RK4))
    assert ("element", wheel.elements[0].kernel) in asked[2]


@pytest.mark.parametrize(
    "other",
    [
        {"integrator": "dop853", "step": None},
        {"integrator": "gauss4"},
        {"duration": 20_000.0},
        {"step": 1e-4},
        {"law": controllers.CustomLaw(lambda t, y, r: (0, 0, 0), sample=0.1, compiled=False)},
        {"law": controllers.lqr(CRAFT.linearize(CRAFT.at_rest()), attitude=1, rate=1, effort=1, sample=1e-4)},
        {"blocks": [controllers.Block(lambda t, y: y, reads="rate", writes={"gyro": 3}, sample=0.1, compiled=False)]},
        {"formulation": "hamilton-7"},
        {"craft": plant.Spacecraft(plant.RigidBody((3, 2, 1)), efforts=[plant.Effort(lambda t, e, w, c, v: (0,) * 6)])},
        {"compiled": False},
    ],
)
def test_the_others_do_not(asked, other):
    given = {"craft": CRAFT, "law": LAW, **RK4, **other}
    if "craft" in other:
        del given["law"]
    assert not flies_plain(planned(given.pop("craft"), given.pop("law", None), **given))
    assert not asked


def test_without_numba_nothing_is_begun(asked, monkeypatch):
    monkeypatch.setattr(plain, "_disabled", lambda: True)
    assert not flies_plain(planned(CRAFT, LAW, **RK4))
    assert not asked


def test_what_rates_cost_is_measured():
    assert 1e-7 < before_compiling._rates(planned(CRAFT, LAW, **RK4)) < 1e-2


def test_only_a_case_that_may_flies_so(asked):
    from polhode.scenarios import case_run
    from polhode.scenarios.case.loader import load_case
    from polhode.scenarios.objects.problem import build

    problem = build(load_case("slew-lqr", ["run.duration_s=5"]).case)
    runs = [case_run.fly(problem, name="slew-lqr", at_once=each) for each in (False, True)]
    assert len(asked) == 1
    assert abs(runs[0].states - runs[1].states).max() < 1e-13
