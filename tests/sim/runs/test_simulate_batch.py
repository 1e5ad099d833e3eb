"""Runs of a batch are bitwise equal to single runs, for any mixture of kinds."""

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, Condition, Mode, Modes, Transition, draw_normals
from polhode.plant import InputError
from polhode.plant.flexible import Arm, BeamSection
from polhode.sim.runs import batch_run

COUNT = 5
RNG = np.random.default_rng(3)
TURNS = RNG.standard_normal((COUNT, 4))
ATTITUDES = TURNS / np.linalg.norm(TURNS, axis=1)[:, None]
RATES = 0.1 * RNG.standard_normal((COUNT, 3))
PARTS = {"attitude", "rate", "position", "velocity"}
START = {"attitude": ATTITUDES, "rate": RATES}
BODY = plant.RigidBody(((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0)), mass=7.0)
LIMITED = plant.TorqueBasis("body", limit=0.05)
RIGID = plant.Spacecraft(BODY, torques=LIMITED)
RK4 = {"duration": 2.0, "integrator": "rk4", "step": 0.05, "output_step": 0.3}


def law_of(craft=RIGID, **more) -> Any:
    return controllers.quaternion_feedback(craft, **{"frequency": 0.5, "damping_ratio": 0.7, "sample": 0.1, **more})


def alone(n, first, law=None, **given):
    """Arguments of `simulate` for run n: the entries of lists and of arrays with a row for each run."""
    each = {name: v[n] if name == "reference" and isinstance(v, list) else v for name, v in given.items()}
    each = {name: v[n] if name in PARTS and np.ndim(v) == 2 else v for name, v in each.items() if name != "runs"}
    craft, law = (v[n] if isinstance(v, list) else v for v in (first, law))
    return sim.simulate(craft, law, **each, run_index=n)


def same(craft, law=None, *, workers=2, **given):
    """Simulate many, and each singly."""
    runs = sim.simulate_batch(craft, law, workers=workers, **given)
    for n in range(len(runs)):
        if runs.status[n] == "refused":
            with pytest.raises(InputError) as refusal:
                alone(n, craft, law, **given)
            assert runs.reasons[n] == str(refusal.value)
            continue
        one = alone(n, craft, law, **given)
        k = int((one.t[: runs.t.size] == runs.t[: one.t.size]).sum())
        assert runs.status[n] == one.status
        assert runs.reasons.get(n, "") == one.reason
        assert (n in runs.flagged) == bool(one.ended.warnings)
        for name in ("states", "inputs", "observables"):
            assert np.array_equal(getattr(runs, name)[n, :k], getattr(one, name)[:k]), (n, name)
            assert np.isnan(getattr(runs, name)[n, k:]).all()
        assert np.array_equal(
            () if runs.block_signals is None else runs.block_signals[n],
            () if one.block_signals is None else one.block_signals,
        )
    return runs


@pytest.fixture
def together(monkeypatch):
    """Nothing runs singly."""
    refuse = "flown alone"

    def fly(plan):
        raise AssertionError(refuse)

    monkeypatch.setattr(batch_run, "fly_alone", fly)


def wheels() -> Any:
    made = plant.wheel_array(np.eye(3), inertia=0.02, torque_limit=0.03)
    return plant.Spacecraft(BODY, elements=made, torques=plant.TorqueBasis("body", internal=True))


def arm() -> Any:
    section = BeamSection(
        area=1e-3, second_moment_m=8e-9, second_moment_n=2e-8, youngs_modulus=7e9, shear_modulus=2.6e9, density=2700.0,
        damping_time=1e-2,
    )  # fmt: skip
    return plant.Spacecraft(BODY, elements=[Arm(section=section, length=1.0, elements=1, direction=(1, 0, 0))])


def noisy(t, y, q, z, v):
    """Counts its samples in its memory, and writes the count next to the rate with the draws of the run."""
    z[0] += 1.0
    for n in range(3):
        v[n] = y[n] + 1e-3 * z[0]


def drawn(t, y, q, z, v):
    a, b = draw_normals(q, z[0], 0)
    v[0], v[1], v[2] = y[0] + 1e-3 * a, y[1] + 1e-3 * b, y[2]
    z[0] += 1.0


def drawing() -> Any:
    return Block(drawn, reads="rate", writes="rate", clock=Clock(0.1), memory=(0,), random=True)


PULSES = [
    plant.TorquePulse((0.01, 0.0, 0.02), start=0.35, stop=1.27),
    plant.TorquePulse((0.0, 0.03, 0.0), start=-1.0, stop=0.8, basis=plant.TorqueBasis("inertial")),
]
TOGETHER: dict[str, Any] = {
    "plain slews": lambda: (RIGID, law_of(), RK4),
    "without a ledger": lambda: (RIGID, law_of(), {**RK4, "ledger": False}),
    "late commands, five steps a sample": lambda: (RIGID, law_of(delay=0.13), {**RK4, "step": 0.02}),
    "adaptive": lambda: (RIGID, law_of(), {"duration": 2.0, "output_step": 0.3}),
    "eighth order, no law": lambda: (RIGID, None, {**RK4, "integrator": "rk8"}),
    "pulses": lambda: (RIGID, law_of(), {**RK4, "torques": PULSES}),
    "Euler torque": lambda: (plant.Spacecraft(BODY, torques=plant.TorqueBasis("euler", "3-1-3")), None, RK4),
    "a moving reference": lambda: (
        RIGID,
        law_of(),
        {**RK4, "reference": controllers.SpinReference(rate=(0.0, 0.0, 0.1))},
    ),
    "crafts of their own": lambda: (
        [plant.Spacecraft(plant.RigidBody((4, 3, 2 + 0.1 * n)), torques=LIMITED) for n in range(COUNT)],
        law_of(),
        RK4,
    ),
    "laws and references of their own": lambda: (
        RIGID,
        [law_of(frequency=0.2 + 0.1 * n) for n in range(COUNT)],
        {**RK4, "reference": [controllers.FixedReference(e) for e in ATTITUDES[::-1]]},
    ),
    "memories": lambda: (
        RIGID,
        controllers.lqi(RIGID.linearize(RIGID.at_rest()), attitude=1.0, rate=1.0, integral=0.1, effort=1.0, sample=0.1),
        RK4,
    ),
    "wheels at their limits": lambda: (wheels(), law_of(wheels()), RK4),
    "an implicit integrator": lambda: (arm(), None, {"duration": 0.2, "integrator": "gauss4", "step": 0.02}),
    "in orbit": lambda: (
        plant.Spacecraft(BODY, torques=LIMITED, potentials=[plant.GravityGradient(mu=5e3)], translation=True),
        law_of(),
        {**RK4, "position": (20.0, 1.0, 3.0), "velocity": (0.0, 16.0, 0.0)},
    ),
    "a formulation": lambda: (RIGID, law_of(), {**RK4, "formulation": "lagrange-29"}),
    "blocks with memories": lambda: (
        RIGID,
        law_of(),
        {**RK4, "blocks": [Block(noisy, reads="rate", writes="rate", clock=Clock(0.05, delay=0.02), memory=(0.0,))]},
    ),
    "blocks that draw": lambda: (RIGID, law_of(), {**RK4, "blocks": [drawing()], "seed": 7}),
}


@pytest.mark.parametrize("what", TOGETHER)
@pytest.mark.usefixtures("together")
def test_side_by_side(what):
    craft, law, settings = TOGETHER[what]()
    runs = same(craft, law, **START, **settings)
    assert (runs.status == "completed").all()


def test_two_runs_draw_different_numbers():
    start = {"attitude": (1, 0, 0, 0), "rate": (0, 0, 0)}
    found = same(RIGID, law_of(), runs=3, blocks=[drawing()], seed=2, **start, **RK4)
    assert not np.array_equal(found.states[0], found.states[1])


def plain_law(t, y, r):
    return -0.01 * y[7:10]


def potential(c, e):
    return 0.01 * e[1] * e[2]


LQR = controllers.lqr(RIGID.linearize(RIGID.at_rest()), attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
MODES = Modes(
    [Mode("a", LQR, transitions=Transition("b", Condition("elapsed", above=0.5))), Mode("b", LQR, final=True)]
)
ALONE: dict[str, Any] = {
    "plain Python": lambda: (RIGID, law_of(), {**RK4, "compiled": False, "duration": 0.5}),
    "a plain Python law": lambda: (RIGID, controllers.CustomLaw(plain_law, sample=0.1, compiled=False), RK4),
    "a plain Python block": lambda: (
        RIGID,
        law_of(),
        {**RK4, "blocks": [Block(lambda t, y: 2.0 * y, reads="rate", writes="rate", clock=Clock(0.1), compiled=False)]},
    ),
    "a potential of the user's own": lambda: (
        plant.Spacecraft(BODY, torques=LIMITED, potentials=[plant.Potential(potential)]),
        law_of(),
        RK4,
    ),
    "a law with modes": lambda: (RIGID, MODES, {**RK4, "blocks": [MODES.block()]}),
}


COMPILES = {"a potential of the user's own", "a law with modes"}  # something individual


@pytest.mark.parametrize("what", [pytest.param(k, marks=[pytest.mark.slow] * (k in COMPILES)) for k in ALONE])
def test_simulate_batch_equals_runs_one_by_one(what):
    craft, law, settings = ALONE[what]()
    start = {name: rows[:3] for name, rows in START.items()}
    runs = same(craft, law, **start, **settings)
    assert (runs.status == "completed").all()


def failing(t, y, r, q, z, u):
    """Fails if the spacecraft rotates fast to one side."""
    u[0] = np.nan if y[7] > 0.05 and t > 0.25 else -0.01 * y[7]
    u[1] = u[2] = 0.0


def raising(t, e, omega, c, v):
    if t > 0.5 and omega[0] > 0.05:
        raise ValueError
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


STIFF = plant.MassSpringDamper(mass=0.1, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=1e5, damping=0.3)
SOFT = plant.MassSpringDamper(mass=0.1, point=(0.1, 0.2, 0.3), axis=(1, 1, 0), stiffness=10.0, damping=0.3)
DUAL = plant.TorqueBasis("dual-euler", "1-2-3")
ODD: dict[str, Any] = {
    "no unit attitude": lambda: (RIGID, law_of(), {**RK4, "attitude": ATTITUDES * [[1], [2], [1], [0], [1]]}),
    "a start that is not finite": lambda: (
        plant.Spacecraft(BODY, potentials=[plant.GravityGradient(mu=5e3)], translation=True),
        None,
        {**RK4, "position": np.outer(np.arange(COUNT), (20.0, 1.0, 3.0)), "velocity": (0.0, 16.0, 0.0)},
    ),
    "steps too long for some crafts": lambda: (
        [plant.Spacecraft(BODY, elements=[STIFF if n in (0, 3) else SOFT]) for n in range(COUNT)],
        None,
        RK4,
    ),
    "steps too long for some crafts, not for the first": lambda: (
        [plant.Spacecraft(BODY, elements=[STIFF if n in (1, 3) else SOFT]) for n in range(COUNT)],
        None,
        RK4,
    ),
    "a law that fails": lambda: (RIGID, controllers.CustomLaw(failing, sample=0.1), RK4),
    "an effort that raises": lambda: (plant.Spacecraft(BODY, user_forces=[plant.UserForce(raising)]), None, RK4),
    "a budget too small for some": lambda: (
        RIGID,
        None,
        {"duration": 20.0, "output_step": 5.0, "max_steps": 60, "rate": RATES * [[1], [30], [1], [1], [30]]},
    ),
    "a stiff plant": lambda: (
        plant.Spacecraft(BODY, elements=[plant.Wheel(axis=(1, 0, 0), inertia=1e-9, friction=1.0)]),
        None,
        {"duration": 1e5, "output_times": [1e5], "rate": RATES[:1], "attitude": ATTITUDES[:1]},
    ),
    "singular poses": lambda: (
        plant.Spacecraft(plant.RigidBody((3, 2, 1)), torques=DUAL),
        None,
        {
            "duration": 20.0,
            "output_step": 1.0,
            "amplification_limit": 20.0,
            "attitude": (1, 0, 0, 0),
            "rate": np.outer(np.linspace(0, 0.2, COUNT), (0, 1, 0)),
            "torques": [plant.TorquePulse((1e-3, 0, 0), start=0.5, stop=9.0, basis=DUAL)],
        },
    ),
    "steps too long for some": lambda: (
        RIGID,
        None,
        {**RK4, "step": 0.5, "rate": RATES * [[1], [30], [1], [1], [30]]},
    ),
}


@pytest.mark.parametrize("what", ODD)
def test_batch_faults_stay_in_their_runs(what):
    craft, law, settings = ODD[what]()
    runs = same(craft, law, **{**START, **settings})
    odd = runs.flagged if what == "steps too long for some" else np.flatnonzero(runs.status != "completed")
    assert 0 < odd.size < max(COUNT, 1 + len(runs))


@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("workers", [1, 3])
def test_neighbours_workers_and_order_make_no_difference(monkeypatch, lanes, workers):
    pattern = sim.simulate_batch(RIGID, law_of(), workers=1, **START, **RK4)
    monkeypatch.setattr(batch_run, "LANES", lanes)
    back = {name: rows[::-1] for name, rows in START.items()}
    runs = sim.simulate_batch(RIGID, law_of(), workers=workers, **back, **RK4)
    assert np.array_equal(runs.observables[::-1], pattern.observables)


@pytest.mark.usefixtures("together")
def test_run_of_many_looks_is_same(monkeypatch):
    monkeypatch.setattr("polhode.sim.runs.parallel_runs.STEPS_PER_CALL", 7)
    monkeypatch.setattr(batch_run, "steps_per_call", lambda craft: 7)
    same(RIGID, law_of(), **START, **RK4)


@pytest.mark.parametrize("workers", [1, 2])
def test_batch_interrupted_lists_missing_runs(monkeypatch, workers):
    monkeypatch.setattr(batch_run, "LANES", 1)
    pattern = sim.simulate_batch(RIGID, law_of(), **START, **RK4)

    def interrupt(share):
        raise KeyboardInterrupt

    start = {name: np.tile(rows, (40, 1)) for name, rows in START.items()}
    runs = sim.simulate_batch(RIGID, law_of(), workers=workers, progress=interrupt, **start, **RK4)
    flown = runs.status == "completed"
    assert flown[0]
    assert (runs.status[~flown] == "stopped").all()
    assert 0 < flown.sum() < flown.size
    assert np.isnan(runs.states[~flown]).all()
    for n in np.flatnonzero(flown):
        assert np.array_equal(runs.states[n], pattern.states[n % COUNT])


def test_progress_comes_to_one():
    shares = []
    sim.simulate_batch(RIGID, law_of(), progress=shares.append, **START, **RK4)
    assert shares[-1] == 1.0


def test_quantities_are_those_of_each_run():
    runs = sim.simulate_batch(RIGID, law_of(), **START, **RK4)
    each = list(runs)
    for name in ("attitude", "rate", "command", "attitude_error", "energy", "energy_balance", "momentum_balance"):
        found = runs.values(name)
        assert np.array_equal(found, [run.values(name) for run in each]), name
    assert each[2].warnings == alone(2, RIGID, law_of(), **START, **RK4).warnings
    with pytest.raises(InputError, match="attitude_eror"):
        runs.values("attitude_eror")
    with pytest.raises(InputError, match="there are runs 0 to 4; got 7"):
        runs[7]


def test_values_of_runs_that_ended_early_are_no_numbers():
    runs = sim.simulate_batch(RIGID, controllers.CustomLaw(failing, sample=0.1), **START, **RK4)
    early = runs.status == "failed"
    assert 0 < early.sum() < COUNT
    for name in ("rate", "energy_balance"):
        assert np.isnan(runs.values(name)[early, -1]).all()
        assert np.isfinite(runs.values(name)[~early]).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "the number of runs is unknown"),
        ({"attitude": ATTITUDES, "rate": RATES[:3]}, "different numbers of runs: attitude 5, rate 3"),
        ({"rate": np.zeros((0, 3))}, "at least 1 run; got 0"),
        ({"rate": RATES, "run_index": -1}, "run_index"),
        ({"rate": RATES, "run_index": 2**32 - 3}, "run_index"),
        ({"rate": RATES, "workers": 0}, "workers must be at least 1; got 0"),
        ({"rate": RATES, "stream": "runs.nc"}, "kept in memory, not in a stream"),
        ({"rate": RATES, "duration": -1.0}, "duration"),
        ({"attitude": 2.0 * ATTITUDES}, "attitude must be unit Euler parameters"),
        ({"craft": [RIGID, 3]}, "each craft must be"),
        ({"craft": [RIGID, wheels()]}, "the spacecraft of a batch must have the same states and signals"),
        ({"runs": 10**9, "output_step": 0.01}, "1,000,000,000 runs of .* need .* of memory"),
        ({"rate": RATES, "blocks": [drawing()]}, "seed"),
    ],
)
def test_batch_run_that_fails_names_the_reason(given, words):
    given = {"craft": RIGID, **RK4, **given}
    with pytest.raises(InputError, match=words):
        sim.simulate_batch(given.pop("craft"), law_of(), **given)


def test_misspelt_setting_is_named():
    with pytest.raises(InputError, match="'integrater' is unknown; did you mean 'integrator'"):
        sim.simulate_batch(RIGID, rate=RATES, integrater="rk4", duration=1.0)


def test_crafts_with_one_and_with_two_control_torques_do_not_fly_together():
    wheels = plant.wheel_array(np.eye(3), inertia=0.1)
    inside = plant.TorqueBasis("body", internal=True)
    one = plant.Spacecraft(plant.RigidBody((3, 2, 1)), elements=wheels, torques=inside)
    two = plant.Spacecraft(
        plant.RigidBody((3, 2, 1)), elements=wheels, torques=inside, external=plant.TorqueBasis("body")
    )
    with pytest.raises(InputError, match="two control torques; simulate the others in a separate batch"):
        sim.simulate_batch([one, two], duration=1.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"runs": "3"}, "runs must be a whole number"),
        ({"runs": 2, "workers": "2"}, "workers must be a whole number"),
        ({"runs": 2, "steps": 0.1}, "'steps' is unknown; did you mean 'step'"),
        ({"runs": 2, "duration": None}, "duration"),
    ],
)
def test_batch_refuses_single_run_arguments(given, said):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    with pytest.raises(InputError, match=said):
        sim.simulate_batch(craft, **{"duration": 1.0, **given})


def test_batch_rows_are_checked_before_the_runs(monkeypatch):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    runs = sim.simulate_batch(
        craft, rate=[(0, 0, 1), (0, 1, 0)], duration=1.0, output_times=[0.5, 1.0], integrator="rk4", step=0.1
    )
    whole = runs[1].values("rate")

    def flown(plan):
        raise AssertionError(plan)

    monkeypatch.setattr("polhode.sim.runs.batch_run.fly_alone", flown)
    assert np.array_equal(runs.values("rate")[1], whole)
    with pytest.raises(InputError, match="did you mean 'momentum'"):
        runs.values("momentun")
    with pytest.raises(InputError, match="is not in this run"):
        runs.values("attitude_error")


@pytest.mark.parametrize(("integrator", "step"), [("dop853", None), ("gauss4", 0.05), ("midpoint", 0.05)])
def test_batch_of_inertias_of_any_size_equals_single_runs(integrator, step):
    inertias = np.array([[2.0, 3.0, 4.0], [1e4, 1.2e4, 9e3], [1e-2, 1.2e-2, 0.9e-2]])
    rate = (1e-3, 2e-3, -1e-3) if step is None else (1.0, 2.0, -1.0)
    how = {"duration": 2e4 if step is None else 5.0, "output_step": 2e3 if step is None else 1.0}
    how |= {"integrator": integrator, "step": step}
    runs = sim.simulate_batch(plant.Spacecraft(plant.RigidBody((1, 1, 1))), inertia=inertias, rate=[rate] * 3, **how)
    for n, inertia in enumerate(inertias):
        single = sim.simulate(plant.Spacecraft(plant.RigidBody(inertia)), rate=rate, **how)
        assert np.array_equal(runs.states[n], single.states)


def test_default_step_with_arms_follows_the_start_of_each_run():
    section = BeamSection(
        area=2.5e-4, second_moment_m=5.2e-9, second_moment_n=5.2e-9, youngs_modulus=7.17e10, shear_modulus=2.68e10,
        density=2.8e3,
    )  # fmt: skip
    arm = Arm(section=section, length=20.0, elements=1, direction=(1, 0, 0), root=(0.5, 0, 0))
    craft = plant.Spacecraft(plant.RigidBody((300, 200, 300), mass=400.0), elements=[arm])
    rates, how = [(0, 0, 0), (1.5, 0, 0.01)], {"duration": 2.0, "output_step": 1.0}
    runs = sim.simulate_batch(craft, rate=rates, **how)
    for n, rate in enumerate(rates):
        single = sim.simulate(craft, rate=rate, **how)
        assert single.scheme.step == runs[n].scheme.step
        assert np.array_equal(runs.states[n], single.states)


def test_spacecraft_of_a_batch_may_differ_in_the_limits_of_their_wheels():
    def with_limits(speed, torque):
        motor = plant.Wheel(
            axis=(0, 0, 1), inertia=0.05, motor_torque=0.2, speed_limit=speed, torque_limit=torque, relative_rate=1.0
        )
        return plant.Spacecraft(BODY, elements=[motor])

    crafts = [with_limits(*each) for each in ((3.0, 1.0), (5.0, 0.1), (20.0, 1.0))]
    settings = {"rate": (0.1, 0.2, 0.3), "duration": 5.0, "step": 0.01, "integrator": "rk4"}
    runs = sim.simulate_batch(crafts, **settings)
    for k, craft in enumerate(crafts):
        alone = sim.simulate(craft, **settings)
        np.testing.assert_array_equal(runs.states[k], alone.states)
        np.testing.assert_array_equal(runs.values("hub_torque")[k], alone.values("hub_torque"))
        assert runs[k].warnings == alone.warnings
    assert runs.values("internal_rate")[0].max() == pytest.approx(3.0, rel=1e-3)  # each stops at its own limit
    assert runs.values("motor_torque")[1].max() == pytest.approx(0.1)
