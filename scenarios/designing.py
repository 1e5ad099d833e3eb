"""``polhode design``: gains, poles and margins of a case's law, or several laws side by side."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..plant.errors import InputError
from .explain import located
from .loader import LoadedCase, LoadedSatelliteCase, load_any_case
from .output import prepare, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["design_case"]


def design_case(
    case: str, *, overrides: Iterable[str], json: bool, method: str | None, compare: str | None, out: Path | None
) -> int:
    """Print the designed controller of a case.

    Parameters
    ----------
    case : str
        Name or path.
    overrides : iterable of str
        ``key.path=value``.
    json : bool
        Whether as one JSON object.
    method : str or None
        Another kind of law, tuned to the same natural frequency and damping ratio.
    compare : str or None
        Kinds of law with commas between them, to be flown and compared.
    out : path or None
        Where to write design.json, law.toml (to be flown later as `controller.kind = "file"`) and pictures.

    Returns
    -------
    int
        0; 1 when the law, flown once, does not meet a requirement of the case, or when one of a comparison could not
        be designed or did not complete its run.
    """
    from ..controllers import DynamicFeedback, LinearFeedback, QuaternionFeedback, analyse, save_law
    from .comparison import with_method
    from .design import design, linear_model
    from .design_verdicts import satellite_verdicts_of, verdicts_of
    from .json_text import dump
    from .margin_metrics import without_margins
    from .pictures.loop import loop_pictures
    from .problem import build
    from .summary import design_summary

    given = load_any_case(case, overrides)
    loaded = _with_plant(given, compare)
    if out is not None:
        prepare(out)
    if compare is not None:
        if method is not None:
            raise InputError("give --method or --compare, not both")
        return _compare(loaded, compare, json=json, out=out)
    if loaded.case.controller is None and loaded.case.plant.elements and method is None:
        return _passive(loaded, json=json, out=out)
    with located(loaded.source):
        chosen = loaded.case if method is None else with_method(loaded.case, method)
        craft = build(chosen, with_law=False).craft
        law = design(chosen, craft)
        kind = "" if chosen.controller is None else chosen.controller.kind
        model = linear_model(chosen, craft)
        analysis = analyse(law, model) if not without_margins(law) else None
        if isinstance(given, LoadedSatelliteCase):  # judged with its flexible arms, as a run is
            verdicts = satellite_verdicts_of(given.case, chosen.controller)
        else:
            verdicts = verdicts_of(chosen, analysis, name=loaded.name, reason=without_margins(law))
    summary = design_summary(law, analysis, verdicts, method=kind)
    pictures: dict[str, Figure] = {}
    if out is not None and analysis is not None:
        pictures = loop_pictures(law, model, analysis, title=f"{loaded.name}: {kind}")
    files = _write(out, summary, pictures)
    if out is not None and isinstance(law, DynamicFeedback | LinearFeedback | QuaternionFeedback):
        save_law(law, out / "law.toml", model=model)
        files = (*files, "law.toml")
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console import show_design

        show_design(loaded, summary, analysis=without_margins(law) if analysis is None else str(analysis))
        _say(out, files)
    unmet = [verdict.reason for verdict in verdicts if not verdict.met]
    if unmet:
        sys.stderr.write(f"polhode: {loaded.name}: requirement not met: {'; '.join(unmet)}\n")
    return 1 if unmet else 0


def _with_plant(loaded: LoadedCase | LoadedSatelliteCase, compare: str | None) -> LoadedCase:
    """The case itself; of a satellite with flexible arms the same with rigid ones, for which its laws are designed."""
    if isinstance(loaded, LoadedCase):
        return loaded
    if compare is not None:
        raise InputError(
            f"{loaded.source}: has a [satellite]; its laws are compared by `polhode run` and [[compare]] tables"
        )
    from .flexible.flight import rigid_case
    from .satellite import satellite_of

    with located(loaded.source):
        return LoadedCase(
            name=loaded.name,
            source=loaded.source,
            case=rigid_case(loaded.case, satellite_of(loaded.case.satellite)),
        )


def _passive(loaded: LoadedCase, *, json: bool, out: Path | None) -> int:
    """Judge the steady spins of a craft without a controller, and chart its damper."""
    from .json_text import dump
    from .passive_design import chart_of, passive_summary, spins_of
    from .pictures import draw_damping_chart
    from .problem import build

    with located(loaded.source):
        problem = build(loaded.case)
        spins = spins_of(problem.craft, problem.state)
        chart = chart_of(problem.craft, spins)
    summary = passive_summary(spins, chart)
    files = _write(out, summary, {} if chart is None else {"damping_chart": draw_damping_chart(chart)})
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console_passive import show_passive

        show_passive(loaded, spins, chart)
        _say(out, files)
    return 0


def _compare(loaded: LoadedCase, words: str, *, json: bool, out: Path | None) -> int:
    from .comparison import compare
    from .json_text import dump
    from .pictures.comparison import draw_comparison

    methods = [word.strip() for word in words.split(",")]
    if len(set(methods)) != len(methods) or not all(methods):
        raise InputError(f"--compare {words!r}: give kinds of law with commas between them, none of them twice")
    with located(loaded.source):
        entries = compare(loaded.case, methods, name=loaded.name)
    found = {"case": loaded.name, "comparison": [entry.to_dict() for entry in entries]}
    pictures: dict[str, Figure] = {}
    if out is not None:
        band = loaded.case.metrics.settling_band_deg
        title = f"{loaded.name}: {loaded.case.title}"
        pictures["comparison"] = draw_comparison(entries, title=title, settling_band_deg=band)
    files = _write(out, found, pictures)
    if json:
        sys.stdout.write(dump(found) + "\n")
    else:
        from .console_comparison import show_comparison

        show_comparison(loaded, entries)
        _say(out, files)
    return 0 if all(entry.run is not None and entry.run.status == "completed" for entry in entries) else 1


def _write(out: Path | None, found: dict[str, Any], pictures: "dict[str, Figure]") -> tuple[str, ...]:
    from .json_text import dump

    if out is None:
        return ()
    text = dump(found) + "\n"
    write_whole(out / "design.json", lambda path: path.write_text(text, encoding="utf-8"))
    for name, figure in pictures.items():
        write_whole(out / f"{name}.png", lambda path, figure=figure: figure.savefig(path, format="png"))
    return ("design.json", *(f"{name}.png" for name in pictures))


def _say(out: Path | None, files: tuple[str, ...]) -> None:
    if out is not None:
        sys.stdout.write(f"\nwritten to {out}: {', '.join(files)}\n")
