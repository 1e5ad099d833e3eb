"""Runs that end early keep their rows and report how and why."""

import re

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.runs import drive

SCHEMES = [{"integrator": "rk4", "step": 0.01}, {"integrator": "rk8", "step": 0.1}, {"integrator": "dop853"}]
NAMES = [scheme["integrator"] for scheme in SCHEMES]

BODY = plant.RigidBody((3, 2, 1))
BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])


def nan_effort(t, e, omega, c, v):
    return (np.nan if t > 0.75 else 0.1, 0.0, 0.0, 0.0, 0.0, 0.0)


@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_effort_that_is_not_number(scheme, compiled):
    craft = plant.Spacecraft(BODY, user_forces=[plant.UserForce(nan_effort)])
    run = sim.simulate(craft, duration=2.0, output_step=0.1, compiled=compiled, **scheme)
    assert run.status == "failed"
    assert "no longer finite after t = 0." in run.reason
    assert 0.6 < run.t[-1] <= 0.75  # within a step; dop853 approaches it in ever smaller steps
    assert run.t.size >= 7
    assert np.isfinite(run.states).all()
    np.testing.assert_allclose(run.values("momentum")[:, 0], 0.1 * run.t, rtol=0, atol=1e-14)  # the computed value


def singular_effort(t, e, omega, c, v):
    return (1.0 / (1.0 - t) ** 2, 0.0, 0.0, 0.0, 0.0, 0.0)


@BOTH
def test_step_that_collapses(compiled):
    craft = plant.Spacecraft(BODY, user_forces=[plant.UserForce(singular_effort)])
    run = sim.simulate(craft, duration=2.0, output_step=0.1, compiled=compiled, rtol=1e-7)
    assert run.status == "failed"
    assert "the step decreased to the resolution of t = " in run.reason
    assert run.t[-1] == pytest.approx(1.0, abs=1e-6)
    assert np.isfinite(run.states).all()
    assert run.values("momentum")[9, 0] == pytest.approx(9.0, rel=1e-6)  # t/(1 - t) at 0.9 s, to the tolerance


@pytest.mark.thinned(5)
@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
@pytest.mark.parametrize("ledger", [True, False])
def test_step_limit(scheme, compiled, ledger):
    craft = plant.Spacecraft(BODY)
    more = {"rate": (0.1, 2.0, 0.1), "duration": 100.0, "compiled": compiled, "ledger": ledger} | scheme
    run = sim.simulate(craft, max_steps=30, output_step=0.05, **more)
    assert run.status == "failed"
    assert run.reason.startswith("max_steps = 30 was reached at t = ")
    assert run.counters["steps"] == 30
    assert 0.0 < run.t[-1] < 100.0
    assert run.x[-1] == pytest.approx(sim.simulate(craft, output_times=[run.t[-1]], **more).x[0], abs=1e-9)


def test_run_that_needs_just_limit_completes():
    run = sim.simulate(plant.Spacecraft(BODY), duration=1.0, integrator="rk4", step=0.1, max_steps=10)
    assert run.status == "completed"
    assert run.reason == ""


@pytest.mark.parametrize("ledger", [True, False])
def test_fixed_step_that_blows_up_keeps_last_finite_state(ledger):
    craft = plant.Spacecraft(BODY)
    run = sim.simulate(
        craft, rate=(1e9, 1.0, 1e9), duration=10.0, integrator="rk4", step=1.0, ledger=ledger, output_times=[0, 5]
    )
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
def test_compiled_law_that_is_not_number(scheme, compiled):
    law = controllers.CustomLaw(nan_kernel, sample=0.1)
    run = sim.simulate(plant.Spacecraft(BODY), law, duration=2.0, output_step=0.1, compiled=compiled, **scheme)
    assert run.status == "failed"
    assert "no finite command at t = 0.5 s" in run.reason
    assert run.t[-1] == pytest.approx(0.5)
    assert np.isfinite(run.states).all()
    assert np.isfinite(run.inputs).all()


def zero_kernel(t, y, r, q, z, u):
    u[0], u[1], u[2] = 0.0, 0.0, 0.0


def infinite_reference(t, q, r):
    for m in range(10):
        r[m] = 0.0
    r[0] = 1.0
    if t > 0.45:
        r[4] = np.inf * q[0]
        r[8] = np.inf * q[1]


@BOTH
@pytest.mark.parametrize("parameters", [(1.0, 1.0), (-1.0, 1.0), (0.0, 1.0)], ids=["same sign", "opposite", "nan"])
def test_reference_that_is_not_finite(parameters, compiled):
    reference = controllers.CustomReference(infinite_reference, parameters=parameters)
    law = controllers.CustomLaw(zero_kernel, sample=0.1)  # does not read the reference
    run = sim.simulate(
        plant.Spacecraft(BODY), law, reference=reference, duration=2.0, integrator="rk4", step=0.1, output_step=0.1,
        compiled=compiled,
    )  # fmt: skip
    assert run.status == "failed"
    assert run.t[-1] == pytest.approx(0.5)
    assert np.isfinite(run.states).all()


@BOTH
def test_law_that_leaves_component_unwritten(compiled):
    law = controllers.CustomLaw(forgetful_kernel, sample=0.1)
    run = sim.simulate(plant.Spacecraft(BODY), law, duration=2.0, compiled=compiled)
    assert run.status == "failed"
    assert "left a component unwritten" in run.reason


@BOTH
@pytest.mark.parametrize(
    ("function", "words"),
    [(nan_plain, "must be finite"), (short_plain, r"must be 3 numbers \(N m\); got shape \(2,\)")],
)
def test_plain_law_that_returns_wrong_thing(function, words, compiled):
    law = controllers.CustomLaw(function, sample=0.1, compiled=False)
    run = sim.simulate(plant.Spacecraft(BODY), law, duration=2.0, output_step=0.05, compiled=compiled)
    assert run.status == "failed"
    assert run.reason.startswith("command of the law at t = 0.5 s")
    assert run.t[-1] == pytest.approx(0.5)
    np.testing.assert_allclose(run.values("momentum")[:, 0], 0.1 * run.t, rtol=0, atol=1e-14)
    at_once = controllers.CustomLaw(lambda t, y, r: function(t + 0.5, y, r), sample=0.1, compiled=False)
    with pytest.raises(plant.InputError, match=words):  # without rows it is an error like any other
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


# Compiled code cannot raise through the engine: it returns a non-finite number and stores the message. Continuing
# would lose a torque silently; printing it would show a traceback on the screen.
def test_compiled_functions_that_raise_end_the_run(capfd):
    craft = plant.Spacecraft(BODY)
    law = controllers.CustomLaw(raising_kernel, sample=0.1)
    steady = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.7, sample=0.1)
    pushed = plant.Spacecraft(BODY, user_forces=[plant.UserForce(raising_effort)])
    runs = (
        sim.simulate(craft, law, duration=2.0),
        sim.simulate(craft, steady, reference=controllers.CustomReference(raising_reference), duration=2.0),
        sim.simulate(pushed, duration=2.0, integrator="rk4", step=0.1),
    )
    for run in runs:
        assert run.status == "failed"
        assert 0.3 < run.t[-1] < 0.51
        assert np.isfinite(run.states).all()
    assert capfd.readouterr().err == ""
    reasons = [run.reason for run in runs]
    assert (
        reasons[0]
        == "no finite command at t = 0.5 s: the law 'raising_kernel' raised ValueError: the star tracker is blind"
    )
    assert (
        reasons[1]
        == "no finite command at t = 0.5 s: the reference 'raising_reference' raised ValueError: beyond the table"
    )
    assert reasons[2].startswith(
        "the state was no longer finite after t = 0.4 s: the user force 'raising_effort' raised an error"
    )
    assert reasons[2].endswith("ValueError: no atmosphere up here")


@pytest.mark.parametrize(
    ("law", "reference", "effort", "words"),
    [
        (
            raising_kernel,
            None,
            None,
            "the law 'raising_kernel' raised ValueError at t = 0.5 s: the star tracker is blind",
        ),
        (
            None,
            raising_reference,
            None,
            "the reference 'raising_reference' raised ValueError at t = 0.5 s: beyond the table",
        ),
        (
            None,
            None,
            raising_effort,
            "the user force 'raising_effort' raised ValueError at t = 0.5 s: no atmosphere up here",
        ),
    ],
)
def test_plain_python_exception_ends_the_run(law, reference, effort, words):
    craft = plant.Spacecraft(BODY, user_forces=[] if effort is None else [plant.UserForce(effort)])
    given = controllers.quaternion_feedback(plant.Spacecraft(BODY), frequency=0.1, damping_ratio=0.7, sample=0.1)
    if law is not None:
        given = controllers.CustomLaw(law, sample=0.1)
    run = sim.simulate(
        craft, given, reference=None if reference is None else controllers.CustomReference(reference), duration=2.0,
        integrator="rk4", step=0.1, compiled=False,
    )  # fmt: skip
    assert run.status == "failed"
    assert run.reason.replace("0.45", "0.5").replace("0.499999999", "0.5") == words
    assert np.isfinite(run.states).all()


def nan_force(t, e, omega, c, v):
    return (0.0, 0.0, 0.0, np.nan if t > 0.7 else 0.0, 0.0, 0.0)


def nan_late(c, e):
    return e[1] ** 2 + np.sqrt(e[0] - 0.9)  # NaN from some 0.45 rad on


def nan_value(c, e):
    return e[1] ** 2 + (np.nan if e[0].real < 0.9 else 0.0)


def given_gradient(c, e):
    return (0.0, 0.0, 0.0, 0.0, 2.0 * e[1], 0.0, 0.0)


def uses_velocity_late(t, e, omega, c, v):
    return (0.0, 0.0, 0.0, -v[0] if t > 0.7 else 0.0, 0.0, 0.0)


# None of these values reaches the state: the force of a non-translating spacecraft, the value of a potential.
@pytest.mark.thinned(5)
@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
@pytest.mark.parametrize(
    ("loads", "words"),
    [
        (
            {"user_forces": [plant.UserForce(nan_force)]},
            r"the user force 'nan_force' returned nan for force_x at t = 0\.7",
        ),
        (
            {"user_forces": [plant.UserForce(uses_velocity_late)]},
            r"returned nan for force_x at t = 0\.7.* without pivot or",
        ),
        (
            {"potentials": [plant.Potential(nan_late)]},
            r"the potential 'nan_late' returned (nan|inf) for (V|dV/d\w+) at t = 0\.[45]",
        ),
        (
            {"potentials": [plant.Potential(lambda c, e: e[1] ** 2 + 0.0 * np.sqrt(e[0] - 0.9))]},
            # the last step ends where the root is zero, and rounding determines the side
            r"the potential '<lambda>' returned nan for (V|dV/d\w+) at t = 0\.[45]",
        ),
        (
            {"potentials": [plant.Potential(nan_value, given_gradient)]},
            r"the potential 'nan_value' returned nan for V at t = 0\.[45]",
        ),
    ],
    ids=["force", "late", "potential", "times zero", "value"],
)
def test_nan_ends_the_run_and_is_named(loads, words, scheme, compiled):
    run = sim.simulate(
        plant.Spacecraft(BODY, **loads), rate=(2.0, 0, 0), duration=1.0, output_step=0.1, compiled=compiled, **scheme
    )
    assert run.status == "failed"
    assert re.search(words, run.reason), run.reason
    assert np.isfinite(run.states).all()


@BOTH
def test_potential_without_value_cannot_start(compiled):
    nowhere = plant.Potential(lambda c, e: e[1] ** 2 + np.nan)
    with pytest.raises(
        plant.InputError, match="the run cannot start: the potential '<lambda>' returned nan for V at t = 0 s"
    ):
        sim.simulate(plant.Spacecraft(BODY, potentials=[nowhere]), rate=(1, 0, 0), duration=1.0, compiled=compiled)


def nan_reference(t, q, r):
    for n in range(10):
        r[n] = 0.0
    r[0] = 1.0
    if t > 0.45:
        r[5] = np.nan


@BOTH
def test_reference_of_which_any_number_is_not_one(compiled):
    law = controllers.CustomLaw(lambda t, y, r: (0.0, 0.0, 0.0), sample=0.1, compiled=False)  # does not use it
    run = sim.simulate(
        plant.Spacecraft(BODY),
        law,
        reference=controllers.CustomReference(nan_reference),
        duration=1.0,
        compiled=compiled,
    )
    assert run.status == "failed"
    assert "the reference 'nan_reference' returned nan for omega_ref_y, or left it unwritten" in run.reason


def late_index(t, y, r, q, z, u):
    for n in range(3):
        u[n] = 0.0
    if t > 0.45:
        z[int(100.0 * t)] = 7.0


def index_effort(t, e, omega, c, v):
    return (e[int(10.0 * t)], 0.0, 0.0, 0.0, 0.0, 0.0)


def index_reference(t, q, r):
    for n in range(10):
        r[n] = 0.0
    r[0] = 1.0
    if t > 0.45:
        r[int(100.0 * t)] = 7.0


@BOTH
def test_index_out_of_range_reaches_nothing(compiled):
    craft = plant.Spacecraft(BODY)
    law = controllers.CustomLaw(late_index, sample=0.1, memory=(0.0,))
    quiet = controllers.CustomLaw(lambda t, y, r: (0.0, 0.0, 0.0), sample=0.1, compiled=False)
    pushed = plant.Spacecraft(BODY, user_forces=[plant.UserForce(index_effort)])
    for run, name in (
        (sim.simulate(craft, law, duration=1.0, compiled=compiled), "the law 'late_index' raised IndexError"),
        (
            sim.simulate(
                craft, quiet, reference=controllers.CustomReference(index_reference), duration=1.0, compiled=compiled
            ),
            "the reference 'index_reference' raised IndexError",
        ),
        (sim.simulate(pushed, duration=1.0, compiled=compiled), "the user force 'index_effort' raised "),
    ):
        assert run.status == "failed"
        assert name in run.reason
        assert (
            "IndexError: index is out of bounds" in run.reason or "is out of bounds for axis 0 with size" in run.reason
        )


def too_far(t, y, r, q, z, u):
    y[4000] = 7.0
    u[0] = u[1] = u[2] = 0.0


@BOTH
def test_index_that_is_always_out_of_range_is_refused_with_sizes(compiled):
    law = controllers.CustomLaw(too_far, sample=0.1)
    with pytest.raises(
        plant.InputError, match=r"the law 'too_far' .*index 4000 is out of bounds for axis 0 with size 10"
    ):
        sim.simulate(plant.Spacecraft(BODY), law, duration=1.0, compiled=compiled)


def half_done(t, y, r, q, z, u):
    u[0] = u[1] = u[2] = 0.25
    if t > 0.45:
        raise ValueError("too late")


def test_law_that_raises_after_it_has_written_has_no_say():
    run = sim.simulate(plant.Spacecraft(BODY), controllers.CustomLaw(half_done, sample=0.1), duration=1.0)
    assert run.status == "failed"
    assert run.reason.endswith("the law 'half_done' raised ValueError: too late")
    assert run.t[-1] == pytest.approx(0.5)


@BOTH
@pytest.mark.parametrize("scheme", SCHEMES, ids=NAMES)
def test_interrupt_keeps_what_was_computed(scheme, compiled, monkeypatch):
    monkeypatch.setattr(drive, "STEPS_PER_CALL", 20)
    monkeypatch.setattr(drive, "STEPS_PER_PLAIN_CALL", 20)
    shares = []

    def progress(share):
        shares.append(share)
        if len(shares) == 3:
            raise KeyboardInterrupt

    craft = plant.Spacecraft(BODY)
    more = {"rate": (0.1, 2.0, 0.1), "duration": 50.0, "compiled": compiled} | scheme
    run = sim.simulate(craft, progress=progress, output_step=0.01, **more)
    assert run.status == "stopped"
    assert run.reason == f"stopped by the user at t = {run.t[-1]:.9g} s"
    assert run.counters["steps"] == 60
    assert run.t[-1] == pytest.approx(50.0 * shares[-1])
    assert run.x[-1] == pytest.approx(sim.simulate(craft, output_times=[run.t[-1]], **more).x[0], abs=1e-9)


def test_interrupt_in_plain_law_keeps_what_was_computed():
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
    monkeypatch.setattr(drive, "STEPS_PER_CALL", 3)
    shares = []
    sim.simulate(plant.Spacecraft(BODY), rate=(0, 0, 1), duration=5.0, progress=shares.append)
    assert len(shares) >= 3
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_step_too_long_for_rate_is_told():
    run = sim.simulate(plant.Spacecraft(BODY), rate=(0, 0, 20.0), duration=5.0, integrator="rk4", step=0.1)
    (warning,) = run.warnings
    assert "the step is too large for this rate" in warning
    fine = sim.simulate(plant.Spacecraft(BODY), rate=(0, 0, 20.0), duration=5.0, integrator="rk4", step=0.001)
    assert fine.warnings == ()
