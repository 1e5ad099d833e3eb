"""``polhode analyse``: the loop of a case held against its simulation, and stability in the large, limit cycles."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ...controllers.files.provenance import state
from ...plant.errors import InputError
from ..case.loader import LoadedCase, load_case
from ..case.located import located
from ..case.stored import state_case
from ..objects.start import initial_state
from ..report.output import Results, prepare

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...controllers import OnOffThrusters
    from ..objects.problem import Problem

__all__ = ["analyse_case"]


def analyse_case(case: str, *, overrides: Iterable[str], json: bool, mode: str | None, out: Path | None) -> int:
    """Print what the nonlinear simulation says of the margins, the linear model and the stability of a case.

    overrides: ``key.path=value``; json: whether as one JSON object; mode: which of the modes of a case; out: where to
    write analysis.json and the pictures -> 0; 1 when a margin is off by more than 2 %, the law unwinds, a known
    Lyapunov function rises, or a limit cycle is not the one predicted. Raises InputError when the case has no
    controller.
    """
    from ...controllers.files.plant_fingerprint import flown_fingerprint
    from ...controllers.laws.law import asked
    from ..objects.design import design_plant, taken_as
    from ..objects.formulations import require_linear
    from ..objects.problem import build
    from ..report.json_text import dump
    from .loop_analysis import analyse
    from .one_mode import one_mode

    loaded = load_case(case, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    if loaded.case.controller is None:
        raise InputError(f"{loaded.name} has no [controller]; analyse looks at the loop that one closes")
    with located(loaded.source):
        require_linear(loaded.case)
        loaded, alone = one_mode(loaded, mode)
        problem = build(loaded.case) if alone is None else alone
        state({"plant_fingerprint": flown_fingerprint(problem.craft, problem.law, problem.state)})
        if problem.law is not None and asked(problem.law).switches:
            return _limit_cycles(loaded, problem, cast("OnOffThrusters", problem.law), json=json, out=out)
        craft, model = design_plant(loaded.case, problem.craft)
        words = taken_as(loaded.case, problem.craft, craft)
        if words:
            problem = replace(problem, craft=craft, state=initial_state(craft, loaded.case.initial))
        found = analyse(problem, model, name=loaded.name, duration=loaded.case.run.duration_s, taken_as=words)
    summary = {"case": loaded.name, **found.to_dict()}

    def draw() -> "dict[str, Figure]":
        from ..pictures.loop.analysis_pictures import draw_analysis

        return draw_analysis(found, name=loaded.name)

    with Results(out) as results:
        results.pictures(draw)
        summary = results.finish("analysis.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_analysis import show_analysis

        show_analysis(loaded, found)
        results.say()
    return results.code(0 if found.holds else 1)


def _limit_cycles(
    loaded: LoadedCase, problem: "Problem", law: "OnOffThrusters", *, json: bool, out: Path | None
) -> int:
    """A law without a linear gain has no margins, but cycles."""
    from ..pictures.loop.limit_cycle import draw_limit_cycles
    from ..report.json_text import dump
    from .limit_cycles import limit_cycles

    cycles = limit_cycles(problem.craft, law, reference=problem.reference)
    summary = {"case": loaded.name, "limit_cycles": [cycle.to_dict() for cycle in cycles]}
    with Results(out) as results:
        results.pictures(lambda: {"limit_cycles": draw_limit_cycles(cycles, title=f"{loaded.name}: limit cycles")})
        summary = results.finish("analysis.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_analysis import show_limit_cycles

        show_limit_cycles(loaded, cycles)
        results.say()
    return results.code(0 if all(cycle.holds for cycle in cycles) else 1)
