"""Charts of the attitude error about each axis, and of the error of the attitude estimate."""

from typing import TYPE_CHECKING

import numpy as np

from ..rounding import is_rounding
from .chart import AXES, Band, Chart, Limit, Line, Mark, axis_lines
from .marks import jump_marks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...case.schema import Case
    from ..metrics import Metric
    from .series import SeriesStore

GROUP = "Pointing"
DEGREES = float(np.degrees(1.0))
ARCSEC = 3600.0 * DEGREES
LOST = 0.5  # rad: from this sigma on, the attitude is practically unknown
LEAST_ERROR = 1e-12  # deg: smaller errors are round-off and would stretch a logarithmic axis by decades
REQUIRED = ("final_attitude_error_deg", "peak_attitude_error_deg", "ape_deg")


def pointing_charts(store: "SeriesStore", case: "Case", metrics: "Mapping[str, Metric]") -> list[Chart]:
    """Return the charts of attitude error (with a reference) and of knowledge error (with an estimator)."""
    return [*_errors(store, case, metrics), *_knowledge(store)]


def _errors(store: "SeriesStore", case: "Case", metrics: "Mapping[str, Metric]") -> list[Chart]:
    run = store.run
    if "error_vector" not in run.names:
        return []
    for name in ("error_vector", "attitude_error"):
        for key, values in store.quantity(name).items():
            store.add(key, values)
    if is_rounding(store.values("attitude_error"), 1.0):
        return []
    band = case.metrics.settling_band_deg
    settled = metrics.get("settling_time_s")
    marks = list(jump_marks(run))
    if settled is not None and settled.value is not None:
        marks.append(Mark(time=settled.value, label=f"settled within {band:g} deg: {settled.value:.4g} s", kind="good"))
    limits = tuple(
        Limit(value=each.max, label=f"required: {each.metric} at most {each.max:g}")
        for each in case.require
        if each.metric in REQUIRED and each.max is not None and each.max > 0.0
    )
    words = f"settling band, {band:g} deg"
    return [
        Chart(
            id="error-axes",
            title="Attitude error about each axis",
            group=GROUP,
            unit="deg",
            factor=DEGREES,
            lines=axis_lines("error_vector"),
            bands=(Band(label=words, low=-band, high=band),),
            limits=(Limit(value=0.0, label="reference"),),
            marks=tuple(marks),
            note="Rotation vector from the reference to the attitude, along the shorter rotation.",
        ),
        Chart(
            id="error-angle",
            title="Attitude error, total angle",
            group=GROUP,
            unit="deg",
            factor=DEGREES,
            log=True,
            floor=LEAST_ERROR,
            lines=(Line(key="attitude_error", label="rotation to the reference", colour="ink"),),
            bands=(Band(label=words, low=0.0, high=band),),
            limits=limits,
            marks=tuple(marks),
        ),
    ]


def _knowledge(store: "SeriesStore") -> list[Chart]:
    """Return one knowledge error chart for each axis, with the 3-sigma band if the estimator reports one."""
    run = store.run
    if "knowledge_error" not in run.names:
        return []
    error = run.values("knowledge_error")
    for key, values in store.quantity("knowledge_error").items():
        store.add(key, values)
    if "attitude_sigma" not in run.written:
        return [
            Chart(
                id="knowledge", title="Attitude knowledge error", group=GROUP, unit="arcsec", factor=ARCSEC,
                lines=axis_lines("knowledge_error"),
            )
        ]  # fmt: skip
    sigma = run.values("attitude_sigma")
    claimed = np.where((sigma > 0.0) & (sigma < LOST), 3.0 * sigma, np.nan)
    late = np.arange(len(error)) >= len(error) // 10  # error and bound may be far larger at the start than later
    known = late & np.isfinite(claimed).all(axis=1)
    rows = known if known.any() else late
    charts: list[Chart] = []
    for n, axis in enumerate(AXES):
        for sign, word in ((1.0, "high"), (-1.0, "low")):
            store.add(f"three_sigma_{word}.{axis}", sign * claimed[:, n])
        outside = float((np.abs(error[known, n]) > claimed[known, n]).mean()) if known.any() else 0.0
        reach = 1.1 * float(np.nanmax(np.abs(np.concatenate((error[rows, n], np.nan_to_num(claimed[rows, n]))))))
        charts.append(
            Chart(
                id=f"knowledge-{axis}",
                title=f"Attitude knowledge error about {axis}",
                group=GROUP,
                unit="arcsec",
                factor=ARCSEC,
                lines=(Line(key=f"knowledge_error.{axis}", label=f"body {axis}", colour=axis, dash=0),),
                bands=(
                    Band(
                        label="3 sigma reported by the estimator",
                        low=f"three_sigma_low.{axis}",
                        high=f"three_sigma_high.{axis}",
                        colour=axis,
                    ),
                ),
                reach=ARCSEC * reach if reach > 0.0 else None,
                note=f"{100.0 * outside:.2g} % of the rows with an estimate, without the first tenth of the run, are "
                "outside 3 sigma (0.27 % of a normal distribution)."
                if known.any()
                else "",
            )
        )
    return charts
