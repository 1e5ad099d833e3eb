"""Mutated cases, and a process that runs them by the command line one after another.

`python tests/scenarios/fuzzing.py 1234` shows case 1234 and its outcome.
"""

from __future__ import annotations

import copy
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

WEIGHTS = {"attitude_weight": 25.0, "rate_weight": 1.0, "effort_weight": 1.0}
PACE = {"frequency_rad_s": 0.1, "damping_ratio": 0.9}
LAWS: dict[str, dict[str, Any]] = {
    "lqr": WEIGHTS,
    "lqi": {**WEIGHTS, "integral_weight": 0.01},
    "lqg": {**WEIGHTS, "torque_noise_N_m_rtHz": 0.01, "attitude_noise_rad": 1e-4, "rate_noise_rad_s": 1e-4},
    "lqgi": {**WEIGHTS, "torque_noise_N_m_rtHz": 0.01, "attitude_noise_rad": 1e-4, "integral_weight": 0.01},
    "disturbance-observer": {
        **WEIGHTS,
        "torque_noise_N_m_rtHz": 0.01,
        "attitude_noise_rad": 1e-4,
        "torque_walk_N_m_rts": 0.01,
    },
    "pid": {**PACE, "integral_time_s": 60.0, "filters": [{"kind": "notch", "frequency_rad_s": 6.0}]},
    "quaternion-feedback": PACE,
    "energy-shaping": PACE,
    "pole-placement": {"poles_1_s": [-0.1, -0.11, -0.12, -0.13, [-0.1, 0.05], [-0.1, -0.05]]},
    "mixed-sensitivity": {"bandwidth_rad_s": 0.1},
    "sliding-mode": {"slope_1_s": 0.2, "reach_N_m": 0.8, "boundary_layer_rad_s": 0.02},
    "spin-precession": {"torque_N_m": [1.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0], "arc_deg": 40.0, "deadband_deg": 0.1},
    "on-off": {"torque_N_m": 1.0, "deadband_deg": 0.2, "hysteresis_deg": 0.05, "lead_s": 20.0},
    "state-feedback": {"attitude_gain_N_m_rad": 4.0, "rate_gain_N_m_s_rad": [60.0, 60.0, 50.0]},
    "state-space": {"A": [[0.5]], "B": [[1.0, 0.0]], "C": [[0.1]], "D": [[4.0, 60.0]]},
    "rate-damping": {"gain_N_m_s": 20.0},
}
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))  # nesting 200 deep, twice, is written here
SEED = "polhode"
SECONDS = 33.0
"""Processor time, s, on a machine that takes CHORE for `slowness`.

`analyse` of a loop with sensors at two rates takes 23 s: 14 loops, each with some 490 evaluations of its poles.
"""
CHORE = 0.13
PATIENCE = 2.0  # factor of wall time, on a busy machine, until a case is stopped
BYTES = 2 * 2**30
ROOM = Path(__file__).resolve().parents[2]
SHORT = 10  # samples, or rows of output, of a short case
STEPS = 5_000_000  # limit of a run, if its integrator counts steps

NUMBERS: tuple[Any, ...] = (
    *(0, -0.0, 1, -1, 2, 3, 0.5, 7, 10, 100, 1000, -1000.0),
    *(1e-3, 1e-9, 1e-15, 1e-30, 1e-160, 1e-308, 5e-324, 1e6, 1e9, 1e15, 1e30, 1e155, 1e160, 1e300, 1e308, -1e308),
    *(float("inf"), float("-inf"), float("nan"), 2**31, 2**53 + 1, 2**63, 2**64, 10**30, 10**400),
)
WORDS = (
    "",
    " ",
    "x",
    "body",
    "euler",
    "3-1-3",
    "1-1-1",
    "rk4",
    "lqr",
    "nan",
    "1e5",
    "true",
    "é∂🛰",
    "\u202e",
    "a" * 5000,
)
OTHERS: tuple[Any, ...] = (True, False, [], {}, [[]], [[1, 2, 3]], [0, 0, 0], [1, 0, 0, 0], {"a": 1}, [{}], [None])
UNITS = ("_rad_s", "_deg_s", "_deg", "_rad", "_m", "_kg", "_s", "_N_m", "_kg_m2", "_mm", "_N_m_s", "_Hz", "")
WARM = (  # every command, compiled
    ("slew-lqr", "run.duration_s=0.1", "require=[]"),
    (
        "torque-free",
        "run.duration_s=0.1",
        "run.output_s=0.1",
        'run.formulation="newton-euler"',
        "require=[]",
        "figures=[]",
    ),
    ("flexible-satellite-free", "run.duration_s=0.02", "require=[]", "figures=[]"),
    ("published-ring-damper", "run.duration_s=0.1", "require=[]"),
)


@dataclass(frozen=True)
class Fuzzed:
    """The arguments, and the text of case.toml."""

    words: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Outcome:
    """Its outcome; no exit code if the process died or was stopped."""

    code: int | None
    err: str
    seconds: float

    @property
    def fault(self) -> str:
        """Violations of the rules, or nothing."""
        if self.code is None:
            return self.err
        if self.seconds > SECONDS * slowness():
            return f"took {self.seconds:.0f} s, where {SECONDS * slowness():.0f} are allowed"
        if self.code not in {0, 1, 2}:
            return f"exit {self.code}: {self.err[:300]}"
        for word in ("Traceback", "Warning:", "not enough memory", "Exception ignored"):
            if word in self.err:
                return f"{word}: {self.err[:300]}"
        if self.code == 2 and not self.err.strip().startswith("polhode: "):
            return f"exit 2 without a message: {self.err[:300]!r}"
        return ""


@cache
def slowness() -> float:
    """Time of a chore on this machine relative to the one on which SECONDS was set; at least 1."""
    took: list[float] = []
    for _ in range(3):
        began, total = time.process_time(), 0
        for each in range(2_000_000):
            total += each
        took.append(time.process_time() - began)
    return max(1.0, min(took) / CHORE)


def shipped() -> dict[str, dict[str, Any]]:
    """The shipped cases, shortened."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((ROOM / "scenarios" / "cases").glob("*.toml")):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        run = case["run"]
        rows = run.get("output_s", run["duration_s"] / 500.0)
        run["duration_s"] = min(run["duration_s"], SHORT * rows)
        run["max_steps"] = STEPS
        if "residual_from_s" in case.get("metrics", {}):
            case["metrics"]["residual_from_s"] = 0.5 * run["duration_s"]
        found[path.stem] = case
    for name in ("newton-euler", "hamilton-8", "schwab-42"):
        found[name] = copy.deepcopy(found["torque-free"])
        found[name]["run"]["formulation"] = name
    for kind, table in LAWS.items():
        found[kind] = copy.deepcopy(found["slew-lqr"])
        timing = {"sample_s": 0.1, "delay_s": 0.05, "torque_limit_N_m": 1.0}
        found[kind]["controller"] = {"kind": kind, **timing, **copy.deepcopy(table)}
    return found


def fuzzed(number: int, cases: dict[str, dict[str, Any]]) -> Fuzzed:
    """The case of a number: always the same."""
    rng = random.Random(f"{SEED}/{number}")
    name = rng.choice(sorted(cases))
    case = copy.deepcopy(cases[name])
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _mutate(case, cases, rng)
    text = "".join(f"{_key(key)} = {_value(value)}\n" for key, value in case.items())
    if rng.random() < 0.03:
        text = _garbled(text, rng)
    return Fuzzed(words=_words(rng, case), text=text)


def _words(rng: random.Random, case: dict[str, Any]) -> tuple[str, ...]:
    pick = rng.random()
    law = "controller" in case
    words: list[str] = ["run", "case.toml"]
    if pick < 0.02:
        numbers = [str(rng.choice((*NUMBERS, 30, 45, 90, 400))) for _ in range(3)]
        sequence = rng.choice(("3-1-3", "3-2-1", "1-2-1", "3-1", "3-3-1", "zxz", ""))
        return rng.choice(
            (
                ("bases", sequence, "--angles-deg", *numbers),
                ("bases", sequence, "--attitude", *numbers, "0"),
                ("cans", sequence, "--angles-deg", *numbers, "--out", "results.png"),
                ("schema",),
                ("list", "--json"),
            )
        )
    if pick < 0.22:
        words[0] = "linearize"
        words += rng.choice(([], [], ["--allow-nonequilibrium"], ["--modes", str(rng.choice((-1, 0, 3, 10**6)))]))
    elif pick < (0.45 if law else 0.27):
        words[0] = "design"
        words += rng.choice(([], [], [], ["--method", rng.choice((*LAWS, "nothing"))]))
        if rng.random() < 0.01:
            words += ["--compare", ",".join(rng.choices(sorted(LAWS), k=2))]
    elif pick < (0.47 if law else 0.28):
        words[0] = "analyse"
    elif rng.random() < 0.2:
        words += ["--at", rng.choice(("0", "0,1", "1e308", "nan", "1,2,x", "0.1,0.2", "-1"))]
    if rng.random() < 0.5:
        words.append("--json")
    if rng.random() < 0.005:
        words += ["--out", rng.choice(("results", "results/a/b", "case.toml", "/proc/x", "a" * 300))]
    if rng.random() < 0.05:
        key, value = rng.choice(list(_places(case)))[0], rng.choice((*NUMBERS, *WORDS[:-1], "[1,2,3]", "{}"))
        words += ["--set", f"{'.'.join(map(str, key))}={value}"]
    return tuple(words)


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every key path below a value, with its value."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, inner in items:
        yield (*at, key), inner
        yield from _places(inner, (*at, key))


@dataclass(frozen=True)
class Place:
    """Places where a case is changed, and replacements."""

    case: dict[str, Any]
    holder: Any
    key: Any
    value: Any
    cases: dict[str, dict[str, Any]]
    rng: random.Random


def _mutate(case: dict[str, Any], cases: dict[str, dict[str, Any]], rng: random.Random) -> None:
    places = [place for place in _places(case) if place[0][0] not in {"title", "description"} or rng.random() < 0.05]
    if places:
        path, value = rng.choice(places)
        holder: Any = case
        for key in path[:-1]:
            holder = holder[key]
        rng.choice(MUTATIONS)(Place(case, holder, path[-1], value, cases, rng))


def _drop(at: Place) -> None:
    del at.holder[at.key]


def _extreme(at: Place) -> None:
    if isinstance(at.value, list) and at.value and at.rng.random() < 0.7:
        at.value[at.rng.randrange(len(at.value))] = at.rng.choice(NUMBERS)
    else:
        at.holder[at.key] = at.rng.choice(NUMBERS)


def _scaled(at: Place) -> None:
    rng = at.rng
    factor = rng.choice((-1.0, 10.0 ** rng.uniform(-12, 12), 10.0 ** rng.uniform(-2, 2), rng.uniform(0.5, 2.0)))

    def scale(item: Any) -> Any:
        if isinstance(item, list):
            return [scale(each) for each in item]
        numeric = isinstance(item, int | float) and not isinstance(item, bool)
        return float(item) * factor if numeric and abs(item) < 1e300 else item

    at.holder[at.key] = scale(at.value)


def _typed(at: Place) -> None:
    at.holder[at.key] = copy.deepcopy(at.rng.choice((str(at.value)[:200], *WORDS, *OTHERS)))


def _renamed(at: Place) -> None:
    if not isinstance(at.holder, dict):
        at.holder.insert(at.key, copy.deepcopy(at.value))
        return
    del at.holder[at.key]
    unit = next((end for end in UNITS if end and at.key.endswith(end)), "")
    names = (at.key.removesuffix(unit) + at.rng.choice(UNITS), at.key[:-1], at.key + "s", at.key.upper(), *WORDS)
    at.holder[at.rng.choice(names)] = at.value


def _repeated(at: Place) -> None:
    if isinstance(at.value, list) and at.value:
        at.value.extend(copy.deepcopy(at.value) * at.rng.choice((1, 1, 2, 30)))
    elif isinstance(at.holder, list):
        at.holder.append(copy.deepcopy(at.value))
    else:
        at.holder[at.key] = [at.value, copy.deepcopy(at.value)]


def _crossed(at: Place) -> None:
    """A section of another case, or any value from it."""
    other = at.cases[at.rng.choice(sorted(at.cases))]
    if at.rng.random() < 0.7:
        section = at.rng.choice(sorted(other))
        at.case[section] = copy.deepcopy(other[section])
    else:
        at.holder[at.key] = copy.deepcopy(at.rng.choice([value for _, value in _places(other)]))


def _nested(at: Place) -> None:
    value = at.value
    for _ in range(at.rng.choice((1, 1, 2, 200))):
        value = [value] if at.rng.random() < 0.7 else {"a": value}
    at.holder[at.key] = value


MUTATIONS: tuple[Callable[[Place], None], ...] = (
    *(_drop, _extreme, _extreme, _extreme, _scaled, _scaled, _scaled, _typed, _renamed, _repeated, _crossed, _nested),
)


def _key(key: Any) -> str:
    return json.dumps(str(key), ensure_ascii=True)


def _value(value: Any) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_value(inner) for inner in value if inner is not None) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "")
    return repr(value)


def _garbled(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return rng.choice(
        (
            text[:at],
            text[:at] + rng.choice("\"'[]{}=,.#\n\0\\\u2028é") + text[at + 1 :],
            text + text,
            text + "[" * 5000,
            "\ufeff" + text.replace("\n", "\r\n"),
        )
    )


class Worker:
    """A process that works through cases; a new one after each stopped case."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        self.process: subprocess.Popen[str] | None = None

    def outcome(self, case: Fuzzed) -> Outcome:
        """Run a case by the command line."""
        if self.process is None:
            words = [sys.executable, str(Path(__file__).resolve()), "work", str(self.folder)]
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.process.stdout.readline()  # pyright: ignore[reportOptionalMemberAccess] # it is ready
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        watch = threading.Timer(PATIENCE * SECONDS * slowness(), process.kill)
        watch.start()
        begin = time.monotonic()
        process.stdin.write(json.dumps([case.words, case.text]) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        seconds = time.monotonic() - begin
        watch.cancel()
        if answer:
            return Outcome(*json.loads(answer))
        code = self._end()
        end = "stopped: hangs" if seconds > SECONDS else f"the process died ({code})"
        return Outcome(None, f"{end}, after {seconds:.1f} s: {self._said()}", seconds)

    def _end(self) -> int | None:
        """End the process, if there is one."""
        if self.process is None:
            return None
        self.process.kill()
        self.process.communicate()
        code, self.process = self.process.returncode, None
        return code

    def _said(self) -> str:
        path = self.folder / "err"
        return path.read_text(encoding="utf-8", errors="replace")[-500:] if path.exists() else ""

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end()
        shutil.rmtree(self.folder, ignore_errors=True)


def work(folder: Path) -> None:
    """Read cases from stdin until it ends, in a folder, with limited memory."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.chdir(folder)
    out, err = (os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC) for name in ("out", "err"))
    os.dup2(out, 1)
    os.dup2(err, 2)
    from polhode.scenarios.commands.invoke import invoke

    for name, *settings in WARM:
        assert invoke(["run", name, *(word for each in settings for word in ("--set", each))]) == 0, name
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        words, text = json.loads(line)
        for stream, handle in ((sys.stdout, out), (sys.stderr, err)):
            stream.flush()
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
        Path("case.toml").write_text(text, encoding="utf-8", newline="")
        begin = time.process_time()
        try:
            code = invoke(words)
        except BaseException as error:  # noqa: BLE001 # what leaves the command line is a fault
            code, _ = 4, sys.stderr.write(f"Traceback: {error!r}")
        sys.stdout.flush()
        sys.stderr.flush()
        said = os.pread(err, 4000, 0).decode("utf-8", "replace")
        shutil.rmtree("results", ignore_errors=True)
        answers.write(json.dumps([code, said, time.process_time() - begin]) + "\n")
        answers.flush()


def main() -> None:
    """Work, or show one case."""
    if sys.argv[1] == "work":
        work(Path(sys.argv[2]))
        return
    worker, cases = Worker(), shipped()
    case = fuzzed(int(sys.argv[1]), cases)
    sys.stdout.write(f"{case.text}\npolhode {' '.join(case.words)}\n")
    found = worker.outcome(case)
    sys.stdout.write(f"{found.seconds:.2f} s, exit {found.code}\n{found.err}\n{found.fault or 'no fault'}\n")
    worker.close()


if __name__ == "__main__":
    main()
