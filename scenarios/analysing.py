"""``polhode analyse``: the loop of a case held against its simulation, and its stability in the large."""

import sys
from collections.abc import Iterable
from pathlib import Path

from ..plant.errors import InputError
from .explain import located
from .loader import load_case
from .output import prepare, write_whole

__all__ = ["analyse_case"]


def analyse_case(case: str, *, overrides: Iterable[str], json: bool, out: Path | None) -> int:
    """Print what the nonlinear simulation says of the margins, the linear model and the stability of a case.

    Parameters
    ----------
    case : str
        Name or path.
    overrides : iterable of str
        ``key.path=value``.
    json : bool
        Whether as one JSON object.
    out : path or None
        Where to write analysis.json and the pictures.

    Returns
    -------
    int
        0; 1 when a margin is off by more than 2 %, the law unwinds, or a known Lyapunov function rises.

    Raises
    ------
    InputError
        When the case has no controller.
    """
    from .analysis import analyse
    from .design import law_model
    from .json_text import dump
    from .problem import build

    loaded = load_case(case, overrides)
    if out is not None:
        prepare(out)
    if loaded.case.controller is None:
        raise InputError(f"{loaded.name} has no [controller]; analyse looks at the loop that one closes")
    with located(loaded.source):
        problem = build(loaded.case)
        model = law_model(loaded.case, problem.craft)
        found = analyse(problem, model, name=loaded.name, duration=loaded.case.run.duration_s)
    summary = {"case": loaded.name, **found.to_dict()}
    files: list[str] = []
    if out is not None:
        from .pictures.analysis import draw_analysis

        write_whole(out / "analysis.json", lambda path: path.write_text(dump(summary) + "\n", encoding="utf-8"))
        files.append("analysis.json")
        for name, figure in draw_analysis(found, name=loaded.name).items():
            write_whole(out / f"{name}.png", lambda path, figure=figure: figure.savefig(path, format="png"))
            files.append(f"{name}.png")
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console_analysis import show_analysis

        show_analysis(loaded, found)
        if out is not None:
            sys.stdout.write(f"\nwritten to {out}: {', '.join(files)}\n")
    return 0 if found.holds else 1
