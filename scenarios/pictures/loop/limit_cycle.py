"""Phase planes of on-off thruster control: simulated cycle, band, closed form and switching lines."""

from math import degrees, isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..palette import AXIS_COLOURS, FAINT, INK
from .loop_axes import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...commands.limit_cycles import AxisCycle

Array = NDArray[np.float64]


def draw_limit_cycles(cycles: "Sequence[AxisCycle]", *, title: str) -> "Figure":
    """Draw the phase plane of each axis.

    cycles: limit cycle of each axis; title: title above the figure -> one pair of axes for each.
    """
    from ....sim.results.page import new_page

    figure = new_page((5.0 * len(cycles), 5.2), title=title)
    places = figure.subplots(1, len(cycles), squeeze=False)[0]
    for n, (axes, cycle) in enumerate(zip(places, cycles, strict=True)):
        _plane(axes, cycle, AXIS_COLOURS[n])
    handles, labels = places[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small", frameon=False)
    return figure


def _plane(axes: "Axes", cycle: "AxisCycle", colour: str) -> None:
    ideal, band = cycle.continuous, cycle.band
    reach = 1.25 * degrees(max(band.amplitude_rad[1], float(np.abs(cycle.angle).max()), cycle.deadband))
    top = 1.35 * degrees(max(ideal.rate_rad_s, float(np.abs(cycle.rate).max())))
    rate = np.array((-top, top))
    for sign in (-1.0, 1.0):
        on = sign * degrees(cycle.deadband) - cycle.lead * rate
        off = sign * degrees(cycle.deadband - cycle.hysteresis) - cycle.lead * rate
        first = sign > 0.0
        axes.plot(on, rate, color=INK, linewidth=0.9, label="thrust on" if first else None)
        axes.plot(off, rate, color=INK, linewidth=0.9, linestyle=":", label="thrust off" if first else None)
    axes.plot(np.degrees(cycle.angle), np.degrees(cycle.rate), color=colour, linewidth=1.2, label="simulated")
    angle, speed = _closed_form(cycle)
    axes.plot(angle, speed, color="#C8CCD2", linewidth=4.5, zorder=1, label="without sampling")
    low, high = np.degrees(band.amplitude_rad)
    for sign in (-1.0, 1.0):
        words = "amplitudes that occur" if sign > 0.0 else None
        axes.axvspan(*sorted((sign * low, sign * high)), color=colour, alpha=0.2, linewidth=0.0, label=words)
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-top, top)
    axes.axhline(0.0, color=FAINT, linewidth=0.6)
    shortest, longest = band.period_s
    until = f" to {longest:.4g} s" if isfinite(longest) else " s and longer"
    words = f"about {cycle.axis}: periods of {shortest:.4g}{until}, here {cycle.simulated[0].period_s:.4g} s"
    axes.set_title(words, fontsize="medium")
    clean(axes, x="angle (deg)", y="rate (deg/s)")


def _closed_form(cycle: "AxisCycle") -> tuple[Array, Array]:
    """Return half a period of pulse and drift, followed by its mirror image, deg and deg/s."""
    exact = cycle.continuous
    # with q = w / a: amplitude A = theta1 + w q / 2 and period P = 4 theta1 / w + 4 q, so that
    q = 0.5 * (exact.period_s - 4.0 * exact.amplitude_rad / exact.rate_rad_s)
    w = np.degrees(exact.rate_rad_s)
    pulse = np.linspace(1.0, -1.0, 41)
    # in a pulse the rate falls linearly from w to -w; the angle follows a parabola that peaks at the amplitude
    angle = np.degrees(exact.amplitude_rad) - 0.5 * w * q * pulse**2
    return np.concatenate((angle, -angle, angle[:1])), w * np.concatenate((pulse, -pulse, pulse[:1]))
