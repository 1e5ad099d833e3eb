"""Laws exported as flight code against laws written by hand: nanoseconds per sample, and equal commands.

python tests/benchmarks/law_against_c.py [--repetitions N] [--json]

The code that `polhode export` writes, and `laws.c`, written independently for one spacecraft and law with constant
parameters, are compiled with the same flags as separate files, as in flight software, and called in turn on one
record. Without a C compiler the script says so and exits with 0.
"""

import ctypes
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from asked import asked
from machine import machine
from mekf_against_c import EVERY, SENSORS, T, motion

from polhode import controllers, plant, sim
from polhode.controllers.guidance.allocation import wheel_shares
from polhode.controllers.sensing.estimators import MEKF
from polhode.controllers.sensing.sensors import StarTracker
from polhode.plant.elements.wheel_sharing import facets

N = 2000
AGREE = 1e-9  # relative; sums in a different order, those of the filter over 2,000 samples
FLAGS = {"-O2": ["-O2", "-ffp-contract=off"], "-O3": ["-O3", "-ffp-contract=off"]}
J = ((400.0, 6.0, -5.0), (6.0, 307.8, 4.0), (-5.0, 4.0, 200.0))
HERE = Path(__file__).parent


class Problem(NamedTuple):
    """The exported code, the parameters of the hand-written law, the record, and the compared part of the command."""

    craft: Any
    law: Any
    numbers: dict[str, Any]
    y: Any
    r: Any
    answers: int
    blocks: Any = ()


def record(inertia: Any) -> tuple[Any, Any]:
    """Measurements of a law during a slow rotation, and a reference that moves with it."""
    _, e = motion()
    w = 1e-3 * np.random.default_rng(1).standard_normal((N, 3))
    y = np.hstack((w @ np.asarray(inertia), e[:N], w))
    r = np.hstack((e[7 : N + 7], w[::-1], 1e-2 * w[::2].repeat(2, axis=0)))
    return y, r


def on_body() -> Any:
    return plant.Spacecraft(plant.RigidBody(J), torques=plant.TorqueBasis("body", limit=1.0))


def linear(design: Callable[..., Any], **more: Any) -> Problem:
    craft = on_body()
    model = craft.linearize(craft.at_rest())
    law = design(model, attitude=25.0, rate=1.0, effort=1.0, sample=T, **more)
    c = law.compensator
    states = {"A": c.A, "B": c.B, "C": c.C, "T": c.tracking} if c.order else {}
    numbers = {"LINEAR": 1, "STATES": c.order, "LIMIT": 1.0, "J": J, "D": c.D, **states}
    return Problem(craft, law, numbers, *record(J), 3)


def quaternion(craft: Any, forms: Any) -> Problem:
    law = controllers.quaternion_feedback(craft, frequency=0.12, damping_ratio=0.9, sample=T)
    numbers = {"QUATERNION": 1, "J": law.inertia, "KP": law.stiffness, "KD": law.damping, "LIMIT": 1.0}
    numbers |= {"FORMS": len(forms), **({"G": forms} if len(forms) else {})}
    return Problem(craft, law, numbers, *record(law.inertia), 3)


def on_wheels() -> Problem:
    axes = np.array([(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)]) / 3**0.5
    shared = controllers.WheelAllocation(axes, limit=0.1, method="min-max")
    basis = plant.TorqueBasis("body", envelope=shared.envelope, internal=True)
    wheels = plant.wheel_array(axes, inertia=0.02, torque_limit=0.1, allocation="min-max")
    craft = plant.Spacecraft(plant.RigidBody((60.0, 50.0, 40.0)), elements=wheels, torques=basis)
    found = quaternion(craft, shared.envelope[: len(shared.envelope) // 2])
    return found._replace(y=np.hstack((found.y, np.zeros((N, len(craft.layout.names) - 7)))))


def shares() -> Problem:
    craft = on_wheels().craft
    law = controllers.quaternion_feedback(craft, frequency=0.12, damping_ratio=0.9, sample=T)
    axes = np.array([(1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)]) / 3**0.5
    found = facets(axes, np.full(4, 0.1))
    numbers = {"SHARES": 4, "FORMS": len(found), "LIMIT": 0.1, "G": np.array([form for form, _ in found])}
    numbers["C"] = np.vstack([cells[0][1] for _, cells in found])  # one facet each: no three wheel axes are in a plane
    y = 0.05 * np.random.default_rng(2).standard_normal((N, 3))
    return Problem(craft, law, numbers, y, np.zeros((N, 10)), 4, (wheel_shares(craft, sample=T),))


def estimator() -> Problem:
    craft = on_body()
    law = controllers.quaternion_feedback(craft, frequency=0.12, damping_ratio=0.9, sample=T)
    gyro, tracker = SENSORS["rate gyro"], StarTracker(noise=4e-5, roll_noise=3e-4)
    t, e = motion()
    start = {"attitude": e[0], "attitude_sigma": 1e-3, "bias_sigma": 1e-4}
    pair = gyro.block(sample=T), tracker.block(sample=EVERY * T)
    mekf = MEKF(1e-5, 1e-7).block(pair[0], [(tracker, pair[1])], **start)
    told, newest = gyro.record(t, e, seed=1).measured, np.arange(N) // EVERY
    seen = np.asarray(tracker.record(t[::EVERY], e[::EVERY], seed=1).attitude)
    y = np.zeros((N, 11))
    y[1:, :3], y[:, 3], y[:, 4] = told.rate[: N - 1], 1.0, t[:N]
    y[:, 5:9], y[:, 9], y[:, 10] = seen[newest], newest > 0, newest * EVERY * T
    first = np.concatenate((e[0], np.zeros(3), np.diag([1e-6] * 3 + [1e-8] * 3).ravel()))
    numbers = {"FILTER": 1, "SAMPLE": T, "NOISE": 1e-5, "WALK": 1e-7}
    numbers |= {"R": np.diag([4e-5**2, 4e-5**2, 3e-4**2]), "START": first[None, :]}
    return Problem(craft, law, numbers, y, np.zeros((N, 10)), 16, (*pair, mekf))


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "lqr": lambda: linear(controllers.lqr),
    "lqg": lambda: linear(controllers.lqg, torque_noise=1e-3, attitude_noise=1e-4, rate_noise=1e-4),
    "quaternion feedback": lambda: quaternion(on_body(), ()),
    "quaternion feedback on four wheels": on_wheels,
    "shares of four wheels": shares,
    "mekf": estimator,
}


def header(numbers: dict[str, Any], *, follows: bool) -> str:
    """Parameters of a hand-written law, as a header."""
    lines = [f"#define FOLLOWS(r) {'r,' if follows else ''}"]
    for name, value in numbers.items():
        if np.ndim(value) == 0:
            lines.append(f"#define {name} {value!r}")
        else:
            rows = ("{" + ", ".join(map(repr, row)) + "}" for row in np.asarray(value).tolist())
            lines.append(f"#define {name}_VALUES {{{', '.join(rows)}}}")
    return "\n".join(lines) + "\n"


def compare(problem: Problem, folder: Path, repetitions: int) -> dict[str, Any]:
    """Nanoseconds per sample of both with each set of flags, and the distance of the commands."""
    flight = {"duration": 1.0, "integrator": "rk4", "step": T, "blocks": problem.blocks, "seed": 1}
    block = problem.blocks[-1].name if problem.blocks else ""
    sim.export_code(problem.craft, problem.law, path=folder / "law.c", flight=flight, block=block, samples=5)
    (folder / "numbers.h").write_text(header(problem.numbers, follows=not block))
    compiler = shutil.which("gcc") or shutil.which("cc")
    t, y, r = (np.ascontiguousarray(rows) for rows in (np.arange(N) * T, problem.y, problem.r))
    writes = int((folder / "law.h").read_text().split("LAW_WRITES ")[1].split()[0])
    found: dict[str, Any] = {}
    for name, flags in FLAGS.items():
        library = folder / f"laws{name}.so"
        line = [compiler, *flags, "-fvisibility=hidden", f"-I{folder}", "-shared", "-fPIC"]
        subprocess.run([*line, folder / "law.c", HERE / "laws.c", "-o", library, "-lm"], check=True)
        timed = ctypes.CDLL(str(library)).timed
        timed.restype, timed.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_long, *[ctypes.c_void_p] * 4]
        u = np.zeros((2, N, writes))
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(repetitions):
            for who in (0, 1):
                times[who].append(timed(who, N, *(rows.ctypes.data for rows in (t, y, r, u[who]))))
        if min(times[1]) < 0.0:
            sys.exit("the exported law refused a sample")
        hand, ours = u[0, :, : problem.answers], u[1, :, : problem.answers]
        apart = float((np.abs(hand - ours).max(axis=0) / np.abs(hand).max(axis=0)).max())
        best = [min(each) for each in times]
        ratio = statistics.median(ours / hand for hand, ours in zip(*times, strict=True))  # the clock varies, for both
        found[name] = {"hand_ns": best[0], "exported_ns": best[1], "ratio": ratio, "apart": apart}
    return found


def main() -> int:
    """Print the comparison."""
    options = asked(__doc__, repetitions=200)
    rows: dict[str, Any] = {}
    for name, problem in PROBLEMS.items():
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = compare(problem(), Path(folder), options.repetitions)
    found = {"machine": machine(), "rows": rows}
    if options.json:
        print(json.dumps(found))
    else:
        for name, row in rows.items():
            for flags, one in row.items():
                print(
                    f"{name:36s} {flags}: {one['exported_ns']:6.1f} ns a sample, by hand {one['hand_ns']:6.1f}, "
                    f"ratio {one['ratio']:.2f}; apart by {one['apart']:.1e}"
                )
    return 0 if all(one["apart"] <= AGREE for row in rows.values() for one in row.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
