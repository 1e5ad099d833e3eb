"""Kind of metric: a function of a run, a name that ends in the unit, and a description."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....sim.results.row_norms import row_norms

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class MetricSettings:
    """Settings of some metrics.

    Attributes
    ----------
    settling_band_deg : float
        The attitude is settled when its error stays within this band, deg.
    residual_from_s : float or None
        Time from which residual vibration counts, s; None: the settling time or, if there is no reference, the end of
        the last torque.
    window_s : float or None
        Averaging window of mean pointing errors, s.
    pointing_from_s : float or None
        Time from which pointing errors are evaluated, s; None: half the run duration.
    shared : dict
        Intermediate results of one run that several metrics need, by name.
    """

    settling_band_deg: float
    residual_from_s: float | None
    window_s: float | None = None
    pointing_from_s: float | None = None
    shared: dict[str, Any] = field(default_factory=dict[str, Any], repr=False, compare=False)


@dataclass(frozen=True)
class Metric:
    """A metric of one run.

    Attributes
    ----------
    value : float or None
        Value in the unit of the name; None if there is no value.
    reason : str
        Reason for a missing value; empty otherwise.
    applies : bool
        Whether the metric applies to runs of this kind. A settling time does not apply to a run without a reference. In
        a run that never settles it applies but has no value.
    """

    value: float | None
    reason: str = ""
    applies: bool = field(default=True, kw_only=True)


class NoValueError(Exception):
    """Error raised when a metric has no value in a run; the message is the reason."""


class DoesNotApplyError(NoValueError):
    """Error raised when a metric does not apply to a kind of run; the message is the reason."""


class MissingPartError(DoesNotApplyError):
    """Error raised when a run lacks a part that a metric measures: a law, an element, a quantity, a cone.

    The reason must depend only on the parts of the run (`polhode.sim.results.run_kind`), and it must be raised before
    anything that depends on values. It is then the same for all runs with these parts, and evaluated only once.
    """


@dataclass(frozen=True, kw_only=True)
class MetricKind:
    """One metric.

    name: name in cases and results, which ends in the unit.
    measure: function measure(run, settings) that returns the value or raises NoValueError.
    invariant: whether the metric measures numerical accuracy instead of the behaviour of the spacecraft.
    """

    name: str
    words: str
    measure: Callable[["Run", MetricSettings], float]
    invariant: bool = False


def metric(words: str, *, invariant: bool = False) -> Callable[[Callable[["Run", MetricSettings], float]], MetricKind]:
    """Return a decorator that turns a function of a run into a metric with the name of the function.

    words: description of the metric; invariant: see `MetricKind`.
    """

    def made(function: Callable[["Run", MetricSettings], float]) -> MetricKind:
        return MetricKind(name=function.__name__, words=words, measure=function, invariant=invariant)

    return made


def require(run: "Run", name: str, otherwise: str) -> None:
    """Raise MissingPartError with the reason `otherwise` if a run does not have a quantity."""
    if name not in run.names:
        raise MissingPartError(otherwise)


def size(vectors: Array) -> Array:
    """Return the Euclidean norm of each row."""
    return row_norms(vectors)


def largest(run: "Run", name: str, measure: Callable[[Array], Array]) -> float:
    """Return the largest value of a function of a quantity's rows, evaluated in chunks of rows."""
    return max(float(measure(piece).max()) for piece in run.pieces(name))
