"""What a metric is: a function of a run with a name that ends in its unit, and what it means in words."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ....sim import Run

__all__ = [
    "DoesNotApplyError",
    "Metric",
    "MetricKind",
    "MetricSettings",
    "NoValueError",
    "largest",
    "metric",
    "require",
    "size",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class MetricSettings:
    """What some metrics mean.

    Attributes
    ----------
    settling_band_deg : float
        Settled when the attitude error stays within this, deg.
    residual_from_s : float or None
        From when on vibration is residual, s; None: from the settling time, or where nothing is to be held from the
        end of the last torque.
    window_s : float or None
        Over which mean pointing errors are taken, s.
    pointing_from_s : float or None
        From when on, s; None: the second half of the run.
    shared : dict
        By name: intermediate results of one run that several metrics need.
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
        The number, in the unit its name ends with; None where it has no meaning.
    reason : str
        Why there is no number; empty when there is one.
    applies : bool
        Whether a run of this kind has such a number at all: a settling time without a reference does not apply, one
        of a run that never settles does and has no value.
    """

    value: float | None
    reason: str = ""
    applies: bool = field(default=True, kw_only=True)


class NoValueError(Exception):
    """A metric has no value in this run; the message says why."""


class DoesNotApplyError(NoValueError):
    """A metric has no meaning for runs of this kind; the message says why."""


@dataclass(frozen=True, kw_only=True)
class MetricKind:
    """One metric.

    name: under which cases require it and results list it; it ends in the unit.
    measure: measure(run, settings) returns the number, or raises NoValueError.
    invariant: whether it says how well the run was computed, not what it came to.
    """

    name: str
    words: str
    measure: Callable[["Run", MetricSettings], float]
    invariant: bool = False


def metric(words: str, *, invariant: bool = False) -> Callable[[Callable[["Run", MetricSettings], float]], MetricKind]:
    """Make a metric of a function of a run: it is called what the function is called.

    invariant: see `MetricKind` -> the decorator.
    """

    def made(function: Callable[["Run", MetricSettings], float]) -> MetricKind:
        return MetricKind(name=function.__name__, words=words, measure=function, invariant=invariant)

    return made


def require(run: "Run", name: str, otherwise: str) -> None:
    """Say why a run does not have a quantity, where that is so."""
    if name not in run.names:
        raise DoesNotApplyError(otherwise)


def size(vectors: Array) -> Array:
    """The length of each row."""
    return np.sqrt((vectors**2).sum(axis=1))


def largest(run: "Run", name: str, measure: Callable[[Array], Array]) -> float:
    """The largest of what is measured of each row, some rows at a time."""
    return max(float(measure(piece).max()) for piece in run.pieces(name))
