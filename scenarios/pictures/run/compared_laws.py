"""Comparison of runs of one case with several laws, in the same axes."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..palette import stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ....sim import Run

Array = NDArray[np.float64]

_FAINT = "#999999"


def draw_comparison(
    runs: Mapping[str, "Run"], *, title: str, settling_band_deg: float, residual_from_s: float | None = None
) -> "Figure":
    """Draw attitude error, rate magnitude and largest command component of every law over time.

    If there are flexible arms, also draw the envelopes of the largest tip deflection and strain energy.

    runs: runs by label.
    title: title above the figure.
    settling_band_deg: settling band, drawn in the panel of the attitude error, deg.
    residual_from_s: time from which residual vibration counts, s; drawn with arms.
    -> three axes, five with arms.
    """
    from ....sim.results.page import new_page

    arms = all("tip_deflection" in run.names for run in runs.values()) and bool(runs)
    panels: list[tuple[str, Callable[[Run], Array], bool]] = [
        ("attitude error (deg)", _error, True),
        ("rate magnitude (deg/s)", _rate, False),
        ("command, largest component (N m)", _command, False),
        *([("deflection of a tip (mm)", _tip, True), ("strain energy of an arm (J)", _strain, True)] if arms else ()),
    ]
    figure = new_page((9.0, 3.0 * len(panels)), dpi=110)
    figure.suptitle(title)
    every: list[Axes] = [*np.ravel(np.array(figure.subplots(len(panels), sharex=True), dtype=object)).tolist()]
    looks = {label: stroke(number) for number, label in enumerate(runs)}
    drawn = sorted(runs, key=lambda label: -float(_tip(runs[label]).max())) if arms else [*runs]  # largest first
    for axes, (words, values, logarithmic) in zip(every, panels, strict=True):
        for label in drawn:
            run = runs[label]
            # the command is held between samples, as in peak_torque_N_m
            shape = "steps-post" if values is _command else "default"
            axes.plot(run.t, values(run), **looks[label], drawstyle=shape, linewidth=1.2, label=label)
        if logarithmic:
            axes.set_yscale("log")
        axes.set_ylabel(words)
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.0)
        if arms and residual_from_s is not None:
            axes.axvline(residual_from_s, color=_FAINT, linestyle=":", linewidth=1.0)
    every[-1].set_xlabel("time (s)")
    band = f"settling band, {settling_band_deg:g} deg"
    every[0].axhline(settling_band_deg, color=_FAINT, linestyle="--", linewidth=1.0, label=band)
    lines = dict(zip(*every[0].get_legend_handles_labels()[::-1], strict=True))
    names = [*runs, band]
    every[0].legend(
        [lines[name] for name in names],
        names,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=4,
        fontsize="small",
        frameon=False,
        borderaxespad=0.2,
    )
    return figure


def _error(run: "Run") -> Array:
    angle = np.degrees(run.values("attitude_error"))
    return np.where(angle > 1e-12, angle, np.nan)


def _rate(run: "Run") -> Array:
    return np.degrees(np.linalg.norm(run.values("rate"), axis=1))


def _command(run: "Run") -> Array:
    return np.abs(run.values("command")).max(axis=1)


def _tip(run: "Run") -> Array:
    """Return the largest transverse tip deflection of all arms since the previous row, mm."""
    return np.maximum(1e3 * run.values("tip_across_highest").max(axis=1), 1e-9)


def _strain(run: "Run") -> Array:
    return np.maximum(run.values("strain_energy_highest").max(axis=1), 1e-16)
