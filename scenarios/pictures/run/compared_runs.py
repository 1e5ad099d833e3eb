"""Comparison of saved runs in the same axes: one panel per component, one colour and dash per run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ..palette import LIMIT, stroke
from .envelopes import draw_envelopes
from .panels_pointing import LEAST

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....sim import Run

Array = NDArray[np.float64]

FIRST = ("attitude_error", "rate", "command", "command_wheels", "command_external", "motor_torque", "inertial_momentum")
"""Quantities drawn by default, in this order."""

COLUMNS = 3
ANGLES = {"rad": "deg", "rad/s": "deg/s", "rad/s^2": "deg/s^2"}
MOST_PANELS = 24


@dataclass(frozen=True, kw_only=True)
class _Signal:
    """One component of a quantity: name, component (None for a scalar), unit."""

    name: str
    component: str | None
    unit: str

    @property
    def title(self) -> str:
        words = self.name.replace("_", " ")
        return words if self.component is None else f"{words} {self.component.replace('_', ' ')}"


def default_signals(runs: Mapping[str, "Run"]) -> tuple[str, ...]:
    """Return the default quantities that every run has."""
    return tuple(name for name in FIRST if all(name in run.names for run in runs.values())) or ("rate",)


def draw_runs(
    runs: Mapping[str, "Run"], *, signals: Sequence[str] = (), title: str = "", look: str = "screen"
) -> "Figure":
    """Draw signals of several runs over time.

    runs: runs by label; signals: quantities such as "rate", or components such as "rate.x" (default:
    `default_signals`); title: title above the figure; look: name in `polhode.scenarios.pictures.style.LOOKS`, which
    also sets the figure size.
    Raises InputError when no run has a requested signal, or when there are too many panels.
    """
    import matplotlib as mpl

    from ....sim.results.page import new_page

    chosen = [each for name in signals or default_signals(runs) for each in _signals(runs, name)]
    if len(chosen) > MOST_PANELS:
        raise InputError(f"{len(chosen)} panels exceed the limit of {MOST_PANELS} in one figure; select fewer signals")
    columns = 1 if look == "print" else min(COLUMNS, max((_count(chosen, each.name) for each in chosen), default=1))
    rows = _rows(chosen, columns)
    width, height = mpl.rcParams["figure.figsize"]
    share = 0.36 if look == "slide" else 0.55
    figure = new_page(
        (width, max(share * height * len(rows) + 0.1 * height, 0.7 * height)), dpi=mpl.rcParams["figure.dpi"]
    )
    if title:
        figure.suptitle(title, fontsize="medium")
    grid = figure.add_gridspec(len(rows), columns)
    seconds, unit = _time_unit(runs)
    first: Axes | None = None
    for number, row in enumerate(rows):
        for place, signal in enumerate(row):
            where = grid[number, :] if len(row) == 1 else grid[number, place]
            axes: Axes = figure.add_subplot(where, **({} if first is None else {"sharex": first}))
            first = first or axes
            _panel(axes, runs, signal, seconds)
            if number == len(rows) - 1:
                axes.set_xlabel(f"time ({unit})")
    assert first is not None  # noqa: S101 # `_signals` raises if there is none
    first.set_xlim(0.0, max(float(run.t[-1]) for run in runs.values()) / seconds)
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2 if look == "print" else 4, frameon=False)
    return figure


def _signals(runs: Mapping[str, "Run"], requested: str) -> list[_Signal]:
    name, _, component = requested.partition(".")
    having = [run for run in runs.values() if name in run.names]
    if not having:
        known = sorted({each for run in runs.values() for each in run.names})
        raise InputError(f"--signal {requested}: no run has it; use one of {', '.join(known)}")
    components, unit = having[0].components(name)
    width = having[0].values(name).reshape(having[0].t.size, -1).shape[1]
    if width == 1 and not components:
        return [_Signal(name=name, component=None, unit=unit)]
    words = components if len(components) == width else tuple(str(n) for n in range(width))
    if component and component not in words:
        raise InputError(f"--signal {requested}: {name} has no such component; use one of {', '.join(words)}")
    return [_Signal(name=name, component=each, unit=unit) for each in words if component in {"", each}]


def _count(chosen: Sequence[_Signal], name: str) -> int:
    return sum(each.name == name for each in chosen)


def _rows(chosen: Sequence[_Signal], columns: int) -> list[list[_Signal]]:
    """Return the panels in rows, one row for each quantity."""
    rows: list[list[_Signal]] = []
    for each in chosen:
        if rows and rows[-1][0].name == each.name and len(rows[-1]) < columns:
            rows[-1].append(each)
        else:
            rows.append([each])
    return rows


def _time_unit(runs: Mapping[str, "Run"]) -> tuple[float, str]:
    from .panels import time_unit

    return time_unit(max(runs.values(), key=lambda run: float(run.t[-1])))


def _column(run: "Run", signal: _Signal) -> Array | None:
    """Return the values of a signal in the unit of the figure; None if the run does not have the signal."""
    if signal.name not in run.names:
        return None
    table = np.asarray(run.values(signal.name), dtype=np.float64).reshape(run.t.size, -1)
    components = run.components(signal.name)[0]
    words = components if len(components) == table.shape[1] else tuple(str(n) for n in range(table.shape[1]))
    if signal.component is not None and signal.component not in words:
        return None
    column = table[:, 0 if signal.component is None else words.index(signal.component)]
    return np.degrees(column) if signal.unit in ANGLES else column


def _panel(axes: "Axes", runs: Mapping[str, "Run"], signal: _Signal, seconds: float) -> None:
    held = signal.name.startswith("command")
    logarithmic = signal.name == "attitude_error"
    for number, (label, run) in enumerate(runs.items()):
        values = _column(run, signal)
        if values is None:
            continue
        if logarithmic:
            values = np.where(values > LEAST, values, np.nan)
        style: dict[str, Any] = {"drawstyle": "steps-post"} if held else {}
        axes.plot(run.t / seconds, values, **stroke(number), **style, label=label)
    if logarithmic and any(np.isfinite(np.asarray(line.get_ydata(), dtype=float)).any() for line in axes.lines):
        axes.set_yscale("log")
    bands = draw_envelopes(axes)
    for limit in _limits(runs, signal):
        axes.axhline(limit, color=LIMIT, linestyle=(0.0, (1.0, 1.5)), linewidth=1.0, label="_")
    unit = ANGLES.get(signal.unit, signal.unit)
    axes.set_title(signal.title + (", band from minimum to maximum" if bands else ""), loc="left", fontsize="small")
    axes.set_ylabel(unit if unit != "1" else "")


def _limits(runs: Mapping[str, "Run"], signal: _Signal) -> list[float]:
    """Return the limits of a commanded torque that all runs have in common."""
    if not signal.name.startswith("command") or signal.component is None:
        return []
    found: set[float] = set()
    for run in runs.values():
        basis = run.craft.ports.get(signal.name.removeprefix("command_"), run.craft.torques)
        limits = None if basis.limit is None else [float(each) for each in basis.limits()]
        words = run.components(signal.name)[0] if signal.name in run.names else ()
        if limits is None or signal.component not in words:
            return []
        found.add(limits[words.index(signal.component)])
    return [sign * each for each in found for sign in (1.0, -1.0)] if len(found) == 1 else []


def largest_differences(runs: Mapping[str, "Run"]) -> dict[str, tuple[float, str]] | None:
    """Return the largest difference from the first run and its unit by quantity; None if times differ.

    The quantities of `default_signals` are compared at equal times; nothing is interpolated.
    """
    first, *others = runs.values()
    if not others or any(not np.array_equal(first.t, each.t) for each in others):
        return None
    found: dict[str, tuple[float, str]] = {}
    for name in default_signals(runs):
        unit = first.components(name)[1]
        tables = [np.asarray(run.values(name), dtype=np.float64) for run in runs.values()]
        if all(table.shape == tables[0].shape for table in tables):
            most = max(float(np.abs(table - tables[0]).max()) for table in tables[1:])
            found[name] = (float(np.degrees(most)), ANGLES[unit]) if unit in ANGLES else (most, unit)
    return found
