"""Damping chart: damper parameters that give the fastest nutation decay."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant import DampingChart
from ..palette import AXIS_COLOURS, INK, mixed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

WORDS = {
    ("RingDamper", "friction"): "friction Cd",
    ("RingDamper", "fill"): "fill angle",
    ("RingDamper", "radius"): "radius R",
    ("RingDamper", "mass"): "mass of fluid",
}
"""Labels of damper parameters that differ from their names."""

LEVELS = (1.02, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)  # contours, relative to the best time constant
SPAN = 30.0  # largest time constant in sections, relative to the shortest
STAR = "#D55E00"


def draw_damping_chart(chart: DampingChart) -> "Figure":
    """Draw the nutation time constant over the parameters of a damper, with the optimum marked.

    If there are two or three parameters, the first panel has contours of the time constant over the first two
    parameters, with the third at the charted value nearest to its optimum. For each parameter, one panel shows a
    section through the optimum, with the exact time constant and, dashed, the energy-sink estimate. If there
    are three parameters, brown lines in the first section show the time constant at the charted values of the third.

    Parameters
    ----------
    chart : DampingChart
        Result of `polhode.plant.damping_chart`.

    Returns
    -------
    matplotlib.figure.Figure
        Figure that is not attached to any window.
    """
    from ....sim.results.page import new_page

    count = len(chart.parameters)
    panels = count + (1 if count > 1 else 0)
    columns = min(panels, 2)
    rows = -(-panels // columns)
    figure = new_page((6.0 * columns, 4.6 * rows), dpi=110)
    places: Any = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for spare in places[panels:]:
        spare.set_visible(False)
    if count > 1:
        _contours(places[0], chart)
    for n in range(count):
        _section(places[n + panels - count], chart, n)
    best = ", ".join(_value(chart, name, value) for name, value in zip(chart.parameters, chart.optimum, strict=True))
    limits = " and ".join(_words(chart, name)[0] for name in chart.at_limit)
    figure.suptitle(
        f"Nutation at a spin of {chart.rate:g} rad/s: shortest time constant {chart.best_time_constant:.4g} s\n"
        f"{best}" + (f" ({limits} at the limit of the chart)" if limits else "")
    )
    return figure


def _words(chart: DampingChart, name: str) -> tuple[str, str, float]:
    """Return the label of a parameter, its unit in the figure, and the conversion factor to that unit."""
    words = WORDS.get((chart.element, name), name.replace("_", " "))
    unit = chart.units[chart.parameters.index(name)]
    return (words, "deg", math.degrees(1.0)) if unit == "rad" else (words, unit.replace("^2", "²"), 1.0)


def _value(chart: DampingChart, name: str, value: float) -> str:
    words, unit, share = _words(chart, name)
    return f"{words} {value * share:.4g} {unit}".rstrip()


def _scale(axis: Any, chart: DampingChart, n: int) -> Array:
    """Label the axis of a parameter, choose its scale, and return the values in the unit of the axis."""
    words, unit, share = _words(chart, chart.parameters[n])
    values = chart.values[n] * share
    axis.set_label_text(f"{words} ({unit})" if unit else words)
    if unit == "deg":
        axis.set_major_locator(_multiples(values))
    elif len(values) > 2 and values[-1] >= 5.0 * values[0]:
        name: Any = axis.axis_name
        getattr(axis.axes, f"set_{name}scale")("log")
        _plain_ticks(axis)
    return values


def _multiples(values: Array) -> Any:
    from matplotlib.ticker import MultipleLocator

    return MultipleLocator(60.0 if np.ptp(values) > 200.0 else 30.0 if np.ptp(values) > 60.0 else 10.0)


def _contours(axes: "Axes", chart: DampingChart) -> None:
    """Draw contours of the time constant over the first two parameters."""
    field, title = chart.time_constant, "time constant (s)"
    if field.ndim == 3:
        nearest = int(np.argmin(np.abs(np.log(chart.values[2] / chart.optimum[2]))))
        field = field[:, :, nearest]
        title += f" at {_value(chart, chart.parameters[2], float(chart.values[2][nearest]))}"
    x, y = _scale(axes.xaxis, chart, 0), _scale(axes.yaxis, chart, 1)
    shown = np.log(np.where(np.isfinite(field), field, np.nan)).T
    levels = math.log(chart.best_time_constant) + np.log(LEVELS)
    axes.contourf(x, y, shown, levels=levels, cmap="viridis_r", extend="both")
    lines = axes.contour(x, y, shown, levels=levels, colors="white", linewidths=0.8)
    axes.clabel(
        lines, fmt={level: f"{math.exp(level):.3g}" for level in levels.tolist()}, fontsize="small", colors="white"
    )
    _mark(axes, chart, x_value=_shown(chart, 0, chart.optimum), y_value=_shown(chart, 1, chart.optimum), label=True)
    given = [_shown(chart, n, chart.given) for n in (0, 1)]
    if x[0] <= given[0] <= x[-1] and y[0] <= given[1] <= y[-1]:
        words = f"as given: {chart.given_time_constant:.4g} s"
        axes.plot(*given, "o", color="white", markeredgecolor=INK, markersize=9, label=words, linestyle="none")
    axes.legend(loc="upper left", fontsize="small", framealpha=0.95)
    axes.set_title(title, fontsize="medium")


def _shown(chart: DampingChart, n: int, numbers: tuple[float, ...]) -> float:
    return numbers[n] * _words(chart, chart.parameters[n])[2]


def _mark(axes: "Axes", chart: DampingChart, *, x_value: float, y_value: float, label: bool) -> None:
    axes.plot(
        x_value,
        y_value,
        marker="*",
        markersize=17,
        color=STAR,
        markeredgecolor="white",
        linestyle="none",
        clip_on=False,
        zorder=5,
        label=f"optimum: {chart.best_time_constant:.4g} s" if label else None,
    )


def _section(axes: "Axes", chart: DampingChart, n: int) -> None:
    """Draw the time constant over one parameter, with all other parameters at the optimum."""
    _scale(axes.xaxis, chart, n)
    x = chart.section_values[n] * _words(chart, chart.parameters[n])[2]
    exact, estimate = chart.sections[n]
    axes.plot(x, _finite(exact), color=AXIS_COLOURS[0], linewidth=2.0, label="exact eigenvalue")
    axes.plot(x, _finite(estimate), color=INK, linewidth=1.2, linestyle="--", label="energy-sink estimate")
    _mark(axes, chart, x_value=_shown(chart, n, chart.optimum), y_value=chart.best_time_constant, label=False)
    top = min(1.2 * float(np.nanmax(_finite(exact))), SPAN * chart.best_time_constant)
    low = 0.85 * min(chart.best_time_constant, float(np.nanmin(_finite(estimate))))
    if top > 5.0 * low:
        axes.set_yscale("log")
        _plain_ticks(axes.yaxis)
    axes.set_ylim(low, top)
    if n == 0 and len(chart.parameters) == 3:
        _others(axes, chart)
    axes.set_ylabel("time constant (s)")
    others = [m for m in range(len(chart.parameters)) if m != n]
    if others:
        fixed = ", ".join(_value(chart, chart.parameters[m], chart.optimum[m]) for m in others)
        axes.set_title(f"at {fixed}", fontsize="medium")
    axes.grid(visible=True, which="both", color="#e4e4e4", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper center", fontsize="small", framealpha=0.95)


def _others(axes: "Axes", chart: DampingChart) -> None:
    """Draw the time constant over the first parameter for each charted value of the third."""
    second, third = chart.values[1], chart.values[2]
    x = chart.values[0] * _words(chart, chart.parameters[0])[2]
    for m, value in enumerate(third):
        if abs(math.log(value / chart.optimum[2])) < 1e-3:
            continue
        logs = np.log(_finite(chart.time_constant[:, :, m]))
        curve = np.exp(np.array([np.interp(chart.optimum[1], second, row) for row in logs], dtype=np.float64))
        colour = mixed("#DDAA77", "#553311", m / (len(third) - 1))
        axes.plot(x, curve, color=colour, linewidth=1.2, label=_value(chart, chart.parameters[2], float(value)))


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, np.nan)


def _plain_ticks(axis: Any) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())
