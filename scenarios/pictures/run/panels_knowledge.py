"""Panel of an estimator: attitude error and 3-sigma bounds."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..palette import AXIS_COLOURS, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

Array = NDArray[np.float64]

ARCSEC = float(np.degrees(3600.0))
LOST = 0.5  # rad: at or above this sigma, the attitude is treated as unknown


def draw_knowledge(axes: "Axes", run: "Run", time: Array) -> None:
    """Draw the attitude error about each body axis, with 3-sigma bounds if the estimator reports them."""
    error = ARCSEC * run.values("knowledge_error")
    for index, name in enumerate("xyz"):
        axes.plot(time, error[:, index], **stroke(index), linewidth=0.9, label=f"body {name}")
    late = np.arange(len(error)) >= len(error) // 10  # error and bound may be far larger at the start than later
    if "attitude_sigma" in run.written:
        known = run.values("attitude_sigma").max(axis=1) < LOST
        late = late & known if (late & known).any() else late
    reach = float(np.nan_to_num(np.abs(error[late])).max())
    if "attitude_sigma" in run.written:
        sigma = 3.0 * ARCSEC * run.values("attitude_sigma")
        for index, colour in enumerate(AXIS_COLOURS):
            bound = np.where((sigma[:, index] > 0.0) & (sigma[:, index] < 3.0 * ARCSEC * LOST), sigma[:, index], np.nan)
            label = "3 sigma" if index == 0 else "_"
            axes.fill_between(time, -bound, bound, color=colour, alpha=0.12, linewidth=0.0, label=label)
        reach = max(reach, float(sigma[late].max()))
    if reach > 0.0:
        axes.set_ylim(-1.15 * reach, 1.15 * reach)
    axes.set_ylabel("knowledge error (arcsec)")
