"""What a law asked for."""

from typing import TYPE_CHECKING

import numpy as np

from .kind import DoesNotApplyError, MetricSettings, largest, metric

if TYPE_CHECKING:
    from ....sim import Run

__all__: list[str] = []


def _require_law(run: "Run") -> None:
    if run.law is None:
        raise DoesNotApplyError("the case has no [controller]")


@metric("largest magnitude of a commanded component, in the torque basis: what was demanded")
def peak_torque_N_m(run: "Run", _: MetricSettings) -> float:
    _require_law(run)
    return largest(run, "command", np.abs)


@metric("integral of |u|^2, u the command in the torque basis, held between outputs")
def effort_N2_m2_s(run: "Run", _: MetricSettings) -> float:
    _require_law(run)
    span = np.append(np.diff(run.t), 0.0)
    total, row = 0.0, 0
    for u in run.pieces("command"):
        total += float((u**2).sum(axis=1) @ span[row : row + len(u)])
        row += len(u)
    return total
