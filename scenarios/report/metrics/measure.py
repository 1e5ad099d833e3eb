"""Evaluation of all metrics of a run.

Metrics are evaluated on the recorded output, with the resolution of `run.output_s`. Metrics of motors and arms are
evaluated at every integration step. Drifts are measured from t = 0.
"""

from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING

from ....sim.results.run_kind import kind_of
from .kind import DoesNotApplyError, Metric, MetricSettings, MissingPartError, NoValueError
from .kinds import METRICS

if TYPE_CHECKING:
    from ....sim import Run


def measure(
    run: "Run",
    *,
    settling_band_deg: float = 0.1,
    residual_from_s: float | None = None,
    window_s: float | None = None,
    pointing_from_s: float | None = None,
) -> dict[str, Metric]:
    """Evaluate every metric of a run.

    Parameters
    ----------
    run : Run
        Result of `simulate`.
    settling_band_deg : float
        Error band of settling_time_s, deg.
    residual_from_s : float, optional
        Time from which residual vibration counts, s; by default the settling time or, if there is no reference, the
        end of the last torque.
    window_s : float, optional
        Averaging window of mean and relative pointing errors, s; if it is not given, these metrics have no value.
    pointing_from_s : float, optional
        Time from which pointing errors are evaluated, s; by default half the run duration.

    Returns
    -------
    dict
        `Metric` by name, in alphabetical order.

    Examples
    --------
    >>> from polhode import plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> found = measure(sim.simulate(craft, rate=(0, 0, 0.1), duration=1.0, compiled=False))
    >>> round(found["peak_rate_deg_s"].value, 6), found["settling_time_s"].reason
    (5.729578, 'the case has no [reference]')
    """
    settings = MetricSettings(
        settling_band_deg=settling_band_deg, residual_from_s=residual_from_s, window_s=window_s,
        pointing_from_s=pointing_from_s,
    )  # fmt: skip
    found: dict[str, Metric] = {}
    found_missing = {} if run.recorded is not None else kind_of(run).missing
    missing = found_missing.setdefault(window_s is None, {})  # without a window, some metrics give another reason
    for name, kind in METRICS.items():
        if name in missing:
            found[name] = missing[name]
            continue
        try:
            value = kind.measure(run, settings)
            found[name] = Metric(value) if isfinite(value) else Metric(None, "the run is not finite")
        except MissingPartError as error:
            found[name] = missing[name] = Metric(None, str(error), applies=False)
        except DoesNotApplyError as error:
            found[name] = _without_value(str(error), applies=False)
        except NoValueError as error:
            found[name] = Metric(None, str(error))
    return found


@lru_cache(maxsize=256)  # runs of a campaign lack the same metrics for the same reasons
def _without_value(reason: str, *, applies: bool) -> Metric:
    return Metric(None, reason, applies=applies)
