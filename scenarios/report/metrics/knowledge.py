"""Attitude knowledge error: the current estimate compared with the true attitude at the same time."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .kind import MetricSettings, MissingPartError, NoValueError, metric, require, size

if TYPE_CHECKING:
    from ....sim import Run


def _errors(run: "Run") -> NDArray[np.float64]:
    """Return the angle between estimated and true attitude in each row, deg; NaN if there is no estimate."""
    if run.law is None:
        raise MissingPartError("the case has no [controller]")
    require(run, "knowledge_error", "nothing in the case estimates the attitude")
    return np.degrees(size(run.values("knowledge_error")))


@metric("rotation angle between estimated and true attitude at the last estimate")
def final_knowledge_error_deg(run: "Run", _: MetricSettings) -> float:
    return float(_errors(run)[-1])


@metric("root mean square of the angle between estimated and true attitude over the second half of the run")
def rms_knowledge_error_deg(run: "Run", _: MetricSettings) -> float:
    errors = _errors(run)[run.t >= 0.5 * run.t[-1]]
    errors = errors[np.isfinite(errors)]
    if not errors.size:
        raise NoValueError("the second half of the run has no row with an estimate")
    return float(np.sqrt(np.mean(errors**2)))
