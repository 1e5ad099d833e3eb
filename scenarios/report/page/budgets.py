"""Budgets: pointing errors by source, torques and their limits, wheel momentum and its capacity."""

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import PolhodeError
from ....sim.results.limit_times import command_limit_times
from .markup import Markup, join, table, tag
from .numbers import value_text
from .svg import drawing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .design import Loop
    from .source import PageSource

Array = NDArray[np.float64]

ARCSEC = float(np.degrees(3600.0))
LEAST_SHARE = 1e-4  # fraction of the largest source below which a source is omitted
UNLIMITED = 1e100


def budget_section(source: "PageSource", loops: "Sequence[Loop]") -> Markup:
    """Return the applicable budgets; the anchor "budget" is at the pointing budget."""
    parts = [_pointing(source, loops), _torque(source), _environment(source), _momentum(source), _propellant(source)]
    found = [part for part in parts if part]
    return join(found) if found else tag("p", "No budget applies: the case has no law and no wheels.", class_="quiet")


def _pointing(source: "PageSource", loops: "Sequence[Loop]") -> Markup:
    case = source.case_run.loaded.case
    if not source.noisy or not loops:
        return Markup("")
    head = tag("h3", "Pointing budget", id="budget")
    window = case.metrics.window_s
    if window is None:
        return join((head, tag("p", "None: metrics.window_s, the averaging window of the errors, is not given.")))
    parts: list[str] = [head]
    for loop in loops:
        if loop.name and loop.model is not None:
            parts.append(tag("h4", f"Mode {loop.name}"))
        parts.append(_pointing_of(loop, window))
    return join(parts)


def _pointing_of(loop: "Loop", window: float) -> Markup:
    from ....controllers import pointing_budget
    from ....sim.results.budget_plot import draw_budget

    if loop.model is None or not any(block.random for block in loop.blocks):
        return Markup("")
    try:
        budget = pointing_budget(loop.law, loop.model, window=window, blocks=loop.blocks)
    except PolhodeError as error:
        return tag("p", f"No budget from the linear loop: {error}", class_="quiet")
    heads = ["source", *(f"{what} {axis}" for what in ("APE", "MPE", "RPE") for axis in "xyz")]
    errors = (budget.pointing.absolute, budget.pointing.mean, budget.pointing.relative)
    most = float(max(each[np.isfinite(each)].max(initial=0.0) for each in errors))
    rows = [
        [name, *(_arcsec(value) for each in errors for value in each[n])]
        for n, name in enumerate(budget.sources)
        if max(float(each[n].max()) for each in errors) > LEAST_SHARE * most
    ]
    rows.append(["all", *(_arcsec(value) for row in budget.pointing.total() for value in row)])
    caption = f"One standard deviation, arcsec, from the linear loop (ECSS-E-ST-60-10C); window {window:g} s."
    parts: list[str] = [table(heads, rows, caption=caption, class_="numbers")]
    parts += [tag("p", each, class_="quiet") for each in budget.words]
    parts.append(drawing(draw_budget(budget, title=""), "Pointing error by source, and its spectral density"))
    return join(parts)


def _arcsec(value: float) -> str:
    return value_text(ARCSEC * value, digits=3) if isfinite(value) else "grows"


def _torque(source: "PageSource") -> Markup:
    run = source.case_run.run
    if run.law is None:
        return Markup("")
    both = "command_wheels" in run.names
    limited = command_limit_times(run)
    rows: list[list[str]] = []
    for port, basis in run.craft.ports.items():
        name = f"command_{port}" if both else "command"
        values, limits = run.values(name), basis.limits()
        for n, label in enumerate(run.components(name)[0]):
            peak, limit = float(np.abs(values[:, n]).max()), float(limits[n])
            rows.append(
                _row(
                    f"command {port if both else ''} {label}".replace("  ", " "), peak, limit, _rms(run.t, values[:, n])
                )
            )
        if port in limited:
            rows.append([f"time at the limit{f', {port}' if both else ''}", f"{limited[port]:.4g} s", "", "", ""])
    rows += _motors(run)
    heads = ["torque", "peak, N m", "limit, N m", "peak over limit", "root mean square, N m"]
    return join((tag("h3", "Torque budget"), table(heads, rows, caption="Over the whole run.", class_="numbers")))


def _environment(source: "PageSource") -> Markup:
    """Return a table of peak, mean and momentum of each environment torque."""
    from ..torque_budget import budget_entries, budget_of, unresolved

    entries = budget_entries(budget_of(source.case_run.run))
    rows = entries.get("torque_budget", ())
    if not rows:
        return Markup("")
    per = "per orbit" if entries["torque_budget_orbits"] else "in the run"
    heads = [
        "torque",
        "peak, N m",
        *(f"mean {axis}, N m" for axis in "xyz"),
        *(f"momentum {axis}, N m s" for axis in "xyz"),
    ]
    cells = [
        [
            row["source"],
            value_text(row["peak_N_m"], digits=3),
            *(value_text(v, digits=3) for v in row["mean_N_m"]),
            *(value_text(v, digits=3) for v in row["secular_N_m_s_per_orbit"] or row["momentum_N_m_s"]),
        ]
        for row in rows
    ]
    caption = f"Peak at the output times, mean in body axes, momentum in inertial axes {per}."
    note = unresolved(entries["torque_budget_turn_between_rows_deg"])
    parts = [tag("h3", "Torques of the environment"), table(heads, cells, caption=caption, class_="numbers")]
    return join([*parts, *([tag("p", f"{note[0].upper()}{note[1:]}.", class_="quiet")] if note else [])])


def _row(words: str, peak: float, limit: float, rms: float) -> list[str]:
    known = limit < UNLIMITED
    return [
        words,
        value_text(peak, digits=4),
        value_text(limit, digits=4) if known else "none",
        f"{100.0 * peak / limit:.1f} %" if known and limit > 0.0 else "",
        value_text(rms, digits=4),
    ]


def _rms(t: Array, values: Array) -> float:
    """Return the root mean square over time, each row held until the next one."""
    spans = np.diff(t)
    whole = float(spans.sum())
    return float(np.sqrt((spans @ values[:-1] ** 2) / whole)) if whole > 0.0 else float(abs(values[-1]))


def _motors(run: Any) -> list[list[str]]:
    if "motor_torque" not in run.names:
        return []
    found: list[Any] = [each.torque_limit for each in run.craft.elements if hasattr(each, "torque_limit")]
    limits = [float("inf") if each is None else float(each) for each in found]
    labels, values = run.components("motor_torque")[0], run.values("motor_torque")
    known = len(limits) == len(labels)
    return [
        _row(
            f"motor of {label.replace('_', ' ')}",
            float(np.abs(values[:, n]).max()),
            limits[n] if known else float("inf"),
            _rms(run.t, values[:, n]),
        )
        for n, label in enumerate(labels)
    ]


def _momentum(source: "PageSource") -> Markup:
    """Return a table of total momentum and impulse, and of each wheel's speed and speed limit."""
    run = source.case_run.run
    total = run.values("inertial_momentum")
    start, end = total[0], total[-1]
    size = np.linalg.norm(total, axis=1)
    rows = [
        ["total at the start", *(value_text(v, digits=4) for v in (*start, size[0]))],
        ["total at the end", *(value_text(v, digits=4) for v in (*end, size[-1]))],
        ["change", *(value_text(v, digits=4) for v in (*(end - start), np.linalg.norm(end - start)))],
        ["largest", *(value_text(v, digits=4) for v in (*np.abs(total).max(axis=0), size.max()))],
    ]
    parts: list[str] = [
        tag("h3", "Momentum budget"),
        table(
            ["angular momentum, N m s", "x", "y", "z", "magnitude"], rows, caption="Inertial axes.", class_="numbers"
        ),
    ]
    wheels = _wheels(run)
    if wheels:
        heads = ["wheel", "largest speed, rad/s", "speed limit, rad/s", "largest over limit", "at the end, rad/s"]
        parts.append(table(heads, wheels, caption="Speed relative to the hub.", class_="numbers"))
    return join(parts)


def _propellant(source: "PageSource") -> Markup:
    """Return pulses, on-time and fraction of the total on-time of each thruster, and the propellant."""
    run = source.case_run.run
    if "thruster_on_time" not in run.names:
        return Markup("")
    on, pulses = run.values("thruster_on_time")[-1], run.values("thruster_pulses")[-1]
    on, pulses = np.atleast_1d(on), np.atleast_1d(pulses)
    whole = float(on.sum())
    rows = [
        [f"thruster {n + 1}", f"{pulses[n]:.0f}", value_text(float(on[n]), digits=4), _percent(float(on[n]), whole)]
        for n in range(on.size)
    ]
    rows.append(["all", f"{pulses.sum():.0f}", value_text(whole, digits=4), ""])
    parts = [
        tag("h3", "Propellant budget"),
        table(["thruster", "pulses", "on-time, s", "of all on-times"], rows, caption="Over the run.", class_="numbers"),
    ]
    metrics = source.case_run.metrics
    used = [name for name in ("propellant_kg", "propellant_per_day_kg") if name in metrics]
    words = [f"{value_text(metrics[name].value, digits=4)} kg {'in the run' if name == 'propellant_kg' else 'per day'}"
             for name in used if metrics[name].value is not None]  # fmt: skip
    parts.append(tag("p", f"Propellant: {', '.join(words)}." if words else "Propellant: no specific impulse is given."))
    return join(parts)


def _percent(part: float, whole: float) -> str:
    return f"{100.0 * part / whole:.1f} %" if whole > 0.0 else ""


def _wheels(run: Any) -> list[list[str]]:
    if "internal_rate" not in run.names:
        return []
    labels, rates = run.components("internal_rate")[0], run.values("internal_rate")
    rows: list[list[str]] = []
    column = 0
    for element in run.craft.elements:
        for _ in element.coordinates:
            if getattr(element, "spins", False) and hasattr(element, "relative_rate"):
                limit = getattr(element, "speed_limit", None)
                most = float(np.abs(rates[:, column]).max())
                rows.append(
                    [
                        labels[column].removesuffix("_angle").replace("_", " "),
                        value_text(most, digits=4),
                        "none" if limit is None else value_text(limit, digits=4),
                        "" if limit is None else f"{100.0 * most / float(limit):.1f} %",
                        value_text(float(rates[-1, column]), digits=4),
                    ]
                )
            column += 1
    return rows
