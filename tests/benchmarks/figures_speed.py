"""Figures of docs/accuracy.md about speed, measured again; `figures.py` prints them."""

import contextlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from campaigns import GIVEN, drawn_by
from contestants import ours
from race import CONTESTANTS, raced, started
from slew_against_c import DURATION, FLAGS, SAMPLE, build, c_call, compare, problem
from startup import WARM, seconds

from polhode import controllers, sim

__all__ = ["PYTHONS", "SPEED"]

PYTHONS: list[str] = []
"""Other interpreters to look in for other tools; `figures.py --python` adds to them."""
NAMES = ("free", "slew", "wheels")
TRIAL = 10
"""Fewer repetitions only show that everything runs; the races are shortened then."""


@contextlib.contextmanager
def compiled_c(*more: str) -> Any:
    """The C program, or None where there is no compiler."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield build(Path(folder), [*FLAGS["-O3"], *more])
        except (AssertionError, OSError):
            yield None


def engine(repetitions: int) -> str:
    with compiled_c() as function:
        if function is None:
            return "no C compiler here"
        one, five = (
            compare({"-O3": function}, ledger=True, steps=steps, repetitions=repetitions)["ratio_of_best"]
            for steps in (1, 5)
        )
    return f"{one:.2f} times its time at one step a sample, {five:.2f} at five"


def whole_call(repetitions: int) -> str:
    every = np.linspace(0.0, DURATION, round(DURATION / SAMPLE) + 1)

    def call(at: Any, made: Callable[[], Any] = problem) -> float:
        craft, law, reference, x = made()
        began = time.process_time()
        sim.simulate(
            craft, law, reference=reference, state=x, duration=DURATION, integrator="rk4", step=SAMPLE, output_times=at,
            ledger=False,
        )  # fmt: skip
        return time.process_time() - began

    with compiled_c() as full, compiled_c("-DBARE") as bare:
        if full is None:
            return "no C compiler here"
        calls: dict[str, Callable[[], float]] = {
            "full": lambda: c_call(full, ledger=False, steps=1)[0],
            "last": lambda: call([DURATION]),
            "bare": lambda: c_call(bare, ledger=False, steps=1)[0],
            "every": lambda: call(every),
        }
        best = {name: min(times) for name, times in in_turn(calls, repetitions).items()}
        anew = {"new": lambda: call([DURATION], problem.__wrapped__)}
        best |= {name: min(times) for name, times in in_turn(anew, repetitions // 5 + 1).items()}
    return "; ".join(
        f"{best['last'] / best[name]:.1f} times with 1 row and {best['every'] / best[name]:.1f} with {every.size:,} "
        f"of the {name} C, {best['new'] / best[name]:.1f} where craft and law are new in each call"
        for name in ("full", "bare")
    )


def plain_law(repetitions: int) -> str:
    craft, _, reference, x = problem()
    inertia = craft.body.inertia

    def law(t: float, y: Any, r: Any) -> Any:
        """Quaternion feedback with cancelled gyroscopic torque, as written in numpy."""
        a, b, c, d = r[:4]
        error = np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]]) @ y[3:7]
        w = y[7:10]
        h = inertia @ w
        turning = np.array([w[1] * h[2] - w[2] * h[1], w[2] * h[0] - w[0] * h[2], w[0] * h[1] - w[1] * h[0]])
        return turning - 3.0 * np.sign(r[:4] @ y[3:7]) * error - 24.0 * (w - r[4:7])

    asked: list[Any] = []

    def kept(t: float, y: Any, r: Any) -> Any:
        asked.append((t, y, r))
        return law(t, y, r)

    def fly(function: Any) -> float:
        plain = controllers.CustomLaw(function, sample=SAMPLE, compiled=False)
        began = time.process_time()
        sim.simulate(
            craft, plain, reference=reference, state=x, duration=DURATION, integrator="rk4", step=SAMPLE,
            output_times=[DURATION], ledger=False,
        )  # fmt: skip
        return time.process_time() - began

    def alone() -> float:
        began = time.process_time()
        for each in asked:
            law(*each)
        return time.process_time() - began

    fly(kept)
    times = in_turn({"flown": lambda: fly(law), "alone": alone}, max(2, repetitions // 5))
    best = {name: min(taken) for name, taken in times.items()}
    return f"{best['flown'] / best['alone']:.2f} times the law's own {1e6 * best['alone'] / len(asked):.0f} us"


def beside(repetitions: int) -> str:
    workers, missing = started([name for name in CONTESTANTS if name != "scipy"], PYTHONS)
    try:
        brief = repetitions < TRIAL
        races = [raced(workers, name, brief=brief, repetitions=max(1, repetitions // 10)) for name in NAMES]
    finally:
        for worker in workers.values():
            worker.stop()
    words: list[str] = []
    for name in workers:
        rows = [[row for row in race if row["contestant"] == name] for race in races]
        ratios = [f"{row[0]['over_c']:.2g}" if row and row[0]["reached"] else "-" for row in rows]
        if name != "c":
            words.append(f"{CONTESTANTS[name][0]} {', '.join(ratios)}")
    return "; ".join(words) + "".join(f"; {CONTESTANTS[name][0]} is not here" for name in missing)


def in_turn(calls: dict[str, Callable[[], float]], repetitions: int) -> dict[str, list[float]]:
    """Time of each function, s, called in turn."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repetitions):
        for name, call in calls.items():
            times[name].append(call())
    return times


def many(repetitions: int) -> str:
    try:
        from contestants import c
    except ImportError as error:
        return str(error)
    some, runs = 2000, 20_000
    first = ours.campaign(GIVEN, runs=some)()
    drawn = drawn_by(first(), GIVEN)

    def timed(fly: Callable[[], Any]) -> float:
        began = time.process_time()
        fly()
        return time.process_time() - began

    calls: dict[str, Callable[[], float]] = {
        "C": lambda: timed(c.campaign(drawn, runs=some, lanes=c.LANES)) / some,
        "many": lambda: timed(ours.campaign(GIVEN, runs=runs)) / runs,
    }
    best = {name: min(times) for name, times in in_turn(calls, max(2, repetitions // 10)).items()}
    return f"{best['many'] / best['C']:.2f} times its time"


def warm(repetitions: int) -> str:
    names = ("polhode run torque-free --json", 'python -c "import numpy, scipy.linalg"')
    for name in names:
        seconds(WARM[name])
    calls = {name: lambda name=name: seconds(WARM[name]) for name in names}
    ours, theirs = (min(times) for times in in_turn(calls, max(1, repetitions // 10)).values())
    return f"{ours / theirs:.1f} times ({ours:.2f} s against {theirs:.2f} s)"


def cold(_: int) -> str:
    words = WARM["polhode run torque-free --json"]
    with tempfile.TemporaryDirectory() as folder:
        first, second = (seconds(words, cache=folder) for _ in range(2))
    return f"{first / second:.1f} times ({first:.2f} s the first time, {second:.2f} s the second)"


SPEED = {
    "engine alone": engine,
    "`sim.simulate`": whole_call,
    "a law in plain Python": plain_law,
    "`sim.campaign`": many,
    "beside other tools": beside,
    "whole process": warm,
    "the first `polhode run torque-free`": cold,
}
"""How a row of that table begins, and what measures it."""
