"""Root locus for a plant or law parameter, and Campbell diagram of frequencies against the parameter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..palette import AXIS_COLOURS, FAINT, INK, LIMIT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Poles = NDArray[np.complex128]

FASTER = 20
DAMPING = (0.2, 0.4, 0.6, 0.8)


def draw_pole_paths(
    values: Sequence[float], poles: Sequence[Poles], *, label: str, spin: Sequence[float] | None = None, title: str = ""
) -> "Figure":
    """Draw the poles in the s-plane, and their natural frequencies against the parameter.

    values (n,): ascending values of the parameter; poles: poles at each value in the upper half-plane, 1/s; label: name
    of the parameter with its unit; spin (n,): spin rate at each value, rad/s, drawn with its second harmonic; title:
    title above the figure.
    """
    from ....sim.results.page import new_page

    shown = [each[slow_poles(each)] for each in poles]
    left = sum(len(each) for each in poles) - sum(len(each) for each in shown)
    title += f"  ({left} fast poles outside)" if left else ""
    figure = new_page((11.0, 5.2), dpi=120)
    if title:
        figure.suptitle(title)
    plane, over = figure.subplots(1, 2)
    _plane(plane, values, shown, label)
    _frequencies(over, values, shown, label, spin)
    return figure


def slow_poles(poles: Poles) -> NDArray[np.bool_]:
    """Return which poles decay at most 20 times as fast as the slowest decaying pole.

    Examples
    --------
    >>> slow_poles(np.array([-0.1 + 0.1j, -0.2 + 30.0j, -40.0 + 0.0j])).tolist()
    [True, True, False]
    """
    decay = np.abs(poles.real)
    decays = decay > 1e-6 * np.abs(poles)
    return decay <= (FASTER * float(decay[decays].min()) if decays.any() else np.inf)


def _plane(axes: "Axes", values: Sequence[float], poles: Sequence[Poles], label: str) -> None:
    every = np.concatenate(poles)
    shades = np.concatenate([np.full(len(each), value) for each, value in zip(poles, values, strict=True)])
    reach = float(np.abs(every).max(initial=0.0)) or 1.0
    for ratio in DAMPING:
        angle = np.arccos(ratio)
        axes.plot(
            [0.0, -1.1 * reach * np.cos(angle)], [0.0, 1.1 * reach * np.sin(angle)], color=FAINT, linewidth=0.6,
            linestyle=(0, (1, 3)),
        )  # fmt: skip
        axes.annotate(
            f"{ratio:g}", (-0.62 * reach * np.cos(angle), 0.62 * reach * np.sin(angle)), fontsize=7, color="#666666",
            ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    dots = axes.scatter(every.real, every.imag, c=shades, cmap="viridis", s=9.0, zorder=3)
    axes.plot(poles[0].real, poles[0].imag, "x", color=INK, ms=7.0, label=f"at {values[0]:g}", zorder=4)
    axes.plot(poles[-1].real, poles[-1].imag, "o", color=INK, mfc="white", ms=6.0, label=f"at {values[-1]:g}", zorder=4)
    axes.axvline(0.0, color=LIMIT, linewidth=1.0, label="limit of stability")
    axes.set_xlabel("real part (1/s)")
    axes.set_ylabel("imaginary part (rad/s)")
    axes.set_ylim(-0.04 * reach, None)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("Poles in the s-plane; damping ratio along the rays", loc="left", fontsize="medium")
    axes.legend(loc="best", fontsize="small")
    axes.figure.colorbar(dots, ax=axes, label=label, shrink=0.85)


def _frequencies(
    axes: "Axes", values: Sequence[float], poles: Sequence[Poles], label: str, spin: Sequence[float] | None
) -> None:
    places = np.concatenate([np.full(len(each), value) for each, value in zip(poles, values, strict=True)])
    every = np.concatenate(poles)
    stable = every.real <= 1e-9 * np.abs(every)
    size = np.abs(every)
    axes.plot(places[stable], size[stable], ".", color=AXIS_COLOURS[0], ms=4.0, label="pole")
    if not stable.all():
        axes.plot(places[~stable], size[~stable], "x", color=LIMIT, ms=5.0, label="unstable pole")
    if spin is not None:
        for order, dash in ((1, "--"), (2, ":")):
            axes.plot(values, order * np.abs(spin), dash, color=FAINT, linewidth=1.0, label=f"{order} x spin rate")
    axes.set_xlabel(label)
    axes.set_ylabel("natural frequency (rad/s)")
    axes.set_ylim(bottom=0.0)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("Frequencies over the parameter", loc="left", fontsize="medium")
    axes.legend(loc="best", fontsize="small")
