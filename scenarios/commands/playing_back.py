"""``polhode playback``: show a run in three dimensions, in one HTML file."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...plant.errors import InputError
from ...plant.plain_text import plain_text
from ..case.loader import LoadedCase, load_case
from ..case.located import located
from ..case.stored import load_run

if TYPE_CHECKING:
    from ...sim import Run


def play_back(name: str, *, overrides: Iterable[str], out: Path, json: bool = False) -> int:
    """Write the playback of a run and print a summary of its contents.

    name: name or path of a case, which is simulated, or the run.nc of a saved run.
    overrides: ``key.path=value``, for a case.
    out: HTML file.
    json: print one JSON object in place of the summary.
    Returns 0 if the run completed, otherwise 1; an incomplete run is shown too.
    Raises InputError if the case or the file is invalid, and SaveError if the file cannot be written.
    """
    from ..pictures.playback.data import playback_data
    from ..pictures.playback.page import write_playback_data

    _check(out)
    loaded, run = _run(name, tuple(overrides))
    data = playback_data(run, loaded.case, name=loaded.name, title=loaded.case.title)
    write_playback_data(out, data)
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(_summary(data, out, run)) + "\n")
    else:
        size = out.stat().st_size / 1e6
        sys.stdout.write(f"{plain_text(str(out))}: {run.t.size:,} rows to {run.t[-1]:g} s, {size:.2f} MB\n")
        sys.stdout.writelines(f"  {plain_text(note)}\n" for note in data["notes"])
    if run.status != "completed":
        sys.stderr.write(
            f"polhode: {loaded.name}: the run ended {run.status} at {run.t[-1]:g} s: {plain_text(run.reason)}\n"
        )
        return 1
    return 0


def _check(out: Path) -> None:
    if out.suffix.lower() not in {".html", ".htm"}:
        raise InputError(f"--out {out}: the playback is a web page; end the name in .html")
    if out.is_dir():
        raise InputError(f"--out {out}: is a folder; give a file")
    if not out.parent.is_dir():
        raise InputError(f"--out {out}: there is no folder {out.parent}; create it first")


def _run(name: str, overrides: tuple[str, ...]) -> "tuple[LoadedCase, Run]":
    if name.endswith(".nc"):
        if overrides:
            raise InputError(f"{name}: is a recorded run; use --set with a case")
        return load_case(name), load_run(name)
    from ..case.kinds.problem import build
    from ..case_run import fly

    loaded = load_case(name, overrides)
    with located(loaded.source):
        return loaded, fly(build(loaded.case), name=loaded.name)


def _summary(data: dict[str, Any], out: Path, run: "Run") -> dict[str, Any]:
    """Return a summary of the file: size, drawn parts, and the largest error of each channel."""
    return {
        "case": data["name"],
        "file": str(out),
        "bytes": out.stat().st_size,
        "status": run.status,
        "rows": data["rows"],
        "t_end_s": data["duration"],
        "parts": [part["kind"] for part in data["parts"]],
        "errors": {name: channel["error"] for name, channel in data["channels"].items()},
        "notes": data["notes"],
    }
