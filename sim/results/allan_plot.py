"""Plot of the Allan deviation of a gyro record with the noise terms of its data sheet."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...controllers.sensing.sensors import allan_deviation
from .page import new_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...controllers.sensing.sensors import RateGyro

Array = NDArray[np.float64]

DEG_H = np.pi / 180.0 / 3600.0
AXES = (("x", "#0072B2", "o"), ("y", "#D55E00", "s"), ("z", "#009E73", "^"))
HOUR = 3600.0


def draw_allan(gyro: "RateGyro", rate: Array, *, sample: float, title: str = "") -> "Figure":
    """Draw each axis's Allan deviation with 1 sigma error bars, and the model curve with its noise terms.

    rate (n, 3): mean rates of a gyro at rest over each interval, rad/s; sample: length of the interval, s.
    """
    tau, deviation, sigma = allan_deviation(rate, sample)
    figure = new_page((8.5, 6.0), title=title or f"Allan deviation of {gyro.name}")
    axes = figure.subplots()
    for n, (name, colour, mark) in enumerate(AXES):
        axes.errorbar(
            tau, deviation[:, n] / DEG_H, yerr=sigma * deviation[:, n] / DEG_H, color=colour, marker=mark, markersize=4,
            linestyle="none", capsize=2, label=f"record, {name}, 1 sigma",
        )  # fmt: skip
    fine: Array = np.asarray(np.geomspace(tau[0], tau[-1], 200), dtype=np.float64)
    axes.plot(fine, gyro.allan_deviation(fine) / DEG_H, color="black", linewidth=1.4, label="of its numbers")
    floor, top = deviation.min() / DEG_H, deviation.max() / DEG_H
    lines: dict[str, Array] = {
        f"N = {gyro.angle_random_walk / DEG_H / 60.0:.4g} deg/sqrt(h), read at 1 h": gyro.angle_random_walk
        / np.sqrt(fine),
        f"K = {gyro.rate_random_walk / DEG_H * 60.0:.4g} deg/h/sqrt(h), read at 3 h": gyro.rate_random_walk
        * np.sqrt(fine / 3.0),
        f"count of {gyro.step / DEG_H:.4g} arcsec": gyro.step / (2.0 * fine),
        "maximum of the Gauss-Markov bias": np.full(fine.size, 0.6175 * gyro.flicker),
    }
    styles = iter(("--", ":", "-.", (0, (5, 1))))
    for words, line in lines.items():
        style = next(styles)
        if line.any():
            axes.plot(fine, line / DEG_H, color="0.45", linestyle=style, linewidth=1.0, label=words)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(0.5 * floor, 2.0 * top)
    axes.set_xlabel("averaging time (s)")
    axes.set_ylabel("Allan deviation (deg/h)")
    axes.grid(visible=True, which="both", alpha=0.25)
    axes.legend(fontsize="small", framealpha=0.95)
    return figure
