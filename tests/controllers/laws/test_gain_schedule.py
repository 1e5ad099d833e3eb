"""Gain schedule: exact at its points, linear form against differences of the kernel, range, bad input."""

import pickle

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.plant.errors import DesignError, InputError

BODY = plant.RigidBody((4.0, 5.0, 6.0))
SPINS = (0.1, 0.3, 0.9)
WHEELS = (np.eye(3), 0.05)


def craft_of(*, wheels=False, torque=1.0):
    elements = plant.wheel_array(WHEELS[0], inertia=WHEELS[1]) if wheels else ()
    return plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=torque), elements=elements)


def model_at(craft, spin):
    return craft.linearize(craft.spinning((0.0, 0.0, spin)))


def lqr(model, *, attitude=1.0, **timing):
    return controllers.lqr(model, attitude=attitude, rate=1.0, effort=1.0, sample=0.1, **timing)


def lqi(model, integral):
    return controllers.lqi(model, attitude=1.0, rate=1.0, effort=1.0, integral=integral, sample=0.1)


def spun(craft, variable="rate", **more):
    laws = [lqr(model_at(craft, spin), attitude=1.0 + spin, delay=0.05) for spin in SPINS]
    return controllers.GainSchedule(laws, SPINS, variable=variable, **more)


def commands(law, t, y, r, memory):
    u, z = np.full(3, np.nan), np.array(memory, dtype=float)
    law.kernel(t, np.asarray(y, dtype=float), np.asarray(r, dtype=float), law.parameters, z, u)
    return u, z


@pytest.mark.parametrize("point", range(3))
def test_schedule_at_point_runs_as_its_law_to_the_last_bit(point):
    craft = craft_of()
    schedule = spun(craft, "reference-rate")
    spin = SPINS[point]
    flight = {
        "reference": controllers.SpinReference(rate=(0.0, 0.0, spin)),
        "state": craft.state(attitude=from_rotation_vector((0.3, -0.2, 0.1)), rate=(0.02, 0.0, spin)),
        "duration": 8.0,
    }
    one, other = (sim.simulate(craft, law, **flight) for law in (schedule, schedule.laws[point]))
    assert np.array_equal(one.states, other.states)
    assert np.array_equal(one.inputs, other.inputs)
    wrong = sim.simulate(craft, schedule.laws[point - 1], **flight)
    assert not np.array_equal(one.states, wrong.states)


def test_compiled_and_plain_run_agree_while_the_rate_passes_all_points():
    craft = craft_of()
    schedule = spun(craft)
    flight = {
        "reference": controllers.SpinUp(rate=(0, 0, 0.9), acceleration=0.08),
        "state": craft.at_rest(),
        "duration": 12.0,
    }
    one, other = (sim.simulate(craft, schedule, **flight, compiled=each) for each in (True, False))
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-13)
    assert float(one.values("rate")[-1, 2]) == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("spin", [0.2, 0.3, 0.75])
def test_linear_form_matches_differences_of_kernel(spin):
    """Central differences of command and next memory over rotation and rate, with integrators."""
    craft = craft_of()
    laws = [lqi(model_at(craft, each), 0.01 + 0.1 * each) for each in SPINS]
    schedule = controllers.GainSchedule(laws, SPINS)
    model = model_at(craft, spin)
    form, measured, _ = schedule.small_signal(model)
    assert not measured
    n = form.order
    assert n == laws[0].compensator.order > 0
    attitude, rate, h = np.array((1.0, 0.0, 0.0, 0.0)), np.array((0.0, 0.0, spin)), 1e-6
    r = np.concatenate((attitude, rate, np.zeros(3)))

    def at(off, memory):
        e = quaternion_product(attitude, from_rotation_vector(off[:3]))
        w = rate + off[3:]
        u, z = commands(schedule, 0.0, np.concatenate((BODY.inertia @ w, e, w)), r, memory)
        return np.concatenate((u, z[:n]))

    start = schedule.memory
    slopes = np.array([(at(s, start) - at(-s, start)) / (2 * h) for s in h * np.eye(6)]).T
    np.testing.assert_allclose(slopes, np.vstack((form.D, form.B)), atol=2e-8)
    steps = np.zeros((n, start.size))
    steps[:, :n] = h * np.eye(n)
    slopes = np.array([(at(np.zeros(6), start + s) - at(np.zeros(6), start - s)) / (2 * h) for s in steps]).T
    np.testing.assert_allclose(slopes, np.vstack((form.C, form.A)), atol=2e-8)


def test_linear_form_has_the_coupling_of_a_feed_forward_that_changes():
    """Laws for two inertias on an inclined spin: the torque at rest depends on the variable."""
    spin = np.array((0.1, 0.0, 0.3))
    laws = []
    for scale in (1.0, 1.5):
        craft = plant.Spacecraft(plant.RigidBody((4.0, 5.0, 6.0 * scale)))
        laws.append(lqr(craft.linearize(craft.spinning((0.0, 0.0, 0.3)))))
    schedule = controllers.GainSchedule(laws, (0.0, 0.5))
    craft = craft_of()
    model = craft.linearize(craft.spinning(spin), allow_nonequilibrium=True)
    form = schedule.small_signal(model).compensator
    r = np.concatenate(((1.0, 0.0, 0.0, 0.0), spin, np.zeros(3)))
    slopes = []
    for step in 1e-6 * np.eye(3):
        ends = [
            commands(schedule, 0.0, np.concatenate((BODY.inertia @ w, (1.0, 0, 0, 0), w)), r, schedule.memory)[0]
            for w in (spin + step, spin - step)
        ]
        slopes.append((ends[0] - ends[1]) / 2e-6)
    np.testing.assert_allclose(np.array(slopes).T, form.D[:, 3:6], atol=1e-8)
    gains = 0.4 * laws[0].compensator.D + 0.6 * laws[1].compensator.D
    assert np.abs(form.D[:, 3:6] - gains[:, 3:6]).max() > 1e-3  # the coupling is not zero


def test_loop_between_points_is_that_of_the_interpolated_gains():
    craft = craft_of()
    schedule = spun(craft)
    model = model_at(craft, 0.6)
    half = {
        name: 0.5 * sum(getattr(schedule.laws[k].compensator, name) for k in (1, 2))
        for name in ("A", "B", "C", "D", "tracking")
    }
    middle = controllers.LinearFeedback(controllers.Compensator(**half), model, sample=0.1, delay=0.05)
    np.testing.assert_allclose(schedule.closed_loop_poles(model), middle.closed_loop_poles(model), atol=1e-12)
    np.testing.assert_allclose(schedule.held(0.6).closed_loop_poles(model), middle.closed_loop_poles(model), atol=1e-12)


def test_momentum_of_wheels_is_the_variable():
    craft = craft_of(wheels=True)
    laws = [lqr(craft.linearize(craft.at_rest()), attitude=each) for each in (1.0, 4.0)]
    schedule = controllers.GainSchedule(laws, (0.0, 10.0), variable="momentum", axis=(0, 2, 0))
    wheel = np.array((7.0, 100.0, -3.0))  # rad/s relative to the body: 5 N m s along y
    state = craft.state(rate=(0.1, 0.2, -0.1), internal_rate=wheel)
    y = np.concatenate((state[:7], craft.rate(state), state[7:]))
    y[3:7] = from_rotation_vector((0.1, 0.2, 0.3))
    r = np.array((1.0, *np.zeros(9)))
    u, _ = commands(schedule, 0.0, y, r, schedule.memory)
    D = 0.5 * (laws[0].compensator.D + laws[1].compensator.D)
    expected = D @ np.concatenate((2.0 * y[4:7], craft.rate(state)))
    np.testing.assert_allclose(u, expected, rtol=1e-9)
    model = craft.linearize(craft.state(internal_rate=wheel))
    assert schedule.value_at(model) == pytest.approx(5.0)
    form = schedule.small_signal(model)
    assert not form.measured
    np.testing.assert_allclose(form.compensator.D, D, atol=1e-12)
    with pytest.raises(InputError, match="momentum of wheels, but the spacecraft has no elements"):
        sim.simulate(craft_of(), schedule, attitude=(0.8, 0.6, 0, 0), duration=1.0)


def test_parameter_follows_its_table_in_time():
    craft = craft_of()
    laws = [lqr(craft.linearize(craft.at_rest()), attitude=each) for each in (1.0, 2.0, 5.0)]
    table = [[0.0, 30.0], [10.0, 10.0], [20.0, 0.0]]
    schedule = controllers.GainSchedule(laws, (0.0, 10.0, 30.0), variable="parameter", parameter=table)
    y = np.concatenate((np.zeros(3), from_rotation_vector((0.1, 0.2, 0.3)), np.zeros(3)))
    r = np.array((1.0, *np.zeros(9)))
    for t in (0.0, 2.5, 10.0, 13.0, 20.0, 99.0):
        value = float(np.interp(t, *np.array(table).T))
        one, other = (
            commands(law, t, y, r, law.memory)[0] for law in (schedule, controllers.GainSchedule(
                laws, (0.0, 10.0, 30.0), variable="parameter", parameter=value
            ))
        )  # fmt: skip
        np.testing.assert_allclose(one, other, rtol=1e-14)
    own = commands(laws[1], 10.0, y, r, laws[1].memory)[0]
    assert np.array_equal(commands(schedule, 10.0, y, r, schedule.memory)[0], own)


def test_run_that_leaves_the_range_is_warned():
    craft = craft_of()
    schedule = spun(craft)
    runs = [
        sim.simulate(
            craft, schedule, reference=controllers.SpinReference(rate=(0, 0, spin)), state=craft.spinning((0, 0, spin)),
            duration=5.0,
        )
        for spin in (0.9, 1.2)
    ]  # fmt: skip
    assert not runs[0].warnings
    assert len(runs[1].warnings) == runs[1].warned == 1
    assert "reaches 1.2 rad/s, outside its points from 0.1 to 0.9 rad/s (first at 0 s)" in runs[1].warnings[0]


def test_nonlinear_laws_are_interpolated_too():
    craft = craft_of()
    laws = [
        controllers.quaternion_feedback(craft, frequency=each, damping_ratio=0.7, sample=0.1) for each in (0.4, 0.8)
    ]
    schedule = controllers.GainSchedule(laws, (0.0, 1.0), variable="parameter", parameter=0.25)
    law = schedule.at_value(0.25)
    np.testing.assert_allclose(law.stiffness, 0.75 * laws[0].stiffness + 0.25 * laws[1].stiffness, rtol=1e-14)
    flight = {"attitude": (0.8, 0.6, 0.0, 0.0), "rate": (0.02, -0.01, 0.03), "duration": 5.0}
    one, other = (sim.simulate(craft, each, **flight) for each in (schedule, law))
    np.testing.assert_allclose(one.states, other.states, atol=1e-14)


def test_schedule_within_modes_runs_as_the_schedule():
    craft = craft_of()
    schedule = spun(craft, "reference-rate")
    modes = controllers.Modes([controllers.Mode("only", schedule, final=True)])
    flight = {
        "reference": controllers.SpinReference(rate=(0.0, 0.0, 0.5)),
        "state": craft.state(attitude=from_rotation_vector((0.3, -0.2, 0.1)), rate=(0.0, 0.0, 0.5)),
        "duration": 5.0,
    }
    one = sim.simulate(craft, schedule, **flight)
    other = sim.simulate(craft, modes, blocks=[modes.block()], **flight)
    assert np.array_equal(one.states, other.states)


def test_schedule_survives_pickling():
    craft = craft_of()
    schedule = spun(craft)
    again = pickle.loads(pickle.dumps(schedule))
    assert np.array_equal(again.parameters[1:], schedule.parameters[1:])
    assert np.array_equal(again.values, schedule.values)


def test_scalars_change_one_point():
    schedule = spun(craft_of())
    value, with_it = schedule.scalars()["point_2_D_1_1"]
    changed = with_it(2.0 * value)
    assert changed.laws[1].compensator.D[0, 0] == 2.0 * value
    assert changed.laws[0] is schedule.laws[0]
    assert schedule.scalar_units()["point_2_D_1_1"] == "N m/rad"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": (0.1, 0.3)}, "one value for each law; got 2 for 3"),
        ({"values": (0.1, 0.9, 0.3)}, "must ascend; value 3 is 0.3 after 0.9"),
        ({"values": (0.1, 0.1, 0.3)}, "must ascend; value 2 is 0.1 after 0.1"),
        ({"axis": (0, 0, 0)}, "axis must be three numbers, not all zero"),
        ({"variable": "parameter"}, "give parameter"),
        ({"parameter": 1.0}, "omit parameter"),
        ({"variable": "parameter", "parameter": [[0, 1], [0, 2]]}, "times of the parameter table must ascend"),
        ({"variable": "fuel"}, "variable"),
        ({"laws": lambda laws: laws[:1], "values": (0.1,)}, "2 points or more; got 1"),
        (
            {"laws": lambda laws: (*laws[:2], controllers.RateDamping(gain=1.0, sample=0.1, delay=0.05))},
            "same structure",
        ),
        (
            {"laws": lambda laws: (*laws[:2], controllers.RateDamping(gain=1.0, sample=0.2, delay=0.05))},
            "sample of 0.2",
        ),
        (
            {"laws": lambda laws: [controllers.CustomLaw(lambda t, y, r: -y[7:10], sample=0.1, compiled=False)] * 3},
            "a plain function or a program",
        ),
    ],
)
def test_faulty_schedule_is_refused_by_one_sentence(change, message):
    laws = spun(craft_of()).laws
    given = {"laws": laws, "values": SPINS, **change}
    if callable(given["laws"]):
        given["laws"] = given["laws"](laws)
    with pytest.raises(InputError, match=message) as caught:
        controllers.GainSchedule(**given)
    assert "\n" not in str(caught.value)


def test_law_that_differs_in_more_than_gains_has_no_single_law():
    heavy = plant.Spacecraft(plant.RigidBody((8, 9, 7)), torques=craft_of().torques)
    laws = [lqr(each.linearize(each.at_rest())) for each in (craft_of(), heavy)]
    schedule = controllers.GainSchedule(laws, (0.0, 1.0), variable="parameter", parameter=0.5)
    with pytest.raises(DesignError, match=r"use held\(\)"):
        schedule.at_value(0.5)
    assert schedule.at_value(1.0) is schedule.laws[1]


def test_laws_for_different_torque_limits_are_refused_until_they_are_equal():
    """Memory of each law assumes a limit: between an infinite and a finite one there is none to interpolate."""
    unlimited, limited = craft_of(torque=None), craft_of(torque=0.05)
    laws = [lqi(each.linearize(each.at_rest()), integral=0.2) for each in (unlimited, limited)]
    with pytest.raises(InputError, match=r"at 1 has torque limits of \(0.05, 0.05, 0.05\) N m, .* first law has \(inf"):
        controllers.GainSchedule(laws, (0.0, 1.0), variable="parameter", parameter=1.0)
    equal = [each.limited_to(limited.torques) for each in laws]
    schedule = controllers.GainSchedule(equal, (0.0, 1.0), variable="parameter", parameter=1.0)
    runs = [sim.simulate(limited, law, rate=(0.05, 0.02, 0.01), duration=5.0) for law in (schedule, laws[1])]
    np.testing.assert_array_equal(runs[0].states, runs[1].states)


def test_hand_over_never_enlarges_the_command_step():
    """Share of the step that the integrators take over: all at the point of the largest gain, less at the other."""
    craft = craft_of()
    laws = [lqi(craft.linearize(craft.at_rest()), integral=each) for each in (0.05, 5.0)]
    for points in (laws, laws[::-1]):
        schedule = controllers.GainSchedule(points, (0.0, 1.0), variable="parameter", parameter=0.5)
        missing, _ = schedule.bumpless_gains()
        low, high = (np.linalg.eigvals(each.compensator.C @ missing[: each.compensator.order]) for each in laws)
        np.testing.assert_allclose(high, np.ones(3), rtol=1e-9)
        assert (low.real > 0.0).all()
        assert (low.real < 0.5).all()


def test_peak_between_rows_is_warned_about():
    """A spin-up passes the last point and returns between two rows; the value is that of the reference at a sample."""
    craft = craft_of()
    schedule = spun(craft, "reference-rate")

    def bump(t, q, r):
        r[:] = 0.0
        r[0], r[6] = 1.0, 1.2 if abs(t - 2.0) < 0.15 else 0.5

    run = sim.simulate(
        craft, schedule, reference=controllers.CustomReference(bump), state=craft.spinning((0, 0, 0.5)), duration=4.0,
        output_step=1.3,
    )  # fmt: skip
    assert not any(abs(t - 2.0) < 0.15 for t in run.t)
    (words,) = (each for each in run.warnings if "gain schedule" in each)
    assert "reaches 1.2 rad/s, outside its points from 0.1 to 0.9 rad/s (first at 1.9 s)" in words


def test_every_entry_of_a_repeated_mode_is_checked():
    """A reference that counts from the entry exceeds the range in the first of two entries only."""
    craft = craft_of(torque=None)
    schedule = controllers.GainSchedule(spun(craft).laws, (0.0, 0.3, 0.9), variable="reference-rate")
    ramp = controllers.SpinUp(rate=(0, 0, 1.2), acceleration=0.4)
    spin = controllers.Mode(
        "spin",
        schedule,
        reference=ramp,
        transitions=controllers.Transition("wait", controllers.Condition("elapsed", above=3.5)),
    )
    wait = controllers.Mode(
        "wait",
        schedule.laws[0],
        transitions=controllers.Transition("spin", controllers.Condition("elapsed", above=1.0)),
    )
    modes = controllers.Modes([spin, wait])
    run = sim.simulate(craft, modes, blocks=[modes.block()], state=craft.at_rest(), duration=6.0, output_step=3.0)
    (words,) = (each for each in run.warnings if "gain schedule" in each)
    assert words.startswith("mode spin: the reference rate of the gain schedule reaches 1.2 rad/s")
    assert "(first at 2.3 s)" in words  # 0.4 t > 0.9 + 0.01 0.9 from 2.2725 s on, at a sample of 0.1 s
