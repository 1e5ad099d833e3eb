"""Panels of a spacecraft with elements: nutation, spin, energy, motor torques."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....sim.results.nutation import spin_axis
from ..palette import AXIS_COLOURS, LIMIT, stroke
from .stacked import apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

Array = NDArray[np.float64]


def draw_nutation(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the nutation angle, deg.

    time: times of the rows, in the unit of the time axis.
    """
    angle = np.degrees(run.values("nutation"))
    axes.plot(time, angle, color=AXIS_COLOURS[0], linewidth=1.0, label="momentum to spin axis")
    axes.set_ylabel("nutation angle (deg)")
    axes.set_ylim(bottom=0.0)


def draw_spin(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the rate about the spin axis and the magnitude of the transverse rate, rad/s.

    time: times of the rows, in the unit of the time axis.
    """
    axis = spin_axis(run.craft, run.start[: run.craft.layout.size])
    rate = run.values("rate")
    axes.plot(time, rate @ axis, color=AXIS_COLOURS[0], linewidth=1.0, label="about the spin axis")
    across = np.linalg.norm(np.cross(rate, axis), axis=1)
    axes.plot(time, across, color=AXIS_COLOURS[1], linewidth=0.8, label="across it")
    axes.set_ylabel("body rate (rad/s)")


def draw_energy(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the energy, J.

    time: times of the rows, in the unit of the time axis.
    """
    axes.plot(time, run.values("energy"), color=AXIS_COLOURS[0], linewidth=1.2, label="energy")
    axes.set_ylabel("energy (J)")


def draw_motor_torque(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the torque of each motor, and its command as a thin dotted line.

    time: times of the rows, in the unit of the time axis.
    """
    given, demanded = run.values("motor_torque"), run.values("motor_demand")
    dotted = "commanded"
    for index, label in enumerate(run.components("motor_torque")[0]):
        drawn = axes.plot(time, given[:, index], **stroke(index), linewidth=1.2, label=label.replace("_", " "))
        if not np.allclose(given[:, index], demanded[:, index], rtol=1e-9, atol=1e-9 * float(np.abs(demanded).max())):
            axes.plot(time, demanded[:, index], ":", color=drawn[0].get_color(), linewidth=0.8, label=dotted)
            dotted = "_"
    given_limits = (getattr(element, "torque_limit", None) for element in run.craft.elements)
    for number, limit in enumerate(sorted({float(limit) for limit in given_limits if limit is not None})):
        for sign in (1.0, -1.0):
            label = "limit" if number == 0 and sign > 0 else "_"
            axes.axhline(sign * limit, color=LIMIT, linestyle=":", linewidth=1.2, label=label)
    axes.set_ylabel("motor torque (N m)")


def draw_tips(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the largest transverse deflection of each tip since the previous row, m.

    time: times of the rows, in the unit of the time axis.
    """
    far = [np.abs(run.values(f"tip_deflection_{end}")[:, :, 1:]) for end in ("lowest", "highest")]
    across = np.linalg.norm(np.maximum(*far), axis=2)
    dashes = apart(across)
    for arm in range(across.shape[1]):
        look: dict[str, Any] = {**stroke(arm), "linestyle": dashes[arm], "linewidth": 1.0}
        # deflections at round-off level would stretch the axis by ten decades
        bent = np.where(across[:, arm] > 1e-9 * across.max(), across[:, arm], np.nan)
        axes.semilogy(time, bent, **look, label=f"arm {arm + 1}")
    axes.set_ylabel("tip deflection, largest (m)")
