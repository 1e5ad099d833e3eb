"""Design section: gains, margins, poles and frequency responses of each law of a case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from ....plant.errors import PolhodeError
from ...case.kinds.design import design_model
from ...case.kinds.formulations import require_linear
from .markup import Markup, join, table, tag
from .numbers import value_text
from .svg import drawing

if TYPE_CHECKING:
    from ....controllers import Block, LoopAnalysis
    from ....plant import LinearModel, Spacecraft
    from ...case.schema import Case
    from .source import PageSource

MOST_COLUMNS = 18
MOST_POLES = 60
ACRONYMS = frozenset({"lqr", "lqi", "lqg", "lqgi", "pid"})
WORDS = {
    "bode": "Bode diagram: each plant input, the others closed",
    "nyquist": "Nyquist diagram",
    "nichols": "Nichols diagram",
    "singular_values": "Sensitivity and complementary sensitivity",
    "poles": "Poles of the closed loop",
    "responses": "Response to a step and to a constant torque",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Loop:
    """One law with its linear loop.

    name: name of the mode, empty if there are no modes; case, craft, law, blocks: objects of the case; model,
    analysis: linear model and loop analysis, None if there is no linear loop; reason: reason for a missing linear loop.
    """

    name: str
    case: "Case"
    craft: "Spacecraft"
    law: Any
    blocks: "tuple[Block, ...]"
    model: "LinearModel | None"
    analysis: "LoopAnalysis | None"
    reason: str = ""


def loops_of(source: "PageSource") -> tuple[Loop, ...]:
    """Return the loop of each mode of a case, or of its only law; empty if it has no law."""
    case_run = source.case_run
    case, problem = case_run.loaded.case, case_run.problem
    if problem.law is None:
        return ()
    if not case.modes:
        return (_loop("", case, problem),)
    from ...case.kinds.modes import mode_alone

    return tuple(_loop(each.name, *mode_alone(case, problem, each.name)) for each in case.modes)


def _loop(name: str, case: "Case", problem: Any) -> Loop:
    from ....controllers import analyse
    from ....controllers.contracts.law_defaults import with_defaults

    law, model, analysis = problem.law, None, None
    reason = str(with_defaults(law).no_margins)
    if not reason:
        try:
            require_linear(case)
            model = design_model(case, problem.craft)
            analysis = analyse(law, model, blocks=problem.blocks)
        except PolhodeError as error:
            reason = str(error)
    return Loop(
        name=name, case=case, craft=problem.craft, law=law, blocks=problem.blocks, model=model, analysis=analysis,
        reason=reason,
    )  # fmt: skip


def design_section(loops: Sequence[Loop]) -> Markup:
    """Return gains, margins, poles and plots of each law; the first law has the anchors for links."""
    if not loops:
        return tag("p", "The case has no control law.", class_="quiet")
    parts: list[str] = []
    margins = poles = True  # whether the anchors are still to be placed
    for loop in loops:
        if loop.name:
            parts.append(tag("h3", f"Mode {loop.name}"))
        parts.append(_law(loop))
        if loop.analysis is None:
            parts.append(tag("p", f"No linear loop: {loop.reason}", class_="quiet"))
            continue
        parts += [_margins(loop.analysis, "margins" if margins else None), _drawings(loop)]
        parts.append(_poles(loop.analysis, "poles" if poles else None))
        margins = poles = False
    return join(parts)


def _law(loop: Loop) -> Markup:
    from ....controllers.contracts.law_defaults import with_defaults

    law = with_defaults(loop.law)
    words = str(law.summary)
    kind, *rest = words.split(", ", 1)
    kind = kind.upper() if kind in ACRONYMS else f"{kind[:1].upper()}{kind[1:]}"
    head = tag("p", ", ".join((kind, *rest)))
    timing = tag("p", f"Sampled every {law.sample:g} s, computational delay {law.delay:g} s.")
    return join((head, timing, *_gains(law.gains())))


def _gains(gains: Mapping[str, Sequence[Sequence[float]]]) -> list[Markup]:
    parts: list[Markup] = []
    for name, rows in gains.items():
        if not rows or len(rows[0]) > MOST_COLUMNS:
            size = f"{len(rows)} x {len(rows[0]) if rows else 0}"
            parts.append(tag("p", f"{name}: {size}; polhode design CASE --json prints it.", class_="quiet"))
            continue
        body = join(tag("tr", *(tag("td", value_text(value, digits=6)) for value in row)) for row in rows)
        whole = tag("table", tag("caption", name), tag("tbody", body), class_="numbers")
        parts.append(tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=f"gain {name}"))
    return parts


def _margins(analysis: "LoopAnalysis", id_: str | None) -> Markup:
    every = analysis.margins
    heads = ["input", "gain up, dB", "gain down, dB", "phase, deg", "delay, s", "crossover, rad/s", "bandwidth, rad/s"]
    rows = [
        [
            axis.input,
            *(
                value_text(value, digits=4)
                for value in (
                    axis.gain_up_dB, axis.gain_down_dB, axis.phase_deg, axis.delay_s, axis.crossover_rad_s,
                    axis.bandwidth_rad_s,
                )
            ),
        ]
        for axis in every.axes
    ]  # fmt: skip
    together = (every.gain_up_dB, every.gain_down_dB, every.phase_deg, every.delay_s)
    rows.append(["all together", *(value_text(value, digits=4) for value in together), "", ""])
    parts: list[str] = [
        tag("h4", "Margins at the plant input"),
        table(heads, rows, caption="One input at a time with the others closed; then all together.", class_="numbers"),
    ]
    if every.periodic:
        parts.append(tag("p", every.periodic, class_="quiet"))
    parts.append(_disks(analysis))
    return tag("div", *parts, id=id_)


def _disks(analysis: "LoopAnalysis") -> Markup:
    disks = {
        "plant inputs": analysis.disk_input,
        "measurements": analysis.disk_output,
        "inputs and measurements": analysis.disk_both,
    }
    rows = [
        [words, *(value_text(v, digits=4) for v in (one.alpha, one.gain_dB, one.phase_deg, one.frequency_rad_s))]
        for words, found in disks.items()
        if found is not None
        for one in (found.simultaneous,)
    ]
    rows += [
        [words, value_text(one.peak, digits=4), value_text(one.peak_dB, digits=4), "", value_text(one.frequency_rad_s)]
        for words, one in (("peak of S", analysis.sensitivity), ("peak of T", analysis.complementary))
        if one is not None
    ]
    if not rows:
        return Markup("")
    heads = ["simultaneous disk margins, peaks", "alpha or peak", "gain, dB", "phase, deg", "at rad/s"]
    caption = "Independent factors on all signals simultaneously; peaks of the sensitivities at the plant input."
    return table(heads, rows, caption=caption, class_="numbers")


def _poles(analysis: "LoopAnalysis", id_: str | None) -> Markup:
    """Return a table of the closed-loop poles, slowest first."""
    rows = [
        [
            f"{mode.pole.real:.6f}" + (f" ± {abs(mode.pole.imag):.6f} i" if mode.pole.imag else ""),
            value_text(mode.frequency_rad_s),
            value_text(mode.damping_ratio, digits=4),
            value_text(mode.time_constant_s) if isfinite(mode.time_constant_s) else "does not decay",
        ]
        for mode in analysis.modes
    ]
    heads = ["pole (z-plane)", "frequency, rad/s", "damping ratio", "time constant, s"]
    caption = "Closed-loop poles, slowest first; dead-beat poles are omitted."
    parts: list[str] = [
        tag("h4", "Closed-loop poles"),
        table(heads, rows[:MOST_POLES], caption=caption, class_="numbers"),
    ]
    if len(rows) > MOST_POLES:
        parts.append(tag("p", f"{len(rows) - MOST_POLES} faster poles: polhode design CASE --json.", class_="quiet"))
    return tag("div", *parts, id=id_)


def _drawings(loop: Loop) -> Markup:
    from ...pictures.loop.loop_pictures import loop_pictures

    if loop.model is None or loop.analysis is None:
        return Markup("")
    figures = loop_pictures(loop.law, loop.model, loop.analysis, blocks=loop.blocks, title="")
    where = f", mode {loop.name}" if loop.name else ""
    drawn = [drawing(figure, f"{WORDS.get(name, name)}{where}") for name, figure in figures.items()]
    return tag("div", *drawn, class_="drawings") if drawn else Markup("")
