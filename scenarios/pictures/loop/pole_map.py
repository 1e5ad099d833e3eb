"""Map of the closed-loop poles: natural frequency and damping and, for a sampled loop, the z-plane."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....controllers import LoopMode
from ..palette import AXIS_COLOURS, FAINT, INK, LIMIT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Poles = NDArray[np.complex128]


def draw_pole_map(modes: Sequence[LoopMode], *, sample: float | None, title: str) -> "Figure | None":
    """Draw the poles by natural frequency and damping, and in the z-plane; None if there are none.

    modes: modes of the closed loop; sample: sample time of the loop, s, None for a continuous loop; title: title above
    the figure. The frequency axis is logarithmic, since filter poles are often a thousand times slower than the poles
    of the law.
    """
    from ....sim.results.page import new_page

    if not modes:
        return None
    poles = np.array([mode.pole for mode in modes], dtype=np.complex128)
    s: Poles = poles if sample is None else np.asarray(np.log(poles[poles != 0.0]) / sample, dtype=np.complex128)
    figure = new_page((11.0 if sample is not None else 6.5, 5.2), dpi=120)
    figure.suptitle(title)
    views = figure.subplots(1, 2 if sample is not None else 1, squeeze=False)[0]
    _damping(views[0], s)
    if sample is not None:
        _z_plane(views[1], poles, sample)
    return figure


def _mark(axes: "Axes", poles: Poles, unstable: NDArray[np.bool_]) -> None:
    axes.plot(poles[~unstable].real, poles[~unstable].imag, "x", color=AXIS_COLOURS[0], ms=7.0, label="pole", zorder=4)
    if unstable.any():
        axes.plot(poles[unstable].real, poles[unstable].imag, "X", color=LIMIT, ms=8.0, label="unstable pole", zorder=4)


def _damping(axes: "Axes", s: Poles) -> None:
    size = np.abs(s)
    moving = size > 0.0
    ratio = -s.real[moving] / size[moving]
    places = np.asarray(size[moving] + 1j * ratio, dtype=np.complex128)
    _mark(axes, places, ratio < 0.0)
    axes.set_xscale("log")
    axes.axhline(0.0, color=LIMIT, linewidth=1.0, label="limit of stability")
    axes.axhline(np.sqrt(0.5), color=FAINT, linewidth=0.8, linestyle="--", label="0.707")
    axes.set_ylim(min(-0.05, 1.1 * float(ratio.min(initial=0.0))), 1.05)
    axes.set_xlabel("natural frequency (rad/s)")
    axes.set_ylabel("damping ratio")
    _finish(axes, "Natural frequency and damping; 1: a real pole")


def _z_plane(axes: "Axes", z: Poles, sample: float) -> None:
    angle = np.linspace(0.0, np.pi, 181)
    axes.plot(np.cos(angle), np.sin(angle), color=LIMIT, linewidth=1.0, label="limit of stability")
    for ratio in (0.2, 0.5, 0.8):
        turn = np.linspace(0.0, np.pi, 121)
        spiral = np.exp((1j - ratio / np.sqrt(1.0 - ratio**2)) * turn)
        axes.plot(spiral.real, spiral.imag, color=FAINT, linewidth=0.6, linestyle=(0, (1, 3)))
    upper = z.real + 1j * np.abs(z.imag)
    _mark(axes, upper, np.abs(z) > 1.0)
    axes.axhline(0.0, color=INK, linewidth=0.6)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("real part")
    axes.set_ylabel("imaginary part")
    _finish(axes, f"z-plane, samples of {sample:g} s; damping ratios 0.2, 0.5, 0.8 dotted")


def _finish(axes: "Axes", words: str) -> None:
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(words, loc="left", fontsize="medium")
    axes.legend(loc="best", fontsize="small")
