"""A law as an F Prime component: compiled in C++ against its base class, bitwise equal to the engine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from polhode.sim.codegen.flight.gains import law_gains

from .autocode import write_base_class
from .cases import (
    CASES,
    WARNINGS,
    assert_same_torques,
    changed,
    exported,
    flown,
    hexadecimal,
    lines_of,
    problem_of,
    torques,
)

HERE = Path(__file__).parent / "fprime"

needs_compilers = pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("g++")), reason="no gcc with g++ here")

ENABLE = "command ENABLE"


def component(problem: object, folder: Path) -> Path:
    """The program of the component of a problem."""
    home = folder / "Gnc/AttitudeControl"
    exported(problem, "fprime", home)  # pyright: ignore[reportArgumentType]
    write_base_class(home, "AttitudeControl")
    law, program = folder / "law.o", folder / "component"
    for line in (
        ["gcc", "-std=c99", *WARNINGS, "-c", str(home / "AttitudeControl_law.c"), "-o", str(law)],
        ["g++", "-std=c++14", *WARNINGS, f"-I{folder}", f"-I{HERE}", str(home / "AttitudeControl.cpp"),
         str(HERE / "main.cpp"), str(law), "-lm", "-o", str(program)],
    ):  # fmt: skip
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return component(problem_of("slew-lqr"), tmp_path_factory.mktemp("component"))


def said(program: Path, *lines: str) -> str:
    done = subprocess.run(
        [str(program)], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, check=False,
        timeout=60.0,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def last(words: str, channel: str) -> int:
    """The last number of a telemetry channel."""
    return int([line.split()[2] for line in words.splitlines() if line.startswith(f"tlm {channel} ")][-1])


@needs_compilers
@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_fprime_component_commands_what_the_engine_commands(case: str, tmp_path: Path) -> None:
    """With the gains of the export, then with others as parameters, against runs of the engine with these gains."""
    problem = problem_of(case)
    assert problem.law is not None
    program = component(problem, tmp_path)
    first = flown(problem, problem.law, samples=300)
    assert_same_torques(said(program, "load", ENABLE, *lines_of(first)), first)
    gains = law_gains(problem.craft, problem.law, problem.blocks)
    law = changed(problem.law, {gain.name: 1.0 + 0.01 * n for n, gain in enumerate(gains)})
    other = flown(problem, law, samples=300)
    params = [f"param {gain.name} {hexadecimal(law.scalars()[gain.name][0])}" for gain in gains]
    answer = said(program, "load", *params, "command APPLY_GAINS", ENABLE, *lines_of(other))
    assert_same_torques(answer, other)
    assert answer.count("event GainsApplied") == 2
    assert (first.u != other.u).mean() > 0.5


@needs_compilers
@pytest.mark.slow
def test_fprime_component_of_modes_commands_wheels_and_thrusters(tmp_path: Path) -> None:
    problem = problem_of("thrusters-and-wheels")
    program = component(problem, tmp_path)
    samples = flown(problem, problem.law, samples=100)
    assert samples.u.shape[1] == 6
    assert_same_torques(said(program, ENABLE, *lines_of(samples)), samples)


@needs_compilers
@pytest.mark.slow
def test_fprime_gains_apply_together_or_not_at_all(program: Path) -> None:
    """Nothing changes before APPLY_GAINS; a NaN among the gains is refused, and the previous ones stay."""
    problem = problem_of("slew-lqr")
    samples = flown(problem, problem.law, samples=5)
    answer = said(program, "load", "param D_1_1 0x1p0", ENABLE, *lines_of(samples))
    assert_same_torques(answer, samples)
    assert "event GainSet" in answer
    script = ["load", "param D_1_1 0x1p0", "param D_1_4 nan", "command APPLY_GAINS", ENABLE, *lines_of(samples)]
    answer = said(program, *script)
    assert_same_torques(answer, samples)
    assert "event GainsRefused 3\nresponse 5 2\n" in answer
    answer = said(program, "command APPLY_GAINS")  # before the parameters are loaded none is available
    assert answer == "event GainsRefused -1\nresponse 5 2\n"


@needs_compilers
@pytest.mark.slow
def test_fprime_component_says_why_there_is_no_torque(program: Path) -> None:
    problem = problem_of("slew-lqr")
    samples = flown(problem, problem.law, samples=2)
    state, reference, wakeup = lines_of(samples)[:3]
    bad = f"state {hexadecimal(0.0, *([float('nan')] * 10))}"
    past = f"state {hexadecimal(-1.0, *samples.y[0])}"
    answer = said(
        program, state, wakeup, ENABLE, wakeup, state, wakeup, reference, bad, wakeup, state, wakeup, past, wakeup,
        wakeup, "command DISABLE", wakeup, "command RESET_LAW", ENABLE, past, wakeup, "command NOOP",
    )  # fmt: skip
    statuses, rows = torques(answer)
    assert statuses == [5, 6, 1, 0, 4, 5, 7, 0]
    assert (rows[[0, 1, 2, 4, 5, 6], 1:] == 0.0).all()
    changes = [line for line in answer.splitlines() if "TorqueInvalid" in line or "TorqueValid" in line]
    assert changes == [
        "event TorqueInvalid 5", "event TorqueInvalid 6", "event TorqueInvalid 1", "event TorqueValid",
        "event TorqueInvalid 4", "event TorqueInvalid 5",
    ]  # fmt: skip
    assert (last(answer, "Wakeups"), last(answer, "Steps"), last(answer, "StepErrors")) == (9, 2, 5)
    assert "event Noop\nresponse 0 0\n" in answer


@pytest.mark.skipif(shutil.which("fpp-check") is None, reason="no fpp-check on this machine")
@pytest.mark.slow
def test_fprime_model_is_checked_by_its_compiler(program: Path) -> None:
    model = program.parent / "Gnc/AttitudeControl/AttitudeControl.fpp"
    line = ["fpp-check", str(HERE / "framework.fpp"), str(model)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
