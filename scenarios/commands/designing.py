"""``polhode design``: gains, poles and margins of the law of a case, or a comparison of several laws."""

import sys
from collections.abc import Iterable
from pathlib import Path

from ...controllers.laws.files.provenance import state
from ...plant.errors import InputError
from ..case.loader import LoadedCase, load_case
from ..case.located import located
from ..case.stored import state_case
from ..report.output import Results, prepare


def design_case(
    case: str,
    *,
    overrides: Iterable[str],
    json: bool,
    method: str | None,
    compare: str | None,
    mode: str | None,
    out: Path | None,
) -> int:
    """Design the controller of a case and print it, or compare several kinds of law.

    overrides: ``key.path=value``.
    json: print one JSON object.
    method: different kind of law, tuned to the same natural frequency and damping ratio.
    compare: comma-separated kinds of law to simulate and compare.
    mode: name of the mode, for a case with modes.
    out: directory for design.json, law.toml, law.mat and the figures. A case reads law.toml with
        `controller.kind = "file"`, and law.mat, the linear form for other tools, with `kind = "control-system"`.
    Returns 1 if a run under the law violates a requirement of the case, or if a law of a comparison could not be
    designed or did not complete its run; otherwise 0.
    """
    import numpy as np

    from ...controllers import analyse, plant_fingerprint
    from ...controllers.contracts.law_defaults import with_defaults
    from ...controllers.contracts.law_system import linear_law_content
    from ...controllers.laws.files.checksum import CHECKSUM, system_checksum
    from ...controllers.laws.files.law_file import law_text
    from ...controllers.laws.gain_schedule import GainSchedule
    from ..case.kinds.blocks.blocks_of import blocks_of
    from ..case.kinds.design import design_model, design_warnings
    from ..case.kinds.formulations import require_linear
    from ..case.kinds.problem import build, law_of
    from ..case.kinds.references.reference_of import reference_of
    from ..pictures.loop.loop_pictures import loop_pictures
    from ..report.design_verdicts import verdicts_of
    from ..report.json_text import dump
    from ..report.model_mat import write_mat
    from ..report.summary import design_summary
    from ..report.torque_budget import budget_entries, budget_on_reference
    from .comparison import with_method
    from .one_mode import one_mode

    loaded = load_case(case, overrides)
    with located(loaded.source):
        require_linear(loaded.case)
    state_case(loaded)
    if out is not None:
        prepare(out)
    if compare is not None:
        if method is not None:
            raise InputError("give --method or --compare, not both")
        return _compare(loaded, compare, json=json, out=out)
    inside = [element for element in loaded.case.plant.elements if element.kind != "flexible-arm"]
    if loaded.case.controller is None and inside and method is None:
        return _passive(loaded, json=json, out=out)
    with located(loaded.source):
        loaded, whole = one_mode(loaded, mode)
        chosen = loaded.case if method is None else with_method(loaded.case, method)
        craft = build(chosen, with_law=False).craft
        law = law_of(chosen, craft)
        kind = "" if chosen.controller is None else chosen.controller.kind
        model = design_model(chosen, craft)
        state({"plant_fingerprint": plant_fingerprint(model)})
        no_margins = with_defaults(law).no_margins
        blocks = blocks_of(chosen, craft, law=law) if whole is None else whole.blocks
        analysis = None if no_margins else analyse(law, model, blocks=blocks)
        verdicts, warnings = verdicts_of(chosen, analysis, name=loaded.name, reason=no_margins, problem=whole)
        warnings = (*design_warnings(chosen, craft), *warnings)
        budget = budget_on_reference(craft, reference_of(chosen, craft), chosen.run.duration_s)
    system = None if analysis is None else linear_law_content(with_defaults(law), model, with_delay=False)
    if system is not None and isinstance(law, GainSchedule):
        warnings = (*warnings, "law.mat is the linear form of the gain schedule at this operating point only")
    if system is not None:
        system[CHECKSUM] = system_checksum(system)
    entries_of_system = (
        {} if system is None else {"system": {name: np.asarray(each).tolist() for name, each in system.items()}}
    )
    summary = {**design_summary(law, analysis, verdicts, method=kind), **entries_of_system, **budget_entries(budget)}
    summary["warnings"] = list(warnings)
    with Results(out) as results:
        if with_defaults(law).kind:
            results.text("law.toml", law_text(law, model=model))
        if system is not None:
            results.write("law.mat", lambda path: write_mat(system, path))
        if analysis is not None:
            results.pictures(lambda: loop_pictures(law, model, analysis, blocks=blocks, title=f"{loaded.name}: {kind}"))
        summary = results.finish("design.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console import show_design

        show_design(
            loaded,
            summary,
            words=with_defaults(law).summary,
            analysis=no_margins if analysis is None else str(analysis),
        )
        results.say()
    unmet = [verdict.reason for verdict in verdicts if not verdict.met]
    if unmet:
        sys.stderr.write(f"polhode: {loaded.name}: requirement not met: {'; '.join(unmet)}\n")
    return results.code(1 if unmet else 0)


def _passive(loaded: LoadedCase, *, json: bool, out: Path | None) -> int:
    """Report the steady spins of an uncontrolled spacecraft, their stability, and the best damper parameters."""
    from ..case.kinds.problem import build
    from ..pictures import draw_damping_chart
    from ..report.json_text import dump
    from .passive_design import chart_of, passive_summary, spins_of

    with located(loaded.source):
        problem = build(loaded.case)
        spins = spins_of(problem.craft, problem.state)
        chart = chart_of(problem.craft, spins)
    summary = passive_summary(spins, chart)
    with Results(out) as results:
        results.pictures(lambda: {} if chart is None else {"damping_chart": draw_damping_chart(chart)})
        summary = results.finish("design.json", summary)
    if json:
        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_passive import show_passive

        show_passive(loaded, spins, chart)
        results.say()
    return results.code(0)


def _compare(loaded: LoadedCase, words: str, *, json: bool, out: Path | None) -> int:
    from ..pictures.run.compared_laws import draw_comparison
    from ..report.json_text import dump
    from .comparison import compare

    methods = [word.strip() for word in words.split(",")]
    if len(set(methods)) != len(methods) or not all(methods):
        raise InputError(f"--compare {words!r}: give a comma-separated list of different kinds of law")
    with located(loaded.source):
        entries = compare(loaded.case, methods, name=loaded.name)
    notes = [f"{each.method}: {warning}" for each in entries if each.run is not None for warning in each.run.warnings]
    found = {"case": loaded.name, "comparison": [entry.to_dict() for entry in entries], "warnings": notes}
    band = loaded.case.metrics.settling_band_deg
    runs = {each.method: each.run for each in entries if each.run is not None}
    title = f"{loaded.name}: {loaded.case.title}"
    with Results(out) as results:
        results.pictures(lambda: {"comparison": draw_comparison(runs, title=title, settling_band_deg=band)})
        found = results.finish("design.json", found)
    if json:
        sys.stdout.write(dump(found) + "\n")
    else:
        from ..report.console import show_warnings
        from ..report.console_comparison import show_comparison

        show_comparison(loaded, entries)
        show_warnings(notes)
        results.say()
    return results.code(0 if all(each.run is not None and each.run.status == "completed" for each in entries) else 1)
