"""C for each problem separately, compiled on the spot: the limit of this machine (slew.c, limit.c)."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polhode.sim.engine.steppers.dop853 import STEPPER

HERE = Path(__file__).parent.parent
COMPILER = shutil.which("gcc") or shutil.which("cc")
if COMPILER is None:
    raise ImportError("no C compiler (gcc or cc) found")
FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]
LANES = 8
HOW = (
    f"C written for the one problem, {Path(COMPILER).name} {' '.join(FLAGS[:2])}; the slew and campaign in RK4, the "
    f"others in the formula of dop853 at fixed steps; {LANES} lanes are vector registers"
)
RK8 = [{"step": step} for step in (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.125, 0.1, 0.05)]
LADDERS = {"free": {"rk8": RK8[3:]}, "slew": {"rk4": [{"steps": n} for n in (1, 2, 4)]}, "wheels": {"rk8": RK8}}


def stages() -> str:
    """The steps of order 8 written out, as a macro with the name of the right-hand side and the number of states."""
    text = ["#define STAGES(name, n)"]

    def total(row: Any) -> str:
        return " + ".join(f"{float(x)!r} * k[{j}][i]" for j, x in enumerate(row) if x != 0.0)

    for stage, row in enumerate(STEPPER.a):
        where = "x"
        if stage > 0:
            text.append(f"    for (int i = 0; i < n; i++) y[i] = x[i] + h * ({total(row[:stage])});")
            where = "y"
        text.append(f"    name({where}, q, k[{stage}]);")
    text.append(f"    for (int i = 0; i < n; i++) x[i] += h * ({total(STEPPER.b)});")
    return " \\\n".join(text) + "\n"


def build(source: str, *more: str) -> Any:
    """Compile a source file and load it as a library."""
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "stages.h").write_text(stages())
        library = Path(folder) / "built.so"
        words = [COMPILER, *FLAGS, *more, f"-I{folder}", str(HERE / source), "-o", str(library), "-lm"]
        subprocess.run(words, check=True)
        return ctypes.CDLL(str(library))


began = time.perf_counter()
SCALAR, VECTOR, LIMIT = build("slew.c"), build("slew.c", f"-DLANES={LANES}"), build("limit.c")
COMPILED_S = time.perf_counter() - began


def version() -> str:
    assert COMPILER is not None
    return subprocess.run([COMPILER, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()


def stretches(given: dict[str, Any], step: float) -> list[int]:
    ends = [round(t / step) for t in given["at"]]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def pointers(*rows: Any) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(row.ctypes.data) for row in rows]


def steps_of_8(function: Any, given: dict[str, Any], x: Any, q: Any, step: float) -> Callable[[], Any]:
    """A run in steps of order 8; x begins with momentum and attitude, q with the inverse mass matrix (3 + m)^2."""
    counts = stretches(given, step)
    size = len(x) - 4
    inverse = q[: size * size].reshape(size, size)
    momentum = [0, 1, 2, *range(7, len(x))]

    def fly() -> Any:
        rows = []
        for count in counts:
            function(ctypes.c_long(count), ctypes.c_double(step), *pointers(x, q))
            rows.append(x.copy())
        return lambda: [[*row[3:7].tolist(), *(inverse @ row[momentum])[:3].tolist()] for row in rows]

    return fly


def free(given: dict[str, Any], *, step: float) -> Any:
    J = np.array(given["inertia"])
    x = np.array([*(J @ given["rate"]), *given["attitude"]])
    return steps_of_8(LIMIT.body_run8, given, x, np.linalg.inv(J).ravel(), step)


def wheels(given: dict[str, Any], *, step: float) -> Any:
    mass = np.zeros((7, 7))
    mass[:3, :3] = given["inertia"]
    for n, axis in enumerate(given["axes"]):
        a = np.array([*axis, *(float(k == n) for k in range(4))])
        mass += given["axial"] * np.outer(a, a)
    momentum = mass @ [*given["rate"], *given["wheel_rates"]]
    x = np.array([*momentum[:3], *given["attitude"], *momentum[3:]])
    return steps_of_8(LIMIT.wheels_run8, given, x, np.array([*np.linalg.inv(mass).ravel(), *given["friction"]]), step)


def flown(library: Any, mrp: int, count: int, steps: int, sample: float, rows: list[Any]) -> None:
    library.slew(
        ctypes.c_int(0), ctypes.c_int(mrp), ctypes.c_long(count), ctypes.c_int(steps), ctypes.c_double(sample / steps),
        *pointers(*rows),
    )  # fmt: skip


REFERENCE = np.array([1.0] + [0.0] * 9)


def slew(given: dict[str, Any], *, steps: int) -> Any:
    J = np.array(given["inertia"])
    inverse = np.linalg.inv(J)
    x = np.array([*(J @ given["rate"]), *given["attitude"]])
    gain = np.hstack([given["stiffness"] * np.eye(3), given["damping"] * np.eye(3)])
    rows = [x, REFERENCE, J.ravel(), inverse.ravel(), gain.ravel(), np.ones(3)]
    counts = stretches(given, given["sample"])

    def fly() -> Any:
        found = []
        for count in counts:
            flown(SCALAR, 1, count, steps, given["sample"], rows)
            found.append(x.copy())
        return lambda: [[*row[3:].tolist(), *(inverse @ row[:3]).tolist()] for row in found]

    return fly


def campaign(given: dict[str, Any], *, runs: int, lanes: int) -> Any:
    """The runs of a campaign with parameters drawn elsewhere, one by one or several at a time."""
    inertia = np.array(given["inertias"])[:runs]
    inverse = np.linalg.inv(inertia)
    rate = np.array(given["rates"])[:runs]
    attitude = np.broadcast_to(given["attitude"], (runs, 4))
    states = np.hstack([np.einsum("nij,nj->ni", inertia, rate), attitude])
    packs = -(-runs // lanes)

    def packed(rows: Any) -> Any:
        """Parameters lane after lane: (packs, size, lanes); the last pack is filled with copies of the last run."""
        flat = rows.reshape(runs, -1)
        filled = np.vstack([flat, np.repeat(flat[-1:], packs * lanes - runs, axis=0)])
        return np.ascontiguousarray(filled.reshape(packs, lanes, -1).transpose(0, 2, 1))

    x, J, inverse_J = packed(states), packed(inertia), packed(inverse)
    gain, limit = np.array(given["gain"]).ravel(), np.full(3, given["limit"])
    library = SCALAR if lanes == 1 else VECTOR
    count = round(given["at"][-1] / given["sample"])

    def fly() -> Any:
        for n in range(packs):
            flown(library, 0, count, 1, given["sample"], [x[n], REFERENCE, J[n], inverse_J[n], gain, limit])
        ends = x.transpose(0, 2, 1).reshape(packs * lanes, 7)[:runs]
        return lambda: np.hstack([ends[:, 3:], np.einsum("nij,nj->ni", inverse, ends[:, :3])]).tolist()

    return fly


PROBLEMS = {"free": free, "slew": slew, "wheels": wheels, "campaign": campaign}
