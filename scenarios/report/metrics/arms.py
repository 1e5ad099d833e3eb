"""Deflection and residual vibration of flexible arms, evaluated at every integration step."""

from typing import TYPE_CHECKING

import numpy as np

from ....plant.errors import InputError
from .attitude import attitude_errors, settling_time
from .kind import MetricSettings, NoValueError, largest, metric, require

if TYPE_CHECKING:
    from ....sim import Run


def residual_from(run: "Run", settings: MetricSettings) -> float | None:
    """Return the time from which residual vibration counts, s; None if it is outside the run."""
    begin = settings.residual_from_s
    if begin is None and "attitude_error" in run.names:
        begin = settling_time(run.t, attitude_errors(run, settings), settings.settling_band_deg)
    elif begin is None:
        acts = np.flatnonzero(np.asarray(run.inputs[:, 3:]).any(axis=1))
        begin = 0.0 if acts.size == 0 else float(run.t[min(int(acts[-1]) + 1, len(run.t) - 1)])
    return None if begin is None or (run.t >= begin).sum() < 2 else begin


def _require_arms(run: "Run") -> None:
    require(run, "tip_deflection", "the case has no flexible arm")


@metric("largest transverse deflection of an arm tip from its rigid position")
def peak_tip_deflection_m(run: "Run", _: MetricSettings) -> float:
    _require_arms(run)
    return largest(run, "tip_across_highest", np.abs)


def _residual(run: "Run", settings: MetricSettings) -> tuple[float, float]:
    _require_arms(run)
    from ....sim.analysis.residual_vibration import residual_vibration

    after = residual_from(run, settings)
    if after is None:
        raise NoValueError("the run ends before it settles or before the torques end; set metrics.residual_from_s")
    try:
        found = residual_vibration(run, after=after)
    except InputError as error:
        raise NoValueError(str(error).replace("an output below", "run.output_s below")) from None
    return float(found.tip_deflection.max()), found.strain_energy


@metric(
    "largest vibration amplitude of a tip from metrics.residual_from_s on: half its range within a period of the "
    "slowest elastic mode"
)
def residual_tip_deflection_m(run: "Run", settings: MetricSettings) -> float:
    return _residual(run, settings)[0]


@metric("largest strain energy of the arms from metrics.residual_from_s on")
def residual_strain_energy_J(run: "Run", settings: MetricSettings) -> float:
    return _residual(run, settings)[1]
