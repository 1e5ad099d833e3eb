"""Laws of cases as applications, and the engine's commands in the runs of these cases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polhode import sim
from polhode.scenarios.case.kinds.problem import Problem, build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.commands.exporting import _flight
from polhode.sim.codegen.flight.export import prepare

CASES = ("slew-lqr", "star-tracker-pointing", "slew-quaternion-feedback", "four-wheel-pyramid")
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-ffp-contract=off")

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """Time, state and reference of samples, and the torque that the compiled engine commands there."""

    t: Array
    y: Array
    r: Array
    u: Array


def problem_of(case: str, *overrides: str) -> Problem:
    return build(load_case(case, overrides).case)


def exported(problem: Problem, wrapper: str, path: Path, *, samples: int = 2, **more: Any) -> tuple[Path, ...]:
    assert problem.law is not None
    return sim.export_wrapper(
        problem.craft, problem.law, wrapper=wrapper, path=path, flight=_flight(problem), samples=samples, **more
    )


def changed(law: Any, factors: dict[str, float]) -> Any:
    """A law with some of its gains times factors."""
    for name, factor in factors.items():
        value, with_it = law.scalars()[name]
        law = with_it(value * factor)
    return law


def flown(problem: Problem, law: Any, *, samples: int) -> Samples:
    """The states of a run, and the torque of the compiled engine in the same run."""
    flight = _flight(problem)
    vectors = prepare(problem.craft, law, flight=flight, samples=samples).vectors
    plain = {key: value for key, value in flight.items() if key not in ("duration", "output_step")}
    held = vectors.t + law.delay + 0.25 * law.sample  # between two samples the command of the first is active
    run = sim.simulate(problem.craft, law, **plain, duration=float(held[-1]), output_times=held)
    places = np.searchsorted(run.t, held - 1e-9)
    commands = ("command",) if vectors.u.shape[1] == 3 else ("command_wheels", "command_external")
    u = np.hstack([run.values(name)[places] for name in commands])
    assert np.unique(u).size >= samples, "torques at their limits compare nothing"
    return Samples(vectors.t, vectors.y, vectors.r, u)


def hexadecimal(*numbers: float) -> str:
    return " ".join(float(each).hex() for each in numbers)


def lines_of(samples: Samples) -> list[str]:
    """Input of a harness for these samples."""
    lines: list[str] = []
    for t, y, r in zip(samples.t, samples.y, samples.r, strict=True):
        lines += [f"state {hexadecimal(t, *y)}", f"reference {hexadecimal(*r)}", "wakeup"]
    return lines


def torques(said: str) -> tuple[list[int], Array]:
    """Status, and time with torque, of each torque command that a harness printed."""
    rows = [line.split()[1:] for line in said.splitlines() if line.startswith("torque ")]
    return [int(row[0]) for row in rows], np.array([[float.fromhex(word) for word in row[1:]] for row in rows])


def assert_same_torques(said: str, samples: Samples) -> None:
    """Bitwise equality."""
    statuses, rows = torques(said)
    assert statuses == [0] * len(samples.t)
    assert np.array_equal(rows[:, 0], samples.t)
    assert np.array_equal(rows[:, 1:], samples.u)
