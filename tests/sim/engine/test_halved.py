"""Halved implicit steps with every other event that divides, ends or repeats a run.

A wheel with Coulomb friction over 1e-6 rad/s sticks after 0.6 s: no step of 0.1 s has a solution there, and its parts
go down to microseconds.
"""

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.engine.halved import MOST_TRIALS
from polhode.sim.runs import drive

BODY = plant.RigidBody((14, 11, 9))
ATTITUDE = np.array((0.96, 0.1, 0.2, 0.15)) / np.linalg.norm((0.96, 0.1, 0.2, 0.15))
STEP = 0.1
START = {"attitude": ATTITUDE, "rate": (0.05, -0.03, 0.08), "duration": 1.0, "integrator": "gauss4", "step": STEP}


def craft(**loads: Any) -> plant.Spacecraft:
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.06, coulomb=0.5, coulomb_rate=1e-6, relative_rate=5.0)
    return plant.Spacecraft(BODY, elements=[wheel], **loads)


def law(**timing: float) -> controllers.QuaternionFeedback:
    return controllers.QuaternionFeedback(inertia=BODY.inertia, stiffness=4.0, damping=9.0, **{"sample": 0.2} | timing)


def push(t, e, omega, c, v):
    return (0.3 * np.cos(2.0 * t), -0.2 * omega[1], 0.0 if t < 0.55 else 1.0, 0.0, 0.0, 0.0)


def low(t, y, q, z, v):
    for n in range(3):
        z[n] = 0.9 * z[n] + 0.1 * y[n]
        v[n] = z[n]


def jump(t, q, r):
    for n in range(10):
        r[n] = 0.0
    r[0] = 1.0 if t < 0.5 else 0.8
    r[3] = 0.0 if t < 0.5 else 0.6


def modes() -> dict[str, Any]:
    """Damping at first, pointing below 0.06 rad/s, and damping again for 0.4 s from 0.5 s on."""
    rate = controllers.Condition("rate", below=0.06)
    late = controllers.Condition("time", above=0.5)
    again = controllers.RateDamping(gain=20.0, sample=0.1)
    both = controllers.Modes(
        [
            controllers.Mode("damping", again, transitions=controllers.Transition("pointing", rate)),
            controllers.Mode("pointing", law(sample=0.1), transitions=controllers.Transition("braking", late)),
            controllers.Mode("braking", again, final=True),
        ]
    )
    return {"law": both, "blocks": [both.block()]}


def pulse(start: float, stop: float, **more: Any) -> plant.TorquePulse:
    return plant.TorquePulse((1.0, 0.5, -2.0), start=start, stop=stop, **more)


DUAL = plant.TorqueBasis("dual-euler", "1-2-3")
CLOCKED = controllers.Block(
    low, reads="rate", writes="rate", clock=controllers.Clock(0.03, offset=0.011), memory=np.zeros(3)
)
CASES: dict[str, Any] = {
    "free": dict,
    "law": lambda: {"law": law()},
    "delay of a fraction of the sample": lambda: {"law": law(delay=0.137)},
    "delay of a fraction of the step": lambda: {"law": law(delay=0.013)},
    "pulse inside a step": lambda: {"torques": [pulse(0.52, 0.58)]},
    "pulse while the wheel sticks": lambda: {"torques": [pulse(0.5963, 0.5967)]},
    "shaped pulse": lambda: {"torques": [pulse(0.5, 0.7, shape="raised-cosine")]},
    "load of the user": lambda: {"craft": craft(user_forces=[plant.UserForce(push, breakpoints=(0.55,))])},
    "block on its own clock": lambda: {"law": law(), "blocks": [CLOCKED]},
    "modes": modes,
    "reference that jumps": lambda: {"law": law(), "reference": controllers.CustomReference(jump)},
    "singular pose passed": lambda: {
        "torques": [plant.TorquePulse((0, 0, 0.1), start=0.0, stop=20.0, basis=DUAL)], "rate": (0.0, 3.0, 0.3)
    },
}  # fmt: skip


def arguments(name: str, **more: Any) -> dict[str, Any]:
    return {"craft": craft(), "law": None} | START | CASES[name]() | more


def run_of(settings: dict[str, Any], **more: Any) -> sim.Run:
    return sim.simulate(**settings | more)


def assert_same(one: sim.Run, other: sim.Run) -> None:
    np.testing.assert_array_equal(one.t, other.t)
    np.testing.assert_array_equal(one.states, other.states)
    np.testing.assert_array_equal(one.inputs, other.inputs)
    assert (one.status, one.reason, one.counters) == (other.status, other.reason, other.counters)


FAST = {"law", "pulse inside a step", "modes", "singular pose passed"}
NAMES = [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in CASES]


@pytest.mark.parametrize("name", NAMES)
def test_halved_run_agrees_with_eight_times_shorter_steps(name):
    """Of order 4 while the wheel rotates, and within microseconds of the time at which it sticks.

    Implicit steps of this kind do not damp unresolved motion: the rate rings in the step in which the wheel sticks.
    """
    settings = arguments(name, output_step=0.05)
    one, finer = run_of(settings), run_of(settings, step=STEP / 8.0)
    assert one.status == finer.status == "completed"
    assert one.counters["rejected_steps"] > 0
    np.testing.assert_allclose(one.values("attitude"), finer.values("attitude"), rtol=0, atol=5e-5)
    calm = (one.t < 0.59) | (one.t > 0.71)
    np.testing.assert_allclose(one.values("rate")[calm], finer.values("rate")[calm], rtol=0, atol=2e-5)
    assert one.counters["samples"] == finer.counters["samples"]
    if name == "modes":
        assert sim.mode_intervals(one) == sim.mode_intervals(finer)
        assert [each.mode for each in sim.mode_intervals(one)] == ["damping", "pointing", "braking"]


@pytest.mark.parametrize("name", NAMES)
def test_batch_of_halved_runs_equals_single_runs(name):
    rates = [START["rate"], (0.0, 3.0, 0.3), (0.02, 0.3, -0.1)]
    settings = arguments(name, output_step=0.02)
    many = sim.simulate_batch(**settings | {"rate": rates})
    for n, rate in enumerate(rates):
        single = run_of(settings, rate=rate)
        assert single.counters["rejected_steps"] > 0
        assert_same(many[n], single)


@pytest.mark.parametrize(
    "method", ["gauss4", *(pytest.param(name, marks=pytest.mark.slow) for name in ("gauss6", "midpoint"))]
)
@pytest.mark.parametrize(
    "name", ["law", *(pytest.param(name, marks=pytest.mark.slow) for name in CASES if name != "law")]
)
def test_rows_streams_and_pauses_leave_halved_steps_alone(name, method, tmp_path, monkeypatch):
    """For any rows: a few times, every hundredth of a step, or streamed with room for seven of them."""
    settings = arguments(name, integrator=method, step=0.1 if method != "midpoint" else 0.02)
    one, last = run_of(settings, output_step=0.004), run_of(settings, output_times=[1.0])
    assert one.counters["rejected_steps"] > 0
    np.testing.assert_array_equal(one.states[-1], last.states[-1])
    assert one.counters == last.counters
    monkeypatch.setattr(drive, "ROOM", 7)
    assert_same(run_of(settings, output_step=0.004, stream=tmp_path / "run.nc"), one)
    monkeypatch.setattr(drive, "STEPS_PER_CALL", 5)
    assert_same(run_of(settings, output_step=0.004), one)


def test_row_without_a_solution_does_not_halve_the_step():
    """The torque is amplified 11 times near its pose, and the wheel slips and sticks again while rows are computed."""
    settings = arguments("singular pose passed", rate=(0.0, 12.0, 1.0))
    bare, dense = (
        run_of(settings, output_times=[1.0]),
        run_of(settings, output_times=np.append(np.arange(0.72, 0.78, 0.004), 1.0)),
    )
    np.testing.assert_array_equal(bare.states[-1], dense.states[-1])
    assert bare.counters == dense.counters
    exact = run_of(settings, output_times=dense.t, integrator="dop853", step=None)
    np.testing.assert_allclose(dense.values("attitude"), exact.values("attitude"), rtol=0, atol=2e-3)


def test_step_limit_ends_a_halved_run_where_it_says():
    settings = arguments("law", output_step=0.05)
    whole = run_of(settings)
    short = run_of(settings, max_steps=int(whole.counters["steps"]) // 2)
    assert short.status == "failed"
    assert short.counters["steps"] == int(whole.counters["steps"]) // 2
    assert "max_steps" in short.reason
    rows = short.t.size - 1  # and the last state
    np.testing.assert_array_equal(short.states[:rows], whole.states[:rows])


def test_singular_pose_ends_a_halved_run_as_one_of_short_steps():
    """A pitch rate of 3 rad/s about the second axis reaches the pose of the dual basis after pi/6 s."""
    torque = plant.TorquePulse((0, 0, 1e-6), start=0.0, stop=20.0, basis=DUAL)
    wheel = plant.Wheel(axis=(0, 1, 0), inertia=0.06, coulomb=0.5, coulomb_rate=1e-6, relative_rate=4.0)
    settings = {**START, "craft": plant.Spacecraft(BODY, elements=[wheel]), "torques": [torque]}
    settings |= {"attitude": (1, 0, 0, 0), "rate": (0, 3, 0), "amplification_limit": 100.0}
    one, finer = run_of(settings), run_of(settings, step=0.0125)
    assert one.counters["rejected_steps"] > 0
    assert one.status == finer.status == "singular"
    assert one.t[-1] == pytest.approx(finer.t[-1], abs=1e-6)
    assert one.counters["largest_amplification"] == pytest.approx(100.0, rel=1e-6)


def test_step_far_too_long_ends_soon_and_says_what_to_do():
    """At 17,000 rad/s a step of 0.5 s would take 16,384 parts."""
    run = sim.simulate(plant.Spacecraft(BODY), rate=(1e4, 1e4, 1e4), duration=50.0, integrator="gauss4", step=0.5)
    assert run.status == "failed"
    for words in (
        "with a step of 0.5 s, which was not completed after 4096 parts, halved down to 3e-05 s",
        "; the fastest rate of the plant, of ",
        "use a shorter step or dop853, and check the units",
    ):
        assert words in run.reason
    assert run.counters["steps"] + run.counters["rejected_steps"] == MOST_TRIALS
    many = sim.simulate_batch(
        plant.Spacecraft(BODY), rate=[(1e4, 1e4, 1e4), (0.1, 0.0, 0.0)], duration=50.0, integrator="gauss4", step=0.5
    )
    assert many[0].reason == run.reason
    assert many[1].status == "completed"
