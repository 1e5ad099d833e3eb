"""Herpolhode: path of the angular velocity's tip in the invariable plane, viewed along the momentum."""

from typing import TYPE_CHECKING

import numpy as np

from ....plant.attitude.free_motion import FreeMotion, Herpolhode, herpolhode
from ....plant.checks import positive
from ..palette import FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CURVE, _FIRST, _CIRCLES = "#56B4E9", "#AA3377", "#D55E00"  # Okabe & Ito; purple, as for the motion's polhode


def draw_herpolhode(motion: FreeMotion, *, periods: float = 12.0, title: str = "") -> "Figure":
    """Draw the herpolhode of a free motion and its two bounding circles.

    Parameters
    ----------
    motion : FreeMotion
        The motion.
    periods : float
        Length of the curve in periods of the rate component along the axis that the polhode encircles. On the
        separatrix and for a steady spin, in revolutions about the momentum.
    title : str
        Title above the figure.

    Returns
    -------
    matplotlib.figure.Figure
        Invariable plane with the momentum towards the reader; the first period is highlighted.

    Raises
    ------
    InputError
        When the body is at rest or the number of periods is not positive.

    Examples
    --------
    >>> draw_herpolhode(FreeMotion((1.0, 2.0, 2.5), rate=(0.2, 0.0, 0.7))).get_suptitle()
    'Herpolhode'
    """
    from ....sim.results.page import new_page

    number = positive("periods", periods)
    herpolhode(motion, 0.0)  # raises InputError for a body at rest
    finite = motion.regime != "steady" and np.isfinite(motion.period)
    unit = motion.period if finite else 2.0 * np.pi / motion.mean_precession
    turns = unit * motion.mean_precession / (2.0 * np.pi)
    samples = int(min(200_000, 400 * number * max(1.0, turns))) + 2
    found = herpolhode(motion, np.linspace(0.0, number * unit, samples))

    figure = new_page((7.2, 7.9), dpi=120, layout=None)
    axes = figure.add_axes((0.12, 0.15, 0.84, 0.76))
    axes.set_aspect("equal")
    _circles(axes, found)
    xs, ys = found.plane.T
    axes.plot(
        xs, ys, color=_CURVE, linewidth=1.2, label=f"herpolhode, {number:g} {'periods' if finite else 'revolutions'}"
    )
    if finite:
        first = found.t <= unit
        axes.plot(xs[first], ys[first], color=_FIRST, linewidth=2.6, label="its first period", zorder=4)
        _arrow(axes, found, int(np.searchsorted(found.t, 0.3 * unit)))
    else:
        _arrow(axes, found, samples // 12)
    axes.plot(xs[0], ys[0], "D", color=_FIRST, ms=7.0, zorder=6, label="start")
    axes.plot(0.0, 0.0, "o", color="white", mec=INK, mew=1.4, ms=11.0, zorder=7)
    axes.plot(0.0, 0.0, "o", color=INK, ms=3.5, zorder=8, label="H, towards the reader")
    reach = 1.1 * max(found.outer, 0.05 * found.distance * (found.outer == 0.0))
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_xlabel("rate perpendicular to H, along its initial direction (rad/s)")
    axes.set_ylabel("rate perpendicular to both (rad/s)")
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title or "Herpolhode", y=0.98)
    words = f"invariable plane, {found.distance:.5g} rad/s from the origin; {_what(motion, found)}"
    figure.text(0.5, 0.935, words, ha="center", color="#555555")
    figure.legend(loc="lower center", ncols=3, frameon=False, fontsize=9.5, bbox_to_anchor=(0.5, 0.005))
    return figure


def _what(motion: FreeMotion, found: Herpolhode) -> str:
    if motion.regime == "steady":
        return "steady spin: the tip stays at the foot point"
    if motion.regime == "separatrix":
        return "separatrix: the tip approaches the foot point as t → ∞"
    return f"the tip rotates by {np.degrees(found.advance):.5g}° in a period of {motion.period:.5g} s"


def _circles(axes: "Axes", found: Herpolhode) -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 361)
    lines = [(found.outer, "-", "outer circle"), (found.inner, "--", "inner circle")]
    if found.outer - found.inner <= 1e-9 * found.outer:
        lines = [(found.outer, "-", "both circles")]
    for radius, style, words in lines:
        if radius > 0.0:
            xs, ys = radius * np.cos(angle), radius * np.sin(angle)
            axes.plot(xs, ys, style, color=_CIRCLES, linewidth=1.5, label=f"{words}, {radius:.4g} rad/s", zorder=3)
    axes.axhline(0.0, color=FAINT, linewidth=0.7, zorder=1)
    axes.axvline(0.0, color=FAINT, linewidth=0.7, zorder=1)


def _arrow(axes: "Axes", found: Herpolhode, place: int) -> None:
    start, end = found.plane[place], found.plane[min(place + 4, len(found.plane) - 1)]
    if float(np.hypot(*(end - start))) > 1e-6 * found.distance:
        axes.annotate(
            "",
            xy=tuple(end),
            xytext=tuple(start),
            zorder=6,
            arrowprops={"arrowstyle": "-|>", "color": _FIRST, "mutation_scale": 24.0, "shrinkA": 0.0, "shrinkB": 0.0},
        )
