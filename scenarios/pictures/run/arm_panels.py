"""Figure of flexible arms over a run: envelopes of tip deflection and strain energy."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .stacked import finish, legend, page, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....sim import Run

Array = NDArray[np.float64]


def draw_arms(run: "Run", *, name: str) -> "Figure":
    """Draw the transverse tip deflection and the strain energy of each arm.

    If rows are more than a step apart, the band from minimum to maximum is drawn instead of lines, which would show
    aliased vibration.

    run: run of a spacecraft with flexible arms; name: name of the case -> three axes.
    """
    every = float(np.diff(run.t).max())
    coarse = every > 1.5 * float(run.t[-1]) / max(run.counters["steps"], 1)
    words = f"{name}: tips of the arms and strain energy"
    if coarse:
        words += f"\nminimum to maximum between rows {every:.3g} s apart"
    figure, axes = page(3, words)
    low, high = run.values("tip_deflection_lowest"), run.values("tip_deflection_highest")
    for axis in (1, 2):
        scale, unit = _scaled(float(np.maximum(np.abs(low), np.abs(high))[:, :, axis].max()))
        for arm, style in enumerate(styles(0.5 * (low + high)[:, :, axis])):
            if coarse:
                span = scale * low[:, arm, axis], scale * high[:, arm, axis]
                _band(axes[axis - 1], run.t, span[0], high=span[1], style=_look(arm, style))
            else:
                axes[axis - 1].plot(run.t, scale * run.values("tip_deflection")[:, arm, axis], **style)
        axes[axis - 1].set_ylabel(f"tip along {' mn'[axis]} ({unit})")
    legend(axes[0], [f"arm {arm + 1}" for arm in range(low.shape[1])])
    least, most = run.values("strain_energy_lowest"), run.values("strain_energy_highest")
    for arm, style in enumerate(styles(0.5 * (least + most))):
        if coarse:
            _band(axes[2], run.t, least[:, arm], high=most[:, arm], style=_look(arm, style))
        else:
            axes[2].plot(run.t, run.values("strain_energy")[:, arm], **style)
    axes[2].set_ylabel("strain energy of each (J)")
    finish(axes, float(run.t[-1]))
    return figure


def _band(axes: "Axes", t: Array, low: Array, *, high: Array, style: dict[str, Any]) -> None:
    """Draw the band between minimum and maximum since the previous row; hatched where bands overlap."""
    look: dict[str, Any] = {"color": style["color"], "alpha": 0.8, "linewidth": 0.6}
    if style.get("hatch"):
        look = {"facecolor": "none", "edgecolor": style["color"], "hatch": style["hatch"], "linewidth": 0.8}
        look["linestyle"] = (0.0, (6.0, 6.0))
    axes.fill_between(t, low, high, step="pre", **look)


def _look(arm: int, style: dict[str, Any]) -> dict[str, Any]:
    """Return the style of a band: hatched if the line is dashed, since the band overlaps another arm's."""
    dashed = not isinstance(style["linestyle"], str)
    return {"color": style["color"], "hatch": "////" if arm and dashed else ""}


def _scaled(size: float) -> tuple[float, str]:
    if size >= 0.1:
        return 1.0, "m"
    if size >= 1e-4:
        return 1e3, "mm"
    return 1e6, "um"
