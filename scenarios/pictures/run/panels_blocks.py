"""Panels of block signals, one for each signal."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.laws.modes.modes_kernel import SIGNALS
from ....sim.results.block_quantities import STAMP
from ...report.rounding import scale_of, still_words
from ...report.signal_names import NAMES, signal_title
from ..palette import stroke
from .pulses_note import pulses_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

Array = NDArray[np.float64]

ATTITUDE = frozenset({"e0", "e1", "e2", "e3"})
INDEPENDENT = frozenset({"nis"})
"""Signals whose samples are independent of each other. A line through the samples would fill the panel."""
DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s^2": "deg/s^2"}


def block_panels(run: "Run") -> dict[str, tuple[str, Callable[["Axes", "Run", Array], None]]]:
    """Return the panels of block signals: title and `draw(axes, run, time)` by signal name."""
    return {
        name: (signal_title(run, name), partial(_draw, name))
        for name in run.written
        if name not in SIGNALS and _says_something(run, name)  # modes are shown at the bottom of every panel
    }


def _says_something(run: "Run", name: str) -> bool:
    """Return whether a signal is worth a panel: neither an attitude, nor constant, nor zero to rounding."""
    components, unit = run.components(name)
    if name == "attitude_sigma" or any(each in ATTITUDE for each in components):
        return False
    table = run.values(name).reshape(run.t.size, -1)
    kept = [n for n, each in enumerate(components) if each not in STAMP] if components else [0]
    return not still_words(table[:, kept], scale_of(run, unit))


def _draw(name: str, axes: "Axes", run: "Run", time: Array) -> None:
    values, (components, unit) = run.values(name), run.components(name)
    table = values.reshape(len(values), -1)
    unit = unit or _measured_unit(run, name)
    shown = DEGREES.get(unit, unit)
    factor = np.degrees(1.0) if unit in DEGREES else 1.0
    for index in range(table.shape[1]):
        if components and components[index] in STAMP:
            continue
        label = components[index] if components else name.replace("_", " ")
        look = {**stroke(index), **_look(name)}
        axes.plot(time, factor * table[:, index], label=label, **look)
    words = NAMES.get(name, name.replace("_", " "))
    label = f"{words} ({shown})" if shown else words
    axes.set_ylabel(label + pulses_note(run) if name.startswith("command_after_") else label)


def _look(name: str) -> dict[str, Any]:
    """Return the style of a signal: steps, or dots if its samples are independent."""
    if name in INDEPENDENT:
        return {"linestyle": "none", "marker": ".", "markersize": 2.0}
    return {"drawstyle": "steps-post", "linewidth": 1.0}


def _measured_unit(run: "Run", name: str) -> str:
    """Return the unit of a measurement whose signal also has validity and time."""
    return next((block.writes[name].unit for block in run.blocks if block.timestamped == name), "")
