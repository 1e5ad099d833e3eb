"""Tuning of a different kind of law to the same natural frequency and damping ratio for small errors.

About one axis with inertia J and for small errors, every law here obeys J theta'' = -k theta - c theta', with
wn^2 = k / J and 2 zeta wn = c / J. Each kind converts wn and zeta to its keys.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from .....plant.errors import InputError
from ...schema.sampled import ActuatedTable, SampledTable
from .kinds import KINDS

Array = NDArray[np.float64]


def tuning(table: ActuatedTable, inertia: Array) -> tuple[float, float]:
    """Return natural frequency, rad/s, and damping ratio of small errors, each averaged over the axes.

    table: table of the law.
    inertia (3, 3): inertia of the spacecraft, kg m^2; only the diagonal is used.
    Raises InputError if this kind of law does not control the attitude.
    """
    kind = KINDS.of(table)
    found = kind.tuning(table, np.diag(inertia))
    if found is None:
        raise InputError(
            f"controller kind {kind.name!r} has no natural frequency and damping ratio to which another law could be "
            "tuned"
        )
    return found


def twin(table: ActuatedTable, kind: str, inertia: Array) -> ActuatedTable:
    """Return the table of a different kind of law with the same natural frequency and damping ratio.

    table: table of the law; if it already has the requested kind, it is returned unchanged.
    kind: requested kind.
    inertia (3, 3): inertia of the spacecraft, kg m^2.
    The result has the same sampling period, delay and torque limit.
    Raises InputError if the kind is unknown or cannot be tuned this way.
    """
    if kind == getattr(table, "kind", None):
        return table
    tunable = {each.name: each for each in KINDS if each.tuned is not None}
    if kind not in tunable:
        raise InputError(f"unknown or untunable method {kind!r}; can be compared: {', '.join(sorted(tunable))}")
    frequency, ratio = tuning(table, inertia)
    model, numbers = tunable[kind].table, tunable[kind].tuned
    assert numbers is not None  # noqa: S101 # the kind is tunable
    shared = {name: getattr(table, name) for name in SampledTable.model_fields if hasattr(table, name)}
    try:
        keys: dict[str, Any] = {
            "kind": kind,
            **shared,
            **numbers(frequency, ratio, np.diag(inertia), shared["sample_s"]),
        }
        return model(**keys)
    except (ValidationError, OverflowError) as error:  # the tuning may exceed the bounds of the other kind's keys
        what = str(error) if isinstance(error, OverflowError) else str(error.errors(include_url=False)[0]["msg"])
        raise InputError(
            f"a law of kind {kind} with the natural frequency of this one, {frequency:g} rad/s, does not exist: {what}"
        ) from None
