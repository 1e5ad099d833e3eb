"""Panel of the torque budget: torque magnitude of each source."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...report.torque_budget import budget_of
from ..palette import stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ....sim import Run

DECADES = 6.0
"""Decades below the largest torque that the axis shows."""


def has_torque_budget(run: "Run") -> bool:
    """Return whether environment torques act in a run."""
    budget = budget_of(run)
    return budget is not None and bool(budget.peak.any())


def draw_torque_budget(axes: "Axes", run: "Run", time: NDArray[np.float64]) -> None:
    """Draw the magnitude of the torque of each source, on a logarithmic axis."""
    budget = budget_of(run)
    assert budget is not None  # noqa: S101 # the caller checks that the panel applies
    for index, source in enumerate(budget.sources):
        size = np.linalg.norm(budget.torque[index], axis=1)
        axes.semilogy(time, np.where(size > 0.0, size, np.nan), **stroke(index), linewidth=0.9, label=source)
    top = float(budget.peak.max())
    axes.set_ylim(top * 10.0**-DECADES, 3.0 * top)
    axes.set_ylabel("torque on the body (N m)")
