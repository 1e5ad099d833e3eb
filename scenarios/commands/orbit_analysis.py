"""``polhode analyse`` of a case that points along an orbit: Floquet multipliers and margins over the orbit."""

import sys
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...controllers.guidance import follows_orbit
from ...plant.environment.budget import orbital_period
from ...plant.errors import InputError
from ..case.kinds.formulations import require_linear
from ..case.kinds.problem import build
from ..case.loader import LoadedCase
from ..case.located import located
from ..report.output import Results
from ..report.progress import progress

if TYPE_CHECKING:
    from ...sim import Floquet
    from ..case.kinds.problem import Problem

SPARE = 1.001  # length of the environment tables, orbits
NEAR = 1e-3
"""Largest accepted difference between the monodromy matrix and the simulated orbit map, relative to its entries."""


def points_along_orbit(case: Any, problem: "Problem") -> bool:
    """Return whether a case has a law or magnetorquers to analyse over an orbit.

    This is the case if its reference follows the orbit, or its law has gains for each place of the orbit.
    """
    if problem.law is not None and hasattr(problem.law, "multipliers"):
        return True
    return follows_orbit(problem.reference) and (problem.law is not None or case.plant.magnetorquers is not None)


def over_one_orbit(loaded: LoadedCase, problem: "Problem") -> "Problem":
    """Return the problem with an environment that covers one orbit, if the run of the case is shorter."""
    period = orbital_period(problem.craft)
    run = loaded.case.run
    if not isfinite(period):
        raise InputError(f"{loaded.name}: the orbit is not closed, so the loop cannot be analysed over a period")
    needed = SPARE * period + (0.0 if problem.law is None else problem.law.sample)
    if run.duration_s >= needed:
        return problem
    longer = loaded.case.model_copy(update={"run": run.model_copy(update={"duration_s": needed})})
    return replace(build(longer), settings=problem.settings)


def analyse_orbit(loaded: LoadedCase, problem: "Problem", *, json: bool, out: Path | None) -> int:
    """Analyse a case along its orbit and print the result.

    loaded: the case; problem: objects built from it; json: print one JSON object; out: directory for analysis.json.
    Returns 1 if the loop is unstable over the orbit, or a comparison with the simulation fails; otherwise 0.
    """
    from ... import sim
    from ..report.console_orbit import show_floquet
    from ..report.json_text import dump

    with located(loaded.source):
        require_linear(loaded.case)
        problem = over_one_orbit(loaded, problem)
        assert problem.reference is not None  # noqa: S101 # it follows the orbit
        with progress(f"{loaded.name} (orbit)") as show:
            found = sim.floquet(
                problem.craft, problem.law, reference=problem.reference, blocks=problem.blocks, progress=show
            )
    summary: dict[str, Any] = {"case": loaded.name, "floquet": found.to_dict(), "holds": holds(found)}
    with Results(out) as results:
        summary = results.finish("analysis.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        show_floquet(loaded, found, holds=holds(found))
        results.say()
    return results.code(0 if holds(found) else 1)


def holds(found: "Floquet") -> bool:
    """Return whether the loop is stable over the orbit and agrees with the simulations."""
    near = not isfinite(found.difference) or found.difference <= NEAR
    return found.stable and near and all(row.confirmed is not False for row in found.margins)
