"""Figure of a designed excitation: commands, body rates and wheel rates within their limits."""

from typing import TYPE_CHECKING

import numpy as np

from ...case.identification import DesignedExcitation
from ..palette import AXIS_COLOURS, FAINT, INK
from .panels import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_excitation(found: DesignedExcitation) -> "dict[str, Figure]":
    """Return the figure by file name: torque, rate, wheel rates, and standard deviations with and without torque."""
    wheels = found.wheels.shape[1] > 0
    figure, panels = page_of(3 + wheels, f"{found.loaded.name}: designed excitation")
    for axis, colour in zip(range(3), AXIS_COLOURS, strict=True):
        panels[0].step(found.times, found.commands[:, axis], where="post", color=colour, label="xyz"[axis])
        panels[1].plot(found.times, np.degrees(found.rates[:, axis]), color=colour)
    panels[0].set_ylabel("torque command (N m)")
    panels[0].legend(loc="best", fontsize="small")
    top = np.degrees(found.max_rate)
    panels[1].plot(found.times, np.degrees(np.linalg.norm(found.rates, axis=1)), color=INK, label="magnitude")
    panels[1].axhline(top, color=FAINT, linestyle="--", label="limit")
    panels[1].set_ylabel("body rate (deg/s)")
    panels[1].legend(loc="best", fontsize="small")
    if wheels:
        panels[2].plot(found.times, found.wheels)
        panels[2].set_ylabel("wheel rate (rad/s)")
    for panel in panels[: 2 + wheels]:
        panel.set_xlabel("time (s)")
    last = panels[2 + wheels]
    names = found.information.names
    at = np.arange(len(names))[::-1]
    for information, colour, words in (
        (found.reference, FAINT, "without torque"),
        (found.information, AXIS_COLOURS[0], "designed"),
    ):
        relative = information.sigma / information.scale
        finite = np.isfinite(relative)
        last.plot(relative[finite], at[finite], linestyle="none", marker="o", color=colour, label=words)
    last.set_xscale("log")
    last.set_yticks(at, names)
    last.set_xlabel("sigma / size")
    last.legend(loc="best", fontsize="small")
    return {"excitation": figure}
