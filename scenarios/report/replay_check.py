"""Comparison of a recorded run with a repetition of its case."""

import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.files.json_text import read_json
from ...plant.errors import InputError
from ...sim.results.stored_run import read_run

Array = NDArray[np.float64]

ALLOWED = 1e-6
"""Allowed difference relative to the largest value of a quantity. On the same machine the difference is zero. A
different processor or compiler rounds differently, by about 1e-16 per step. dop853 at its default tolerance is accurate
to about 1e-7 over 1000 s of tumbling."""
ROUNDING = 1e-12  # SI units; allowed difference of quantities that are zero except for rounding

COMPARED = (
    "attitude", "rate", "position", "velocity", "internal", "internal_rate", "command", "energy", "tip_deflection",
)  # fmt: skip
"""Compared quantities. All others follow from these; balances, and error vectors near 180 deg, are round-off."""


def recorded_times(path: Path) -> tuple[float, ...]:
    """Return the additional output times of a recorded run, and the time of its last row, s.

    A repetition with these output times has the same rows.
    """
    stored = read_run(path)
    times = read_json(str(stored.about.get("at", "[]")), where=f"{path}: at")
    if not isinstance(times, list) or not all(type(each) in {int, float} for each in cast("list[Any]", times)):
        raise InputError(f"{path}: at must be a list of times, s; got {times!r:.60}")
    given = cast("list[float]", times)
    return (*given, float(stored.t[-1])) if stored.ended.status == "stopped" else tuple(given)


def compare(path: Path, t: Array, pieces: Callable[[str], Generator[Array]]) -> dict[str, Any]:
    """Compare a run with a recorded run, row by row.

    path: the recorded run; t (n,): times of the rows of the run, s; pieces: `pieces(name)` yields a quantity of the run
    in chunks of rows. Returns the file, the number of common rows, the largest difference of each quantity (absolute
    and relative to the largest recorded value), the allowed difference, and in `same` whether the runs agree.
    """
    recorded = read_run(path).recorded
    _, there, here = np.intersect1d(recorded.times(), t, assume_unique=True, return_indices=True)
    if not there.size:
        raise InputError(f"{path}: shares no output time with the new run of its case")
    found: dict[str, dict[str, float]] = {}
    for name in COMPARED:
        if name not in recorded.names:
            continue
        largest, differs = 0.0, 0.0
        old, new = _rows(recorded.pieces(name), there), _rows(pieces(name), here)
        for a, b in zip(old, new, strict=True):
            if a.shape != b.shape:
                raise InputError(f"{path}: its {name} belongs to a different spacecraft than its case")
            largest = max(largest, float(np.abs(a).max(initial=0.0)))
            differs = max(differs, float(np.abs(a - b).max(initial=0.0)))
        found[name] = {"difference": differs, "relative": differs / largest if largest > 0.0 else differs}
    rows = int(there.size)
    same = all(
        each["relative"] <= ALLOWED or each["difference"] <= ROUNDING for each in found.values()
    ) and rows == min(recorded.times().size, t.size)
    return {"file": str(path), "rows": rows, "quantities": found, "allowed_relative": ALLOWED, "same": same}


def _rows(pieces: Generator[Array], which: NDArray[np.int64], size: int = 65_536) -> Generator[Array]:
    """Yield selected rows in chunks of equal length, independent of the input chunks."""
    first, left = 0, np.zeros(0)
    ready: list[Array] = []
    count = 0
    for piece in pieces:
        inside = which[(which >= first) & (which < first + len(piece))] - first
        first += len(piece)
        ready.append(piece[inside])
        count += inside.size
        while count >= size:
            whole = np.concatenate(ready)
            yield whole[:size]
            ready, count = [whole[size:]], count - size
    left = np.concatenate(ready)
    if left.size:
        yield left


def say_comparison(found: Mapping[str, Any], *, json: bool) -> int:
    """Print the comparison, and return the exit code.

    found: result of `compare`; json: whether stdout is reserved for one JSON object. Returns 1 if the runs differ,
    otherwise 0.
    """
    quantities = found["quantities"]
    worst = max(quantities, key=lambda name: quantities[name]["relative"])
    largest = quantities[worst]
    words = (
        f"{found['rows']:,} rows of {found['file']} simulated again: largest difference {largest['difference']:.3g}, "
        f"{largest['relative']:.3g} of the largest value, in {worst}"
    )
    if found["same"]:
        if not json:
            sys.stdout.write(f"\n{words}\n")
        return 0
    sys.stderr.write(
        f"polhode: {words}; a different machine may change up to {found['allowed_relative']:g}, so this is a different "
        "run: the file, or what polhode computes, has changed\n"
    )
    return 1
