"""Modes: rejected input, transitions, and hand-over between laws."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, BlockForm, Clock, Condition, Mode, Modes, Transition
from polhode.plant import InputError
from polhode.scenarios.report.metrics import measure

CRAFT = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
DAMPING = controllers.RateDamping(gain=1.0, sample=0.1)
MODEL = CRAFT.linearize(CRAFT.at_rest())
LQR = controllers.lqr(MODEL, attitude=1.0, rate=1.0, effort=1.0, sample=0.1)
LQI = controllers.lqi(MODEL, attitude=1.0, rate=1.0, integral=0.1, effort=1.0, sample=0.1)
LATER = Condition("elapsed", above=2.0)


def two(first, second, **of_first):
    of_first = {"transitions": Transition("b", LATER), **of_first}
    return Modes([Mode("a", first, **of_first), Mode("b", second, final=True)])


def fly(modes, *, before=(), compiled=False, **given):
    given = {
        "rate": (0.02, -0.01, 0.03),
        "duration": 6.0,
        "output_step": 0.1,
        "integrator": "rk4",
        "step": 0.05,
        **given,
    }
    blocks = [*before, modes.block(before)]
    return sim.simulate(CRAFT, modes, blocks=blocks, compiled=compiled, **given)


def way(to, **more):
    return Transition(to, Condition("rate", **{"below": 0.1, **more}))


@pytest.mark.parametrize(
    ("modes", "words"),
    [
        ([], "modes is empty"),
        ([Mode("a", DAMPING, final=True), Mode("a", LQR, final=True)], "two modes are called 'a'"),
        ([Mode("a", DAMPING, transitions=way("fine"))], "mode that 'a' goes to: 'fine' is unknown"),
        ([Mode("sun", DAMPING, transitions=way("fin")), Mode("fine", LQR, final=True)], "did you mean 'fine'"),
        ([Mode("a", DAMPING)], "can never be left; give it a transition, or final=True"),
        (
            [Mode("a", DAMPING, final=True, transitions=way("b")), Mode("b", LQR, final=True)],
            "is final but has a transition to 'b'",
        ),
        ([Mode("a", DAMPING, final=True), Mode("b", LQR, final=True)], "'b' can never be reached from 'a'"),
        ([Mode("a", DAMPING, transitions=way("a"))], "has a transition to itself"),
        (
            [Mode("a", DAMPING, transitions=way("b")), Mode("b", LQR, transitions=way("a", below=None, above=0.05))],
            "these conditions can hold at the same time, so the modes alternate endlessly",
        ),
        (
            [Mode("a", DAMPING, transitions=way("b")), Mode("b", LQR, transitions=way("a", below=0.2))],
            "'b' goes to 'a' when rate",
        ),
        (
            [Mode(here, DAMPING, transitions=way(to, lasting=1.0)) for here, to in ("ab", "bc", "ca")],
            "'a' goes to 'b' .*, 'b' goes to 'c' .*, 'c' goes to 'a' .* alternate endlessly; separate the thresholds",
        ),
        (
            [Mode(n, LQR, transitions=Transition(m, Condition("time", above=5.0))) for n, m in ("ab", "ba")],
            "time above 5 s",
        ),
        (
            [
                Mode(
                    "a",
                    DAMPING,
                    transitions=Transition("b", [Condition("rate", below=0.1), Condition("valid", above=0.5)]),
                ),
                Mode("b", LQR, transitions=way("a", below=0.2)),
            ],
            "alternate endlessly",
        ),
        (
            [
                Mode("a", DAMPING, dwell=9.0, transitions=Transition("b", Condition("elapsed", below=5.0))),
                Mode("b", LQR, final=True),
            ],
            "lasts 9 s at least",
        ),
        (
            [
                Mode(
                    "a", DAMPING, transitions=Transition("b", [Condition("rate", below=1), Condition("rate", above=2)])
                ),
                Mode("b", LQR, final=True),
            ],
            "are never both true",
        ),
        (
            [
                Mode("a", DAMPING, transitions=way("b")),
                Mode("b", controllers.RateDamping(gain=1.0, sample=0.2), final=True),
            ],
            "has a sample of 0.2 s, but the law of 'a' has 0.1 s",
        ),
    ],
)
def test_modes_reject_inconsistent_graphs(modes, words):
    with pytest.raises(InputError, match=words):
        Modes(modes)


@pytest.mark.parametrize(
    "modes",
    [
        [Mode("a", DAMPING, transitions=way("b")), Mode("b", LQR, transitions=way("a", below=None, above=0.1))],
        [Mode(n, LQR, transitions=Transition(m, [Condition("rate", below=1), LATER])) for n, m in ("ab", "ba")],
        [Mode("a", DAMPING, transitions=way("b")), Mode("b", LQR, transitions=Transition("a", Condition("valid",
        below=0.5)))],
        [
            Mode("a", DAMPING, transitions=[way("c"), way("b")]),
            Mode("b", LQR, transitions=way("a")),
            Mode("c", LQR, final=True),
        ],
        [
            Mode("a", LQR, transitions=Transition("b", Condition("attitude_error", below=0.1))),
            Mode(
                "b", LQR, transitions=Transition("a", Condition("attitude_error", below=0.1)),
                reference=controllers.FixedReference((0, 0, 0, 1)),
            ),
        ],
    ],
    ids=["thresholds that meet", "a clock", "two quantities", "a way that comes first", "two references"],
)  # fmt: skip
def test_modes_accept_transitions_that_need_not_hold_together(modes):
    assert len(Modes(modes).modes) == len(modes)


def test_modes_that_switch_constantly_cause_a_warning():
    """Each mode is left by a quantity that the other does not use, so no check can foresee it."""
    one = Mode("a", DAMPING, transitions=way("b", below=0.5))
    modes = Modes([one, Mode("b", LQR, transitions=Transition("a", Condition("rate_error", below=0.5)))])
    run = fly(modes, duration=12.0, output_step=1.5)
    said = [each for each in run.warnings if "switched" in each]
    assert len(said) == 1
    assert "the modes switched 120 times in 12 s, up to 120 times within a minute; the last time" in said[0]
    assert measure(run, settling_band_deg=0.1)["mode_switches_per_minute"].value == 120.0
    calm = fly(two(DAMPING, LQR), duration=12.0)
    assert not any("switched" in each for each in calm.warnings)
    assert measure(calm, settling_band_deg=0.1)["mode_switches_per_minute"].value == 1.0


def test_mode_rejects_bad_arguments():
    with pytest.raises(InputError, match="cannot replace 'command'"):
        Mode("a", DAMPING, remap={"command": "x"}, final=True)
    with pytest.raises(InputError, match="name of one line"):
        Mode(" ", DAMPING, final=True)
    with pytest.raises(InputError, match="limit of mode 'a'"):
        Mode("a", DAMPING, limit=-1.0, final=True)
    with pytest.raises(InputError, match="modes cannot contain modes"):
        Mode("a", two(DAMPING, LQR), final=True)
    with pytest.raises(InputError, match=r"mode 'c' is unknown"):
        two(DAMPING, LQR).mode("c")


def test_mode_rejects_signals_that_do_not_fit():
    wide = Block(lambda t, y: np.zeros(4), reads="rate", writes={"wide": 4}, clock=Clock(0.1), compiled=False)
    with pytest.raises(InputError, match="uses 'wide' as rate: it has 4 components, but rate has 3"):
        two(DAMPING, LQR, remap={"rate": "wide"}).block([wide])
    for quantity, words in (("wide", "name the one to use, such as 'wide.1'"), ("wide.5", "no component '5'")):
        modes = two(DAMPING, LQR, transitions=Transition("b", Condition(quantity, above=1)))
        with pytest.raises(InputError, match=words):
            modes.block([wide])
    modes = two(DAMPING, LQR, transitions=Transition("b", Condition("wired", above=1)))
    with pytest.raises(InputError, match="'wired' is unknown"):
        fly(modes, before=[wide.as_monitor()])
    with pytest.raises(InputError, match="reads 'mode', which no block writes"):
        sim.simulate(CRAFT, two(DAMPING, LQR), duration=1.0, compiled=False)


def test_mode_names_nearest_signal_for_misspelt_one():
    gyro = Block(lambda t, y: y, reads="rate", writes={"gyro": 3}, clock=Clock(0.1), compiled=False)
    with pytest.raises(InputError, match=r"signal for rate in mode 'a': 'gyroo' is unknown; did you mean 'gyro'\?"):
        two(DAMPING, LQR, remap={"rate": "gyroo"}).block([gyro])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Modes(3), "modes must be a list of Mode; got 3"),
        (lambda: Modes([Mode("a", DAMPING, final=True)]).block(3), "before must be a list of Block; got 3"),
        (lambda: Mode("a", DAMPING, limit="x", final=True), "limit of mode 'a' must be numbers"),
        (lambda: Transition("a", 3), "when must be a Condition, or a list of them; got 3"),
        (lambda: Mode("a", DAMPING, reference_from="entry"), "has no reference"),
        (
            lambda: Mode("a", LQR, reference=controllers.FixedReference(), reference_from="start"),
            r"reference_from of mode 'a': 'start' is unknown",
        ),
        (lambda: sim.mode_intervals(3), "run must be a Run"),
    ],
)
def test_modes_reject_other_bad_arguments(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.mark.parametrize("begins", [None, "entry", "run"])
def test_slew_begins_with_its_mode(begins):
    """Ten degrees from 2 s on, in a mode entered at 3 s: by the time of the run it has begun by then."""
    end = (np.cos(np.radians(5.0)), 0.0, 0.0, np.sin(np.radians(5.0)))
    slew = controllers.EigenaxisSlew((1, 0, 0, 0), end, begin=2.0, rate_limit=0.05, acceleration_limit=0.02)
    wait = Transition("b", Condition("elapsed", above=3.0))
    modes = Modes(
        [
            Mode("a", LQR, reference=controllers.FixedReference(), transitions=wait),
            Mode("b", LQR, reference=slew, reference_from=begins, final=True),
        ]
    )
    run = fly(modes, rate=(0, 0, 0), duration=12.0)
    entered = 0.0 if begins == "run" else 3.0
    after = run.t > 3.05
    wanted = np.array([slew.at(t - entered)[:4] for t in run.t[after]])
    shown = run.values("reference_for_law")[after, :4]
    held = (run.t[after] * 10).round().astype(int)  # a row and a sample each 0.1 s
    np.testing.assert_allclose(shown[held < 120], wanted[held < 120], atol=1e-12)
    # and the error of the rows is from that
    turned = 2.0 * np.arctan2(wanted[:, 3], wanted[:, 0])
    e = run.values("attitude")[after]
    np.testing.assert_allclose(
        run.values("error_vector")[after][:, 2], 2.0 * np.arctan2(e[:, 3], e[:, 0]) - turned, atol=1e-9
    )
    assert turned[0] == 0.0 if begins != "run" else turned[0] > 0.005


def gone_through(conditions, rates, *, dwell=0.0, to=("b",)):
    """Return the mode at each sample of 1 s, for given magnitudes of the rate."""
    law = controllers.RateDamping(gain=1.0, sample=1.0)
    ends = [Mode(name, law, final=True) for name in to]
    ways = [Transition(name, each) for name, each in zip(to, conditions, strict=True)]
    block = Modes([Mode("a", law, transitions=ways, dwell=dwell), *ends]).block()
    rows = np.zeros((len(rates), 17))
    rows[:, 0], rows[:, 7] = 1.0, 1.0  # the attitude and that of the reference
    rows[:, 4] = rates
    return block.replay(np.arange(len(rates), dtype=float), rows, compiled=False)


def test_mode_thresholds_hysteresis_dwell_and_order():
    rates = [3.0, 0.9, 1.5, 0.9, 0.9, 2.5, 0.9, 0.9, 0.9, 0.9]
    below = Condition("rate", below=1.0)
    assert gone_through([below], rates)[:, 0].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    # uninterrupted for 2 s: the 1.5 at 2 s and the 2.5 at 5 s interrupt it
    lasting = gone_through([Condition("rate", below=1.0, lasting=2.0)], rates)
    assert np.flatnonzero(lasting[:, 0])[0] == 8
    # released above 2 only: the 1.5 is no interruption, and it holds from 1 s on
    slack = gone_through([Condition("rate", below=1.0, release=2.0, lasting=2.0)], rates)
    assert np.flatnonzero(slack[:, 0])[0] == 3
    assert np.flatnonzero(gone_through([below], rates, dwell=6.0)[:, 0])[0] == 6
    both = gone_through([[below, Condition("time", above=4.0)]], rates)
    assert np.flatnonzero(both[:, 0])[0] == 4
    # of two open transitions the first is taken; cause, time of entry and count are written
    first = gone_through([below, Condition("elapsed", above=1.0)], rates, to=("b", "c"))
    assert first[1, :4].tolist() == [1, 1, 1, 1]
    second = gone_through([Condition("rate", below=0.5), Condition("elapsed", above=1.0)], rates, to=("b", "c"))
    assert second[1, :4].tolist() == [2, 2, 1, 1]
    assert gone_through([Condition("rate", above=2.0)], [0.0, 1.0, 3.0])[:, 0].tolist() == [0, 0, 1]


def test_condition_errors_use_the_reference_of_the_mode():
    """A rotation of 40 deg about the axis of the reference: an angle of 30 deg to one of 10 deg."""

    def turned(angle):
        return np.array((np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)))

    spin = controllers.SpinReference(turned(np.radians(10.0)), rate=(0.0, 0.0, 0.5))
    for quantity, value in (("attitude_error", np.radians(30.0)), ("rate_error", 0.2), ("rate", 0.7)):
        for factor, entered in ((0.999, True), (1.001, False)):
            modes = two(
                DAMPING, LQR, reference=spin, transitions=Transition("b", Condition(quantity, above=factor * value))
            )
            row = np.concatenate((turned(np.radians(40.0)), (0.0, 0.0, 0.7), (1.0,), np.zeros(9)))
            v = modes.block().replay([0.0], row[None], compiled=False)
            assert bool(v[0, 0] == 1.0) is entered, (quantity, factor)


def test_modes_of_equal_laws_equal_one_law():
    """To the bit for laws without memory; integrators converge to the same disturbance again."""
    alone = sim.simulate(
        CRAFT, LQR, rate=(0.02, -0.01, 0.03), duration=6.0, output_step=0.1, integrator="rk4", step=0.05, compiled=False
    )
    assert np.array_equal(fly(two(LQR, LQR)).x, alone.x)
    push = plant.TorquePulse((0.01, -0.02, 0.03), start=0.0, stop=100.0)
    settled = two(LQI, LQI, transitions=Transition("b", Condition("elapsed", above=80.0)))
    turns = fly(settled, rate=(0, 0, 0), torques=[push], duration=100.0, step=0.1)
    late = turns.t > 79.0
    # the error remaining at 80 s; without the start of the integrators it is 0.03 rad
    assert np.abs(turns.values("error_vector")[late]).max() < 1e-6


def last_and_first(run):
    rows = np.flatnonzero(run.values("mode") == 1.0)
    command = run.values("command")
    return command[rows[0] - 1], command[rows[0]]


def test_law_with_integrators_takes_over_bumplessly():
    push = plant.TorquePulse((0.01, -0.02, 0.03), start=0.0, stop=100.0)
    before, after = last_and_first(fly(two(LQR, LQI), torques=[push]))
    jumps = np.subtract(*last_and_first(fly(two(LQI, LQR), torques=[push])))
    assert np.abs(after - before).max() < 1e-14
    assert np.abs(jumps).max() > 1e-3  # state feedback has no memory to initialise


def test_mode_fade_blends_the_command_step_evenly():
    push = plant.TorquePulse((0.01, -0.02, 0.03), start=0.0, stop=100.0)
    modes = Modes([Mode("a", LQI, transitions=Transition("b", LATER)), Mode("b", LQR, final=True, blend_time=1.0)])
    run = fly(modes, torques=[push])
    before, after = last_and_first(run)
    assert np.abs(after - before).max() < 1e-15
    # the added command is 1, 0.9, 0.8 ... of the step
    rows = np.flatnonzero(run.values("mode") == 1.0)
    error, rate = run.values("error_vector")[rows], run.values("rate")[rows]
    own = -np.hstack((2.0 * np.sin(error / 2.0), rate * [3.0, 2.0, 1.0])) @ LQR.gain.T
    added = (run.values("command")[rows] - own)[:12, 2]
    share = np.maximum(1.0 - 0.1 * np.arange(12), 0.0)
    assert added / added[0] == pytest.approx(
        share, abs=1e-4
    )  # the sines of three small angles for that of their vector


def test_stored_past_commands_become_the_last_command():
    late = controllers.lqr(MODEL, attitude=1.0, rate=1.0, effort=1.0, sample=0.1, delay=0.2)
    missing, past = late.bumpless_gains()
    assert not missing.any()
    assert past[:6].tolist() == np.tile(np.eye(3), (2, 1)).tolist()
    assert not past[6:].any()
    slow = controllers.RateDamping(gain=1.0, sample=0.1, delay=0.2)
    run = fly(two(slow, late))
    assert run.status == "completed"


def test_mode_limits_apply_to_its_command():
    run = fly(two(LQR, LQR, limit=(0.001, 0.002, 0.003)))
    first = run.values("mode") == 0.0
    most = np.abs(run.values("command")[first]).max(axis=0)
    assert most.tolist() == [0.001, 0.002, 0.003]
    assert np.abs(run.values("command")[~first]).max() > 0.005


def copied(name, factor):
    return Block(
        lambda t, y: factor * y, reads="rate", writes={name: 3}, clock=Clock(0.1), compiled=False,
        linear=BlockForm(D=factor * np.eye(3)),
    )  # fmt: skip


def test_mode_sees_replaces_measurements_of_its_law():
    before = [copied("half", 0.5), copied("twice", 2.0)]
    modes = Modes(
        [
            Mode("a", DAMPING, remap={"rate": "half"}, transitions=Transition("b", LATER)),
            Mode("b", DAMPING, remap={"rate": "twice"}, transitions=Transition("c", LATER)),
            Mode("c", DAMPING, final=True),
        ]
    )
    run = fly(modes, before=before)
    share = run.values("rate_for_law")[:-1, 2] / run.values("rate")[:-1, 2]
    # rows are at the samples, where the held value was just measured; the last one is the end
    assert share == pytest.approx(np.array([0.5, 2.0, 1.0])[run.values("mode")[:-1].astype(int)])
    law, blocks = modes.alone("b", [*before, modes.block(before)])
    assert law is DAMPING
    assert blocks[-1].small_signal(np.ones(3), width=3).D.tolist() == np.eye(3).tolist()
    assert [block.name for block in modes.alone("c", [*before, modes.block(before)])[1]] == ["<lambda>", "<lambda>"]


def test_margins_of_one_mode():
    modes = two(DAMPING, LQR)
    assert modes.margins_of("b").to_dict() == LQR.margins().to_dict()
    with pytest.raises(plant.DesignError, match="use the margins of a single mode, one of a, b"):
        modes.margins(MODEL)


def test_modes_accept_a_plain_python_law():
    mine = controllers.CustomLaw(lambda t, y, r: -y[7:10], sample=0.1, compiled=False)
    kernel = fly(two(DAMPING, LQR))
    plain = fly(two(mine, LQR))
    assert not two(mine, LQR).compiled
    assert np.abs(plain.x - kernel.x).max() < 1e-16


def test_cycle_search_that_ends_early_is_reported():
    """Ten modes, with transitions between all of them on different quantities, have a million cycles."""
    vectors = [f"{name}.{axis}" for name in ("rate", "momentum") for axis in "xyz"]
    quantities = dict(enumerate([*vectors, "rate", "rate_error", "attitude_error", "time"]))

    def modes(count):
        def ways(n):
            when = Condition(quantities[n], above=100.0)
            return [Transition(f"m{k}", when) for k in range(count) if k != n]

        return Modes([Mode(f"m{n}", DAMPING, transitions=ways(n)) for n in range(count)])

    for count, checked in ((3, True), (10, False)):
        found = modes(count)
        assert found.cycles_checked == checked
        run = fly(found, duration=0.5)
        assert any("only 100,000 cycles of modes were checked" in each for each in run.warnings) != checked
