"""Panels of the signals of blocks, one for each signal."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....controllers.modes.modes_kernel import SIGNALS
from ....sim.results.block_quantities import STAMP
from ..palette import stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

__all__ = ["block_panels"]

Array = NDArray[np.float64]

DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s^2": "deg/s^2"}


def block_panels(run: "Run") -> dict[str, tuple[str, Callable[["Axes", "Run", Array], None]]]:
    """Return title and `draw(axes, run, time)` of the panel of each signal that blocks write, by name of the signal."""
    return {
        name: (f"{name.replace('_', ' ').capitalize()}: {run.quantity(name).words}", partial(_draw, name))
        for name in run.written
        if name not in SIGNALS  # which mode is in force stands along the foot of every panel
    }


def _draw(name: str, axes: "Axes", run: "Run", time: Array) -> None:
    values, (components, unit) = run.values(name), run.components(name)
    table = values.reshape(len(values), -1)
    shown = DEGREES.get(unit, unit)
    factor = np.degrees(1.0) if unit in DEGREES else 1.0
    for index in range(table.shape[1]):
        if components and components[index] in STAMP:
            continue
        label = components[index] if components else name.replace("_", " ")
        axes.plot(time, factor * table[:, index], drawstyle="steps-post", linewidth=1.0, label=label, **stroke(index))
    axes.set_ylabel(f"{name.replace('_', ' ')} ({shown})" if shown else name.replace("_", " "))
