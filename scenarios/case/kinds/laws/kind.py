"""Definition of a law kind: its table, the function that creates the law, and its tuning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .....controllers import Law, Reference
from .....plant import LinearModel, Spacecraft
from ...schema.sampled import ActuatedTable
from ..case_kind import CaseKind

Array = NDArray[np.float64]
Numbers = Mapping[str, Any]


def tuning_of_second_order(table: Any, J: Array) -> tuple[float, float] | None:
    """Return the tuning in a table that has natural frequency and damping ratio as keys.

    Parameters
    ----------
    table : ActuatedTable
        Table of the law.
    J : numpy.ndarray, shape (3,)
        Moments of inertia about the axes, kg m^2.

    Returns
    -------
    tuple of float, or None
        Natural frequency, rad/s, and damping ratio, each averaged over the axes; None if the table lacks these keys.
    """
    frequency, ratio = getattr(table, "frequency_rad_s", None), getattr(table, "damping_ratio", None)
    if frequency is None or ratio is None:
        return None
    return float(np.mean(np.asarray(frequency, dtype=float))), float(np.mean(np.asarray(ratio, dtype=float)))


def second_order(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return the keys with a tuning, for a table that has natural frequency and damping ratio as keys.

    frequency, ratio: natural frequency (rad/s) and damping ratio of small errors; J (3,): moments of inertia about the
    axes, kg m^2; sample: sampling period, s.
    """
    return {"frequency_rad_s": frequency, "damping_ratio": ratio}


class DesignPoint(NamedTuple):
    """A law that is part of another law, and the changes of the case for its design.

    controller: its table; changes: keys of the case with the values that the design assumes.
    """

    controller: ActuatedTable
    changes: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LawKind(CaseKind):
    """One kind of `[controller]`.

    Parameters
    ----------
    table : type of ActuatedTable
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table, craft, model) returns the law; model() computes the linear model about the reference.
    along : callable or None
        along(table, craft, reference) returns a law that is designed along the reference, in place of `make`.
    tuning : callable
        tuning(table, J) returns natural frequency (rad/s) and damping ratio of small errors, or None if they are
        undefined; J: moments of inertia about the axes.
    tuned : callable or None
        tuned(frequency, ratio, J, sample) returns the keys of a table with this tuning; None if the kind cannot be
        tuned this way.
    points : callable or None
        points(table) returns the laws that a law consists of, each designed on a changed case; None if there are none.
    assembled : callable or None
        assembled(table, laws) returns the law that consists of the laws at `points`.
    """

    table: type[ActuatedTable]
    make: Callable[[Any, Spacecraft, Callable[[], LinearModel]], Law]
    along: Callable[[Any, Spacecraft, Reference], Law] | None = None
    tuning: Callable[[Any, Array], tuple[float, float] | None] = tuning_of_second_order
    tuned: Callable[[float, float, Array, float], Numbers] | None = None
    points: Callable[[Any], Sequence[DesignPoint]] | None = None
    assembled: Callable[[Any, Sequence[Law]], Law] | None = None
