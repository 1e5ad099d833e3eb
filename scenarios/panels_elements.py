"""The panels of a craft with elements: nutation, spin, energy, what the elements do."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..sim.nutation import spin_axis
from .pictures.palette import AXIS_COLOURS, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..sim import Run

__all__ = ["draw_energy", "draw_internal", "draw_internal_rate", "draw_motor_torque", "draw_nutation", "draw_spin"]

Array = NDArray[np.float64]


def draw_nutation(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the nutation angle, deg.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    run : Run
        The run.
    time : numpy.ndarray
        The time axis.
    """
    angle = np.degrees(run.values("nutation"))
    axes.plot(time, angle, color=AXIS_COLOURS[0], linewidth=1.0, label="momentum to spin axis")
    axes.set_ylabel("nutation angle (deg)")
    axes.set_ylim(bottom=0.0)


def draw_spin(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the rate about the spin axis and the size of the rest, rad/s.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    run : Run
        The run.
    time : numpy.ndarray
        The time axis.
    """
    axis = spin_axis(run.craft, run.start[: run.craft.layout.size])
    rate = run.values("rate")
    axes.plot(time, rate @ axis, color=AXIS_COLOURS[0], linewidth=1.0, label="about the spin axis")
    across = np.linalg.norm(np.cross(rate, axis), axis=1)
    axes.plot(time, across, color=AXIS_COLOURS[1], linewidth=0.8, label="across it")
    axes.set_ylabel("body rate (rad/s)")


def draw_energy(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the energy, J.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    run : Run
        The run.
    time : numpy.ndarray
        The time axis.
    """
    axes.plot(time, run.values("energy"), color=AXIS_COLOURS[0], linewidth=1.2, label="energy")
    axes.set_ylabel("energy (J)")


def draw_internal(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the coordinates of the elements that are not wheels.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    run : Run
        The run.
    time : numpy.ndarray
        The time axis.
    """
    _lines(axes, run, time, "internal")


def draw_internal_rate(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the rates of the coordinates of the elements.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    run : Run
        The run.
    time : numpy.ndarray
        The time axis.
    """
    _lines(axes, run, time, "internal_rate")


def draw_motor_torque(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw what each motor gave, and thinner and dotted what was asked of it.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where.
    run : Run
        The run.
    time : numpy.ndarray
        The time axis.
    """
    given, asked = run.values("motor_torque"), run.values("motor_demand")
    for index, label in enumerate(run.components("motor_torque")[0]):
        drawn = axes.plot(time, given[:, index], **stroke(index), linewidth=1.2, label=label.replace("_", " "))
        if not np.array_equal(given[:, index], asked[:, index]):
            axes.plot(time, asked[:, index], ":", color=drawn[0].get_color(), linewidth=0.8, label="asked of it")
    axes.set_ylabel("motor torque (N m)")


def _lines(axes: "Axes", run: "Run", time: Array, name: str) -> None:
    values = run.values(name)
    names, unit = run.components(name)
    for index, label in enumerate(names):
        axes.plot(time, values[:, index], **stroke(index), linewidth=0.9, label=_words(label, name))
    words = "coordinate" if name == "internal" else "relative rate"
    axes.set_ylabel(f"{words} ({unit})")


def _words(label: str, name: str) -> str:
    """The label of a line: the rate of a wheel is not called by its angle."""
    words = label.replace("_", " ")
    return words.removesuffix(" angle") if name == "internal_rate" and words.startswith("wheel") else words
