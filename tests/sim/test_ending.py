"""Runs that end early keep what they computed, and say how and why."""

import importlib
import sys

import numpy as np
import pytest

from polhode import controllers, plant, sim

SCHEMES = [{"integrator": "rk4", "step": 0.01}, {"integrator": "rk8", "step": 0.1}, {"integrator": "dop853"}]
NAMES = [scheme["integrator"] for scheme in SCHEMES]
simulate_module = importlib.import_module("polhode.sim.simulate")  # `sim.simulate` is the function of that name
BODY = plant.RigidBody((3, 2, 1))
BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])


def nan_effort(t, e, omega, c, v):
    return (np.nan if t > 0.75 else 0.1, 0.0, 0.0, 0.0, 0.0, 0.0)


@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_an_effort_that_is_not_a_number(scheme, compiled):
    craft = plant.Spacecraft(BODY, efforts=[plant.Effort(nan_effort)])
    run = sim.simulate(craft, duration=2.0, output=0.1, compiled=compiled, **scheme)
    assert run.status == "failed"
    assert "no longer finite after t = 0." in run.reason
    assert 0.6 < run.t[-1] <= 0.75  # within a step; dop853 creeps up to it
    assert run.t.size >= 7
    assert np.isfinite(run.states).all()
    np.testing.assert_allclose(run.values("momentum")[:, 0], 0.1 * run.t, rtol=0, atol=1e-14)  # what was computed


def singular_effort(t, e, omega, c, v):
    return (1.0 / (1.0 - t) ** 2, 0.0, 0.0, 0.0, 0.0, 0.0)


@BOTH
def test_a_step_that_collapses(compiled):
    craft = plant.Spacecraft(BODY, efforts=[plant.Effort(singular_effort)])
    run = sim.simulate(craft, duration=2.0, output=0.1, compiled=compiled, rtol=1e-7)
    assert run.status == "failed"
    assert "the step fell to the last place of t = " in run.reason
    assert run.t[-1] == pytest.approx(1.0, abs=1e-6)
    assert np.isfinite(run.states).all()
    assert run.values("momentum")[9, 0] == pytest.approx(9.0, rel=1e-6)  # t/(1 - t) at 0.9 s, to the tolerance


@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
@pytest.mark.parametrize("ledger", [True, False])
def test_the_step_limit(scheme, compiled, ledger):
    craft = plant.Spacecraft(BODY)
    more = {"rate": (0.1, 2.0, 0.1), "duration": 100.0, "compiled": compiled, "ledger": ledger} | scheme
    run = sim.simulate(craft, max_steps=30, output=0.05, **more)
    assert run.status == "failed"
    assert run.reason.startswith("max_steps = 30 was reached at t = ")
    assert run.counters["steps"] == 30
    assert 0.0 < run.t[-1] < 100.0
    assert run.x[-1] == pytest.approx(sim.simulate(craft, at=[run.t[-1]], **more).x[0], abs=1e-9)


def test_a_run_that_needs_just_the_limit_completes():
    run = sim.simulate(plant.Spacecraft(BODY), duration=1.0, integrator="rk4", step=0.1, max_steps=10)
    assert run.status == "completed"
    assert run.reason == ""


@pytest.mark.parametrize("ledger", [True, False])
def test_a_fixed_step_that_blows_up_keeps_the_last_finite_state(ledger):
    craft = plant.Spacecraft(BODY)
    run = sim.simulate(craft, rate=(1e9, 1.0, 1e9), duration=10.0, integrator="rk4", step=1.0, ledger=ledger, at=[0, 5])
    assert run.status == "failed"
    assert "no longer finite after t = 1 s" in run.reason
    np.testing.assert_array_equal(run.t, (0.0, 1.0))
    assert np.isfinite(run.x).all()
    assert any("the step is too large" in warning for warning in run.warnings)


def nan_kernel(t, y, r, q, z, u):
    u[0] = 1.0 / (0.5 - t) if t < 0.5 else np.nan
    u[1] = 0.0
    u[2] = 0.0


def forgetful_kernel(t, y, r, q, z, u):
    u[0] = 0.0
    u[1] = 0.0


def nan_plain(t, y, r):
    return (np.nan if t > 0.45 else 0.1, 0.0, 0.0)


def short_plain(t, y, r):
    return (0.1, 0.0, 0.0) if t < 0.45 else (0.1, 0.0)


@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_a_compiled_law_that_is_not_a_number(scheme, compiled):
    law = controllers.CustomLaw(nan_kernel, sample=0.1)
    run = sim.simulate(plant.Spacecraft(BODY), law, duration=2.0, output=0.1, compiled=compiled, **scheme)
    assert run.status == "failed"
    assert "no finite command at t = 0.5 s" in run.reason
    assert run.t[-1] == pytest.approx(0.5)
    assert np.isfinite(run.states).all()
    assert np.isfinite(run.inputs).all()


@BOTH
def test_a_law_that_leaves_a_component_unwritten(compiled):
    law = controllers.CustomLaw(forgetful_kernel, sample=0.1)
    run = sim.simulate(plant.Spacecraft(BODY), law, duration=2.0, compiled=compiled)
    assert run.status == "failed"
    assert "left a component unwritten" in run.reason


@BOTH
@pytest.mark.parametrize(
    ("function", "words"),
    [(nan_plain, "must be finite"), (short_plain, r"must be 3 numbers \(N m\); got shape \(2,\)")],
)
def test_a_plain_law_that_returns_the_wrong_thing(function, words, compiled):
    law = controllers.CustomLaw(function, sample=0.1, compiled=False)
    run = sim.simulate(plant.Spacecraft(BODY), law, duration=2.0, output=0.05, compiled=compiled)
    assert run.status == "failed"
    assert run.reason.startswith("command of the law at t = 0.5 s")
    assert run.t[-1] == pytest.approx(0.5)
    np.testing.assert_allclose(run.values("momentum")[:, 0], 0.1 * run.t, rtol=0, atol=1e-14)
    at_once = controllers.CustomLaw(lambda t, y, r: function(t + 0.5, y, r), sample=0.1, compiled=False)
    with pytest.raises(plant.InputError, match=words):  # with nothing to keep it is an error like any other
        sim.simulate(plant.Spacecraft(BODY), at_once, duration=2.0, compiled=compiled)


def raising_kernel(t, y, r, q, z, u):
    if t > 0.45:
        raise ValueError("the star tracker is blind")
    u[0] = 0.1
    u[1] = 0.0
    u[2] = 0.0


def raising_effort(t, e, omega, c, v):
    if t > 0.45:
        raise ValueError("no atmosphere up here")
    return (0.1, 0.0, 0.0, 0.0, 0.0, 0.0)


def raising_reference(t, q, r):
    if t > 0.45:
        raise ValueError("beyond the table")
    for n in range(10):
        r[n] = 0.0
    r[0] = 1.0


# Compiled code cannot raise through the engine: numba prints the exception and goes on. Going on as if nothing had
# happened would lose a torque without a word.
def test_compiled_functions_that_raise_end_the_run(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: told.append(str(raised.exc_value)))
    craft = plant.Spacecraft(BODY)
    law = controllers.CustomLaw(raising_kernel, sample=0.1)
    steady = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.7, sample=0.1)
    pushed = plant.Spacecraft(BODY, efforts=[plant.Effort(raising_effort)])
    runs = (
        sim.simulate(craft, law, duration=2.0),
        sim.simulate(craft, steady, reference=controllers.CustomReference(raising_reference), duration=2.0),
        sim.simulate(pushed, duration=2.0, integrator="rk4", step=0.1),
    )
    for run in runs:
        assert run.status == "failed"
        assert 0.3 < run.t[-1] < 0.51
        assert np.isfinite(run.states).all()
    assert set(told) == {"the star tracker is blind", "beyond the table", "no atmosphere up here"}


@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_an_interrupt_keeps_what_was_computed(scheme, compiled, monkeypatch):
    monkeypatch.setattr(simulate_module, "STEPS_PER_CALL", 20)
    monkeypatch.setattr(simulate_module, "STEPS_PER_PLAIN_CALL", 20)
    shares = []

    def progress(share):
        shares.append(share)
        if len(shares) == 3:
            raise KeyboardInterrupt

    craft = plant.Spacecraft(BODY)
    more = {"rate": (0.1, 2.0, 0.1), "duration": 50.0, "compiled": compiled} | scheme
    run = sim.simulate(craft, progress=progress, output=0.01, **more)
    assert run.status == "stopped"
    assert run.reason == f"stopped by the user at t = {run.t[-1]:.9g} s"
    assert run.counters["steps"] == 60
    assert run.t[-1] == pytest.approx(50.0 * shares[-1])
    assert run.x[-1] == pytest.approx(sim.simulate(craft, at=[run.t[-1]], **more).x[0], abs=1e-9)


def test_an_interrupt_in_a_plain_law_keeps_what_was_computed():
    def law(t, y, r):
        if t > 0.45:
            raise KeyboardInterrupt
        return (0.1, 0.0, 0.0)

    plain = controllers.CustomLaw(law, sample=0.1, compiled=False)
    run = sim.simulate(plant.Spacecraft(BODY), plain, duration=2.0)
    assert run.status == "stopped"
    assert run.t[-1] == pytest.approx(0.5)
    assert np.isfinite(run.states).all()


def test_progress_climbs_to_one(monkeypatch):
    monkeypatch.setattr(simulate_module, "STEPS_PER_CALL", 3)
    shares = []
    sim.simulate(plant.Spacecraft(BODY), rate=(0, 0, 1), duration=5.0, progress=shares.append)
    assert len(shares) >= 3
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_step_too_long_for_the_rate_is_told():
    run = sim.simulate(plant.Spacecraft(BODY), rate=(0, 0, 20.0), duration=5.0, integrator="rk4", step=0.1)
    (warning,) = run.warnings
    assert "the step is too large for this rate" in warning
    fine = sim.simulate(plant.Spacecraft(BODY), rate=(0, 0, 20.0), duration=5.0, integrator="rk4", step=0.001)
    assert fine.warnings == ()
