"""Pointing and knowledge errors (ECSS-E-ST-60-10C) of a run, from `metrics.pointing_from_s` on."""

from math import degrees
from typing import TYPE_CHECKING

from ....plant.errors import InputError
from .kind import DoesNotApplyError, MetricSettings, MissingPartError, NoValueError, metric, require

if TYPE_CHECKING:
    from ....sim import Run


def _figure(run: "Run", settings: MetricSettings, name: str) -> float:
    if settings.window_s is None:
        raise DoesNotApplyError("the case has no metrics.window_s, the averaging window of the errors")
    if run.law is None:
        raise MissingPartError("the case has no [controller]")
    require(run, "error_vector", "the case has no [reference]")
    if name.endswith("ke"):
        require(run, "knowledge_error", "nothing in the case estimates the attitude")
    if "pointing" not in settings.shared:
        from ....sim import pointing_errors

        try:
            found = pointing_errors(run, window=settings.window_s, start=settings.pointing_from_s)
        except InputError as error:
            settings.shared["pointing"] = NoValueError(str(error))
        else:
            settings.shared["pointing"] = found.figures()
    figures = settings.shared["pointing"]
    if isinstance(figures, NoValueError):
        raise figures
    return degrees(figures[name])


@metric("absolute pointing error: root mean square of the attitude error from metrics.pointing_from_s on")
def ape_deg(run: "Run", settings: MetricSettings) -> float:
    return _figure(run, settings, "ape")


@metric("mean pointing error: root mean square of the mean over each window of metrics.window_s")
def mpe_deg(run: "Run", settings: MetricSettings) -> float:
    return _figure(run, settings, "mpe")


@metric("relative pointing error: root mean square of the deviation from the mean of each window")
def rpe_deg(run: "Run", settings: MetricSettings) -> float:
    return _figure(run, settings, "rpe")


@metric("absolute knowledge error: as ape_deg, for the estimated attitude")
def ake_deg(run: "Run", settings: MetricSettings) -> float:
    return _figure(run, settings, "ake")


@metric("mean knowledge error: as mpe_deg, for the estimated attitude")
def mke_deg(run: "Run", settings: MetricSettings) -> float:
    return _figure(run, settings, "mke")


@metric("relative knowledge error: as rpe_deg, for the estimated attitude")
def rke_deg(run: "Run", settings: MetricSettings) -> float:
    return _figure(run, settings, "rke")
