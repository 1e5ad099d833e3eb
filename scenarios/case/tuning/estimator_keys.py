"""Keys of the estimator that can be free in `[tune]`, and their values in the case."""

from typing import Any

from ....plant.checks import choice
from ....plant.errors import InputError
from ..campaigns.dispersions import value_at
from ..kinds.estimators import KINDS
from ..schema import Case
from ..schema.estimator import EstimatorTable, KalmanTable
from ..schema.tune import ESTIMATOR

NOT_NOISE = ("kind", "gate")
"""Declared keys that do not change the estimator in steady state."""


def estimator_value(case: Case, key: str) -> Any:
    """Return the value of an estimator key; a missing noise is that of the gyro that the estimator assumes.

    key: such as "estimator.angle_random_walk_deg_sqrt_h". Raises InputError if the case has no estimator whose output
    the law reads, or the key does not change its steady state.
    """
    table = case.estimator
    if table is None:
        raise InputError(f"{key}: the case has no [estimator]; add one, or free keys of the controller only")
    if case.controller is not None and case.controller.uses not in (None, "estimate"):
        raise InputError(
            f'{key} changes nothing in the loop with controller.uses = "{case.controller.uses}"; set "estimate", or '
            "free keys of the controller only"
        )
    name = key.removeprefix(ESTIMATOR)
    common = KalmanTable if isinstance(table, KalmanTable) else EstimatorTable
    names = [each for each in KINDS.of(table).table.model_fields if each not in (*common.model_fields, *NOT_NOISE)]
    choice("key of the estimator that can be free", name, names)
    value = value_at(case, key)
    return _of_gyro(case, table, name) if value is None else value


def _of_gyro(case: Case, table: EstimatorTable, name: str) -> Any:
    """Return a quantity of the gyro, from `[nominal]` if it states the sensors; None if there is no such value."""
    stated = None if case.nominal is None else case.nominal.sensors
    for each in (*(stated or ()), *case.sensors):
        if hasattr(each, name) and table.gyro in (None, each.label):
            return getattr(each, name)
    return None
