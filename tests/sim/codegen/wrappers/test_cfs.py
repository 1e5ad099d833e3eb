"""A law as a cFS application: compiled against the signatures of cFE, run on a bus, bitwise equal to the engine."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.codegen.flight.gains import law_gains

from ..flight.test_gains import own
from .cases import CASES, assert_same_torques, changed, exported, flown, hexadecimal, lines_of, problem_of, torques
from .cfs_bus import compiled, said

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc on this machine")

ENABLE, DISABLE, RESET_LAW = "command 2", "command 3", "command 4"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    app = tmp_path_factory.mktemp("apps") / "attctl"
    exported(problem_of("slew-lqr"), "cfs", app)
    return compiled(app)


def events(words: str) -> list[str]:
    return [line.split(maxsplit=3)[3] for line in words.splitlines() if line.startswith("event ")]


def counters(words: str) -> list[int]:
    """Housekeeping: wake-ups, steps, step errors, lengths, tables, refused; commands, refused; enabled, status."""
    line = [line for line in words.splitlines() if line.startswith("hk ")][-1]
    return [int(word) for word in line.split()[1:11]]


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_cfs_application_commands_what_the_engine_commands(case: str, tmp_path: Path) -> None:
    """With the gains of the export, then with others from a table, against runs of the engine with these gains."""
    problem = problem_of(case)
    exported(problem, "cfs", tmp_path / "attctl")
    program = compiled(tmp_path / "attctl")
    first = flown(problem, problem.law, samples=300)
    assert_same_torques(said(program, ENABLE, *lines_of(first)), first)
    assert problem.law is not None
    gains = law_gains(problem.craft, problem.law, problem.blocks)
    law = changed(problem.law, {gain.name: 1.0 + 0.01 * n for n, gain in enumerate(gains)})
    other = flown(problem, law, samples=300)
    table = f"table 0 0 {hexadecimal(*(law.scalars()[gain.name][0] for gain in gains))}"
    answer = said(program, table, "hk", ENABLE, *lines_of(other))
    assert_same_torques(answer, other)
    assert f"ATTCTL: {len(gains)} gains taken from the table" in events(answer)[2:]
    assert (first.u != other.u).mean() > 0.5


@needs_gcc
@pytest.mark.slow
def test_cfs_application_of_modes_commands_wheels_and_thrusters(tmp_path: Path) -> None:
    """A law of several modes reads the mode from the state message, and writes two torques."""
    problem = problem_of("thrusters-and-wheels")
    exported(problem, "cfs", tmp_path / "attctl")
    program = compiled(tmp_path / "attctl")
    samples = flown(problem, problem.law, samples=200)
    assert samples.u.shape[1] == 6
    assert_same_torques(said(program, ENABLE, *lines_of(samples)), samples)


@needs_gcc
@pytest.mark.slow
def test_cfs_application_in_float32_commands_nearly_the_same(tmp_path: Path) -> None:
    problem = problem_of("slew-quaternion-feedback")
    exported(problem, "cfs", tmp_path / "attctl", float32=True)
    samples = flown(problem, problem.law, samples=200)
    answer = said(compiled(tmp_path / "attctl"), ENABLE, *lines_of(samples))
    statuses, rows = torques(answer)
    assert statuses == [0] * 200
    assert np.abs(rows[:, 1:] - samples.u).max() < 1e-3 * np.abs(samples.u).max()  # tolerance as in the test of the law
    assert np.array_equal(rows[:, 0], samples.t)  # times stay double


@needs_gcc
@pytest.mark.slow
def test_cfs_application_of_a_law_without_gains_has_no_table(tmp_path: Path) -> None:
    """A custom kernel has no gains to set."""
    craft = plant.Spacecraft(plant.RigidBody((400, 300, 200)))
    flight = {"duration": 1.0, "integrator": "rk4", "step": 0.1}
    law = controllers.CustomLaw(own, sample=0.1)
    sim.export_wrapper(craft, law, wrapper="cfs", path=tmp_path / "attctl", flight=flight, samples=1)
    rates = [
        f"state {hexadecimal(0.0, 0, 0, 0, 1, 0, 0, 0, 0.125, -0.25, 0.5)}",
        f"reference {hexadecimal(1, *[0] * 9)}",
    ]
    answer = said(compiled(tmp_path / "attctl"), ENABLE, *rates, "wakeup", "hk")
    assert torques(answer)[1].tolist() == [[0.0, -0.125, 0.25, -0.5]]
    assert counters(answer)[4:6] == [0, 0]


@needs_gcc
@pytest.mark.slow  # the module's application is compiled first
def test_cfs_table_that_is_wrong_is_refused_and_the_old_one_kept(program: Path) -> None:
    problem = problem_of("slew-lqr")
    assert problem.law is not None
    gains = law_gains(problem.craft, problem.law, ())
    samples = flown(problem, problem.law, samples=5)
    right = [gain.start for gain in gains]
    for wrong, words in (
        (f"table 0 0 {hexadecimal(*right[:3], float('nan'), *right[4:])}", "gain D_1_4 is not finite or violates its"),
        (f"table 0 0 {hexadecimal(*right[:17], float('inf'))}", "gain D_3_6 is not finite or violates its bound"),
        (f"table 1 0 {hexadecimal(*right)}", "table refused, layout = "),
        (f"table 0 1 {hexadecimal(*right)}", "table refused, layout = "),
    ):
        answer = said(program, wrong, "hk", ENABLE, *lines_of(samples), "hk")
        assert any(words in event for event in events(answer)), answer
        assert_same_torques(answer, samples)
        assert counters(answer)[4:6] == [1, 1]  # the one at the start, and the refused one


@needs_gcc
@pytest.mark.slow
def test_cfs_application_without_table_file_keeps_gains_of_its_export(program: Path) -> None:
    problem = problem_of("slew-lqr")
    samples = flown(problem, problem.law, samples=5)
    answer = said(program, ENABLE, *lines_of(samples), "hk", table_file=False)
    assert_same_torques(answer, samples)
    assert "keeps the gains of its export" in events(answer)[0]
    assert counters(answer)[4] == 0


@needs_gcc
@pytest.mark.slow
def test_cfs_table_of_a_bounded_law_refuses_gains_out_of_bound(tmp_path: Path) -> None:
    """An inertia of zero is refused, and a negative one too: its bound is exclusive."""
    problem = problem_of("slew-quaternion-feedback")
    assert problem.law is not None
    exported(problem, "cfs", tmp_path / "attctl")
    program = compiled(tmp_path / "attctl")
    right = [gain.start for gain in law_gains(problem.craft, problem.law, ())]
    for value in (0.0, -1.0):
        answer = said(program, f"table 0 0 {hexadecimal(value, *right[1:])}", "hk")
        assert "ATTCTL: table refused, gain inertia_1_1 is not finite or violates its bound" in events(answer)
    answer = said(program, f"table 0 0 {hexadecimal(1e-9, *right[1:])}", "hk")
    assert counters(answer)[4:6] == [2, 0]


@needs_gcc
@pytest.mark.slow
def test_cfs_messages_of_wrong_length_are_counted_and_refused(program: Path) -> None:
    problem = problem_of("slew-lqr")
    samples = flown(problem, problem.law, samples=2)
    lines = lines_of(samples)
    wrong = ["cut 8D2 96", "cut 8D3 104", "cut 18D2 9", "cut 18D1 7"]
    answer = said(
        program, ENABLE, lines[0], lines[1], *wrong, "cut 18D0 9", "other 1999 8", "command 9", "wakeup", "hk"
    )
    assert torques(answer)[0] == [0]  # the previous state and reference are used
    refused = [event for event in events(answer) if "message refused" in event]
    assert refused[0] == "ATTCTL: message refused, MID = 0x8D2, length = 96, expected = 104"
    assert len(refused) == 5
    assert counters(answer) == [1, 1, 0, 4, 1, 0, 1, 3, 1, 0]
    assert "ATTCTL: no such message, MID = 0x1999" in events(answer)
    assert "ATTCTL: no such command, CC = 9" in events(answer)


@needs_gcc
@pytest.mark.slow
def test_cfs_application_says_why_there_is_no_torque(program: Path) -> None:
    """Zero torque and a status at each wake-up, one event at each change; no output while it is disabled."""
    problem = problem_of("slew-lqr")
    samples = flown(problem, problem.law, samples=3)
    state, reference, wakeup = lines_of(samples)[:3]
    bad = f"state {hexadecimal(0.0, *([float('nan')] * 10))}"
    turned = f"state {hexadecimal(0.0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0)}"
    past = f"state {hexadecimal(-1.0, *samples.y[0])}"
    huge = f"state {hexadecimal(0.0, 1e299, 1e299, 1e299, *samples.y[0, 3:7], 1e299, 1e299, 1e299)}"
    script = [
        state, reference, wakeup, "hk", ENABLE, wakeup, state, wakeup, bad, wakeup, turned, wakeup, state, wakeup,
        past, wakeup, wakeup, wakeup, DISABLE, wakeup, ENABLE, huge, wakeup, past, wakeup, "hk",
    ]  # fmt: skip
    answer = said(program, *script)
    statuses, rows = torques(answer)
    assert statuses == [5, 0, 1, 3, 0, 4, 5, 5, 7, 2, 0]
    assert (rows[[0, 2, 3, 5, 6, 7, 8, 9], 1:] == 0.0).all()
    no_torque = [event for event in events(answer) if "no valid torque" in event]
    assert [event.split()[-1] for event in no_torque][:4] == ["5", "1", "3", "4"]
    assert counters(answer)[8] == 1
    assert torques(said(program, ENABLE, state, wakeup, wakeup))[0] == [6, 5]
    back = [ENABLE, reference, state, wakeup, past, wakeup, RESET_LAW, past, wakeup]
    assert torques(said(program, *back))[0] == [0, 4, 0]  # time may decrease when the law is reset


@needs_gcc
@pytest.mark.slow
def test_cfs_commands_answer_with_events(program: Path) -> None:
    answer = said(program, "command 0", "command 1", "hk", "broken", "wakeup")
    assert events(answer)[1].startswith("ATTCTL: started, disabled until ENABLE; law of plant a97650937455abb6")
    assert events(answer)[2].startswith("ATTCTL: NOOP, law of plant a97650937455abb6, polhode ")
    assert events(answer)[3] == "ATTCTL: counters reset"
    assert counters(answer) == [0] * 9 + [7]
    assert "the pipe cannot be read" in events(answer)[4]
    assert answer.splitlines()[-1] == "exit 3"
