"""Shared parts of loop figures: axes, and the loop transfer function of each axis."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ....controllers import OpenedLoop
from ....controllers.loop.analysis.frequencies import frequency_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def clean(axes: "Axes", *, x: str, y: str) -> None:
    """Label axes, draw a light grid, and remove the frame.

    x, y: labels; empty for no label.
    """
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(visible=True, which="both", color="#e4e4e4", linewidth=0.6)
    axes.set_axisbelow(True)
    cast("Any", axes.spines)[["top", "right"]].set_visible(False)


def shown_frequencies(opened: OpenedLoop) -> Array:
    """Return the frequencies of loop plots, starting at a thirtieth of the slowest pole's frequency.

    -> (m,): rad/s.
    """
    return frequency_range(opened, points=800, decades=1.5)


def axis_loops(opened: OpenedLoop, frequencies: Array) -> Complex:
    """Return the loop transfer function of each signal, with the loop broken at that signal only.

    opened: loop broken at all the signals; frequencies (m,): rad/s -> (m, p), 1 / S_ii - 1.
    """
    S = opened.sensitivity(frequencies)
    return np.asarray(1.0 / np.diagonal(S, axis1=1, axis2=2) - 1.0, dtype=np.complex128)
