"""``polhode analyse``: margins compared with the nonlinear simulation, global stability, limit cycles."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from ...controllers.laws.files.provenance import state
from ...plant.errors import InputError
from ..case.kinds.start import initial_state
from ..case.loader import LoadedCase, load_case
from ..case.located import located
from ..case.stored import state_case
from ..report.output import Results, prepare

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...controllers import Block, OnOffThrusters
    from ..case.kinds.problem import Problem
    from ..case.schema import Case

READINGS = 20_000


def analyse_case(case: str, *, overrides: Iterable[str], json: bool, mode: str | None, out: Path | None) -> int:
    """Analyse the loop of a case: margins, linear model and stability, compared with simulations.

    overrides: ``key.path=value``; json: print one JSON object; mode: name of the analysed mode, for a case with modes;
    out: directory for analysis.json and the figures. Returns 1 if a margin deviates by more than 2 %, the law unwinds,
    a Lyapunov function increases, or a limit cycle is outside the predicted band; otherwise 0. A case that points along
    an orbit is analysed over one orbit, see `analyse_orbit`. Raises InputError if the case has no controller and no
    magnetorquers that point along an orbit.
    """
    from ...controllers.contracts.law_defaults import with_defaults
    from ...controllers.laws.files.plant_fingerprint import flown_fingerprint
    from ..case.kinds.design import design_plant, taken_as
    from ..case.kinds.formulations import require_linear
    from ..case.kinds.problem import build
    from ..report.json_text import dump
    from .loop_analysis import analyse
    from .one_mode import one_mode
    from .orbit_analysis import analyse_orbit, points_along_orbit

    loaded = load_case(case, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    if loaded.case.controller is None:
        with located(loaded.source):
            free = build(loaded.case) if loaded.case.plant.magnetorquers is not None else None
        if free is not None and points_along_orbit(loaded.case, free):
            return analyse_orbit(loaded, free, json=json, out=out)
        raise InputError(f"{loaded.name} has no [controller], so there is no closed loop to analyse")
    with located(loaded.source):
        require_linear(loaded.case)
        loaded, alone = one_mode(loaded, mode)
        problem = build(loaded.case) if alone is None else alone
        state({"plant_fingerprint": flown_fingerprint(problem.craft, problem.law, problem.state)})
        if problem.law is not None and with_defaults(problem.law).is_relay:
            return _limit_cycles(loaded, problem, cast("OnOffThrusters", problem.law), json=json, out=out)
        if alone is None and points_along_orbit(loaded.case, problem):
            return analyse_orbit(loaded, problem, json=json, out=out)
        craft, model = design_plant(loaded.case, problem.craft)
        words = taken_as(loaded.case, problem.craft, craft)
        if words:
            problem = replace(problem, craft=craft, state=initial_state(craft, loaded.case.initial))
        table = loaded.case.metrics
        found = analyse(
            problem, model, name=loaded.name, duration=loaded.case.run.duration_s, taken_as=words,
            known=_on_truth(loaded.case, problem, alone=alone is not None),
            window=table.window_s, pointing_from=table.pointing_from_s,
        )  # fmt: skip
    summary = {"case": loaded.name, **found.to_dict()}

    def draw() -> "dict[str, Figure]":
        from ..pictures.loop.analysis_pictures import draw_analysis

        return {**draw_analysis(found, name=loaded.name), **_allan(loaded.case, problem)}

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


def _allan(case: "Case", problem: "Problem") -> "dict[str, Figure]":
    """Plot the Allan deviation of each gyro at rest, from 20,000 samples with the seed of the case."""
    from ..case.kinds.sensors.sensed import sensed

    assert problem.law is not None  # noqa: S101 # the caller checked
    found: dict[str, Figure] = {}
    for each in sensed(case, sample=problem.law.sample):
        if each.kind.gyro:
            T = each.block(False).clock.period
            gyro = replace(each.sensor, loss=0.0, outages=(), modal_slopes=None, modal_coordinates=None)
            still = np.tile((1.0, 0.0, 0.0, 0.0), (READINGS + 1, 1))
            rate = gyro.record(T * np.arange(READINGS + 1), still, seed=case.run.seed or 0).measured.rate
            found[f"allan_{each.name}"] = gyro.plot_allan(rate, sample=T)
    return found


def _on_truth(case: "Case", problem: "Problem", *, alone: bool) -> "tuple[Block, ...] | None":
    """Return the blocks that a case needs if its law reads the true attitude and rate.

    Returns None if the law of the case already reads them.

    alone: whether the case is one mode of a case with modes. If so, only blocks connected to the command are returned.
    """
    from ...controllers.loop.routes import COMMAND
    from ..case.kinds.blocks.blocks_of import blocks_of

    if case.controller is None or not case.sensors or case.controller.uses == "truth":
        return None
    if alone:  # sensors and estimators serve every mode, so keep only blocks that read or write the command
        return tuple(block for block in problem.blocks if COMMAND in (*block.reads, *block.writes))
    seeing = case.controller.model_copy(update={"uses": "truth"})
    return blocks_of(case.model_copy(update={"controller": seeing}), problem.craft, law=problem.law)


def _limit_cycles(
    loaded: LoadedCase, problem: "Problem", law: "OnOffThrusters", *, json: bool, out: Path | None
) -> int:
    """Analyse the limit cycles of a relay law, which has no linear gain and hence no margins."""
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
