"""``polhode plot``: plot saved runs in one figure."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...plant.errors import InputError
from ...plant.plain_text import plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...sim import Run
    from ..case.loader import LoadedCase


def plot_runs(paths: Sequence[str], *, out: Path, signals: Sequence[str] = (), look: str = "screen", json: bool) -> int:
    """Plot saved runs over time and print the largest differences between them.

    paths: run.nc of each run. A single run without signals is drawn as its overview.
    out: file of the figure; the suffix selects the format.
    signals: quantities such as "rate", or components such as "rate.x".
    look: "screen", "print", "slide" or "dark".
    json: print one JSON object.
    Returns 0.
    Raises InputError if a file is not a saved run, no run contains a signal, or the look or the file format is unknown,
    and SaveError if the file cannot be written.
    """
    from ..case.loader import load_case
    from ..case.stored import load_run
    from ..pictures.picture_file import check_picture, write_picture
    from ..pictures.run.compared_runs import default_signals, draw_runs, largest_differences
    from ..pictures.style import in_look, style_sheet

    check_picture(out)
    style_sheet(look)
    for path in paths:
        if not path.endswith(".nc"):
            raise InputError(f"{path}: is not a saved run; polhode run CASE --out DIR writes DIR/run.nc")
    cases = [load_case(path) for path in paths]
    loaded = [load_run(path) for path in paths]
    runs = dict(zip(_labels(paths, [each.name for each in cases]), loaded, strict=True))
    whole = len(runs) == 1 and not signals and look in {"screen", "dark"}

    def draw() -> "Figure":
        if whole:
            return _overview(cases[0], loaded[0])
        title = f"{cases[0].name}: {cases[0].case.title}" if len({each.name for each in cases}) == 1 else ""
        return draw_runs(runs, signals=signals, title=title, look=look)

    write_picture(out, lambda: in_look(draw, look))
    apart = largest_differences(runs)
    summary = {
        "runs": [
            {"label": label, "file": path, "rows": int(run.t.size), "t_end_s": float(run.t[-1]), "status": run.status}
            for (label, run), path in zip(runs.items(), paths, strict=True)
        ],
        "signals": [] if whole else list(signals or default_signals(runs)),
        "largest_differences": None if apart is None else {f"{k} ({unit})": v for k, (v, unit) in apart.items()},
        "file": str(out),
    }
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
        return 0
    for (label, run), path in zip(runs.items(), paths, strict=True):
        words = f"{label}: {run.t.size:,} rows to {run.t[-1]:g} s, {run.status} ({path})"
        sys.stdout.write(plain_text(words) + "\n")
    if apart is not None:
        sys.stdout.write("largest difference from the first run, at the same times:\n")
        sys.stdout.writelines(
            f"  {name.replace('_', ' ')}: {value:.4g} {unit}\n" for name, (value, unit) in apart.items()
        )
    elif len(runs) > 1:
        sys.stdout.write("the runs have rows at different times, so no difference is stated\n")
    sys.stdout.write(plain_text(f"written to {out}") + "\n")
    return 0


def _labels(paths: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return distinct labels: the case names, if necessary with the folders of the files or with numbers."""
    for labels in (list(names), [f"{name}, {Path(path).parent.name}" for name, path in zip(names, paths, strict=True)]):
        if len(set(labels)) == len(labels):
            return labels
    return [f"{name}, {n + 1}" for n, name in enumerate(names)]


def _overview(loaded: "LoadedCase", run: "Run") -> "Figure":
    from ..pictures.run.plots import figures

    band = loaded.case.metrics.settling_band_deg
    return figures(run, name=loaded.name, title=loaded.case.title, settling_band_deg=band)["overview"]
