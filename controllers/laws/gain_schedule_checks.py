"""Checks of the laws, values and parameter table of a gain schedule."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import numbers
from ...plant.errors import InputError

Array = NDArray[np.float64]


def ascending_points(values: ArrayLike, many: int) -> Array:
    """Return the values of a scheduling variable at its points, (n,).

    Raises InputError if their number differs from that of the laws, is below 2, or they do not ascend.
    """
    points = np.atleast_1d(numbers("values", values))
    if points.ndim != 1 or len(points) != many:
        raise InputError(f"a schedule needs one value for each law; got {points.size} for {many} laws")
    if len(points) < 2:
        raise InputError(f"a schedule needs laws at 2 points or more; got {len(points)}: use the law itself")
    if not (np.diff(points) > 0.0).all():
        k = int(np.argmin(np.diff(points) > 0.0))
        raise InputError(
            f"the values of a schedule must ascend; value {k + 2} is {points[k + 1]:g} after {points[k]:g}"
        )
    return points


def check_laws(laws: Sequence[Any], where_of: Callable[[int], str]) -> None:
    """Raise InputError if the parameters of laws cannot be interpolated because their kind or structure differs.

    laws: laws at the points; where_of(k): description of point k for messages, such as "0.3 rad/s".
    """
    first = laws[0]
    for k, law in enumerate(laws):
        where = f"the law at {where_of(k)}"
        if getattr(law, "calls", ()) or len(law.parts) > 1:
            raise InputError(f"{where} consists of other laws, so its gains cannot be interpolated; use modes")
        if not getattr(law, "compiled", True) or getattr(law, "opened", None) is not None:
            raise InputError(f"{where} is a plain function or a program, so it has no gains to interpolate")
        if law.no_margins:
            raise InputError(f"{where} cannot be part of a schedule: {law.no_margins}")
        for name in ("sample", "delay"):
            if getattr(law, name) != getattr(first, name):
                raise InputError(
                    f"{where} has a {name} of {getattr(law, name):g} s, but the first law has "
                    f"{getattr(first, name):g} s; design all laws with the same {name}"
                )
        alike = law.kernel is first.kernel and np.shape(law.parameters) == np.shape(first.parameters)
        fixed = ~np.asarray(first.batchable)
        if not alike or (np.asarray(law.parameters)[fixed] != np.asarray(first.parameters)[fixed]).any():
            raise InputError(
                f"{where} differs from the first law in kind, number of states, measurements, saturation or torque "
                "basis; only gains of the same structure can be interpolated"
            )
        limits, own = (_limits(each) for each in (first, law))
        if not np.array_equal(limits, own, equal_nan=True):
            raise InputError(
                f"{where} has torque limits of {_three(own)} N m, but the first law has {_three(limits)}; design "
                "all laws for the limits of one spacecraft, or use limited_to"
            )
        if not np.array_equal(law.memory, first.memory):
            raise InputError(f"{where} starts with a different memory than the first law; give all the same start")


def _limits(law: Any) -> Array:
    """Return the torque limits that a law assumes, N m, (3,); NaN if it assumes none."""
    about = law.design_condition
    return np.full(3, np.nan) if about is None else np.asarray(about.torques.limits(), dtype=np.float64)


def _three(limits: Array) -> str:
    return "(" + ", ".join(f"{each:g}" for each in limits) + ")"


def parameter_table(parameter: ArrayLike) -> Array:
    """Return the rows of time (s) and value of a scheduled parameter, (m, 2); one row for a constant."""
    found = numbers("parameter", parameter)
    if found.ndim == 0:
        return np.array([[0.0, float(found)]])
    if found.ndim != 2 or found.shape[1] != 2 or not len(found):
        raise InputError(f"parameter must be a number, or rows of time and value; got shape {found.shape}")
    if not (np.diff(found[:, 0]) > 0.0).all():
        raise InputError("the times of the parameter table must ascend; sort its rows, one for each time")
    return found
