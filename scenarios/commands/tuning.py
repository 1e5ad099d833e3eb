"""``polhode tune CASE``: tune free parameters of the law to the requirements of the case, or trade off two of them."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..case.loader import LoadedCase, load_case
from ..case.located import located
from ..case.stored import state_case
from ..report.output import Results, prepare
from ..report.progress import progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...controllers import Law
    from ...plant import LinearModel
    from ..case.tuning import TunedCase
    from ..report.requirements import Verdict


RUNS = 100  # nonlinear runs within the dispersions after a search with --worst


def tune_and_print(
    name: str,
    *,
    worst: bool,
    starts: int | None,
    seed: int | None,
    sigmas: float | None,
    runs: int | None,
    overrides: Iterable[str],
    json: bool,
    out: Path | None,
) -> int:
    """Tune a case, and print requirements and parameters before and after tuning.

    out: directory for tune.json, tuned.toml (the case with tuned values), law.toml (law-MODE.toml for each mode in the
    search) and the figure. Returns 1 if a requirement on the loop, or on the run with the tuned law, is not met;
    otherwise 0.
    """
    from ...controllers.laws.files.law_file import law_text
    from ..case.tuning import tune_case
    from ..case.tuning.tuned_text import tuned_text

    loaded = load_case(name, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    with progress(loaded.name) as show:
        found = tune_case(
            loaded, worst=worst, starts=starts, seed=seed, sigmas=3.0 if sigmas is None else sigmas,
            runs=RUNS if runs is None else runs, progress=show,
        )  # fmt: skip
    before, after = (_verdicts(each) for each in (found.before, found.loaded))
    of_run = [
        {"metric": new.metric, "before": old.value, "after": new.value, "max": new.max, "min": new.min, "met": new.met}
        for old, new in zip(before, after, strict=True)
    ]
    summary: dict[str, Any] = {**found.to_dict(), "run": of_run}

    def draw() -> "dict[str, Figure]":
        from ..pictures.study.tuned_case import draw_tuned

        return draw_tuned(found, of_run)

    with Results(out) as results:
        for file, law, model in _laws(found):
            results.text(file, law_text(law, model=model))
        results.text("tuned.toml", tuned_text(found.loaded, source=loaded.source))
        results.pictures(draw)
        summary = results.finish("tune.json", summary)
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_tune import show_tuned

        show_tuned(found, of_run, files=results.files, out=results.where)
    unmet = [each.failure for each in found.requirements if not each.met]
    unmet += [each.reason for each in after if not each.met]
    unmet += [
        f"no free parameter changes {each} at the end of the search; free a different key" for each in found.unmoved
    ]
    unmet += [found.campaign_failure] if found.campaign_failure else []
    if found.unchecked:
        unmet.append("the law was not checked on every spacecraft")
    if unmet:
        sys.stderr.write(f"polhode: {loaded.name}: requirement not met: {'; '.join(unmet)}\n")
    if found.tuned.interrupted:
        sys.stderr.write(f"polhode: {loaded.name}: interrupted; these are the best values so far\n")
    return results.code(1 if unmet else 0)


def trade_and_print(
    name: str,
    metric: str,
    *,
    points: int | None,
    starts: int | None,
    seed: int | None,
    overrides: Iterable[str],
    json: bool,
    out: Path | None,
) -> int:
    """Compute the trade-off curve between the soft goal of a case and a required metric, and print its points.

    out: directory for trade-off.json and the figure. Returns 1 if no point meets all requirements; otherwise 0.
    """
    from ..case.tuning.trade_off import POINTS, trade_off

    loaded = load_case(name, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    with progress(loaded.name) as show:
        found = trade_off(
            loaded, metric, points=POINTS if points is None else points, starts=starts, seed=seed, progress=show
        )
    summary = found.to_dict()

    def draw() -> "dict[str, Figure]":
        from ..pictures.study.trade_off import draw_trade_off

        return draw_trade_off(found)

    with Results(out) as results:
        results.pictures(draw)
        summary = results.finish("trade-off.json", summary)
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_tune import show_trade_off

        show_trade_off(found, files=results.files, out=results.where)
    if found.interrupted:
        sys.stderr.write(f"polhode: {loaded.name}: interrupted; these are the points so far\n")
    if not found.met:
        sys.stderr.write(f"polhode: {loaded.name}: no point of the curve meets all requirements\n")
    return results.code(0 if found.met else 1)


def _laws(found: "TunedCase") -> "Iterator[tuple[str, Law, LinearModel]]":
    """Yield file name, law and plant model of every tuned law that can be written to a file."""
    from ...controllers.contracts.law_defaults import with_defaults
    from ..case.kinds.design import design_model
    from ..case.kinds.modes import mode_alone
    from ..case.kinds.problem import build

    case = found.loaded.case
    whole = build(case)
    for mode in found.modes or (None,):
        sub, problem = (case, whole) if mode is None else mode_alone(case, whole, mode)
        if problem.law is not None and with_defaults(problem.law).kind:
            word = "" if mode is None else "-" + re.sub(r"[^A-Za-z0-9]+", "-", mode)
            yield f"law{word}.toml", problem.law, design_model(sub, problem.craft)


def _verdicts(loaded: LoadedCase) -> "tuple[Verdict, ...]":
    """Simulate the tuned case and return the verdicts on requirements that need a run."""
    from ..case.kinds.problem import build
    from ..case_run import fly, measure_as
    from ..report.margin_metrics import MARGINS
    from ..report.requirements import judge

    required = [each for each in loaded.case.require if each.metric not in MARGINS]
    if not required:
        return ()
    with located(loaded.source):
        run = fly(build(loaded.case), name=loaded.name)
    return judge(required, measure_as(loaded.case, run))
