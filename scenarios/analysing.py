"""``polhode analyse``: the loop of a case held against its simulation, and stability in the large, limit cycles."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..plant.errors import InputError
from ..plant.provenance import state
from .loader import LoadedCase, load_case
from .located import located
from .output import Results, prepare
from .start import initial_state
from .stored import state_case

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..controllers import OnOffThrusters
    from .problem import Problem

__all__ = ["analyse_case"]


def analyse_case(case: str, *, overrides: Iterable[str], json: bool, out: Path | None) -> int:
    """Print what the nonlinear simulation says of the margins, the linear model and the stability of a case.

    overrides: ``key.path=value``; json: whether as one JSON object; out: where to write analysis.json and the pictures
    -> 0; 1 when a margin is off by more than 2 %, the law unwinds, a known Lyapunov function rises, or a limit cycle is
    not the one predicted. Raises InputError when the case has no controller.
    """
    from ..controllers.law import asked
    from ..controllers.plant_fingerprint import flown_fingerprint
    from .analysis import analyse
    from .design import design_plant, taken_as
    from .formulations import require_linear
    from .json_text import dump
    from .problem import build

    loaded = load_case(case, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    if loaded.case.controller is None:
        raise InputError(f"{loaded.name} has no [controller]; analyse looks at the loop that one closes")
    with located(loaded.source):
        require_linear(loaded.case)
        problem = build(loaded.case)
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
        from .pictures.analysis import draw_analysis

        return draw_analysis(found, name=loaded.name)

    with Results(out) as results:
        results.pictures(draw)
        summary = results.finish("analysis.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console_analysis import show_analysis

        show_analysis(loaded, found)
        results.say()
    return results.code(0 if found.holds else 1)


def _limit_cycles(
    loaded: LoadedCase, problem: "Problem", law: "OnOffThrusters", *, json: bool, out: Path | None
) -> int:
    """A law without a linear gain has no margins, but cycles."""
    from .json_text import dump
    from .limit_cycles import limit_cycles
    from .pictures.limit_cycle import draw_limit_cycles

    cycles = limit_cycles(problem.craft, law, reference=problem.reference)
    summary = {"case": loaded.name, "limit_cycles": [cycle.to_dict() for cycle in cycles]}
    with Results(out) as results:
        results.pictures(lambda: {"limit_cycles": draw_limit_cycles(cycles, title=f"{loaded.name}: limit cycles")})
        summary = results.finish("analysis.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from .console_analysis import show_limit_cycles

        show_limit_cycles(loaded, cycles)
        results.say()
    return results.code(0 if all(cycle.holds for cycle in cycles) else 1)
