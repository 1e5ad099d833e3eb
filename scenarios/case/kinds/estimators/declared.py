"""Derive estimator kinds from estimator classes with declared quantities."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .....controllers import Block
from .....controllers.sensing.estimators.attitude_filter import AttitudeFilter
from .....controllers.sensing.sensors import RateGyro
from .....plant.errors import InputError
from .....plant.quantity import quantities, to_code_unit
from ...schema.estimator import EstimatorTable, KalmanTable
from ..declared_keys import DeclaredKeys
from .kind import EstimatorKind
from .kinds import KINDS

OF_GYRO = "by default that of the gyro"


def kind_of(word: str, estimator: type[Any], *, module: str = __name__) -> EstimatorKind:
    """Return the kind of an estimator class.

    word: value of the key `kind`; estimator: class of the estimator; module: name of the module that the table becomes
    part of. If a gyro declares a quantity of the same name, the value of the gyro is the default.
    """
    shared = [name for name in quantities(estimator) if name in quantities(RateGyro)]
    keys = DeclaredKeys(estimator, defaults=dict.fromkeys(shared, OF_GYRO))
    kalman = issubclass(estimator, AttitudeFilter)

    def make(
        table: Any, gyro: Any, inputs: tuple[Block, Sequence[tuple[Any, Block]]], start: Mapping[str, Any]
    ) -> Block:
        values = {name: getattr(gyro, name) for name in shared} | keys.values(table)
        if not kalman:
            return estimator(**values).block(*inputs, **start)
        if table.restart_after is not None:
            values["restart_after"] = table.restart_after
        return estimator(**values).block(*inputs, **start, **_uncertainty(table, gyro))

    table = keys.table(word, KalmanTable if kalman else EstimatorTable, noun="estimator", module=module)
    return EstimatorKind(table=table, make=make)


def _uncertainty(table: KalmanTable, gyro: Any) -> dict[str, Any]:
    """Return `attitude_sigma`, rad or None, and `bias_sigma`, rad/s.

    Raises InputError if neither the case nor the gyro gives the bias uncertainty.
    """
    sigma, bias = table.attitude_sigma_deg, gyro.bias
    if table.bias_sigma_deg_h is not None:
        bias = to_code_unit(np.asarray(table.bias_sigma_deg_h), "deg/h")
    if not np.all(np.asarray(bias) > 0.0):
        raise InputError(
            f"bias_sigma_deg_h: the initial uncertainty of the bias of {gyro.name} is missing and must be "
            "above zero; give it, or give the gyro a bias_deg_h"
        )
    return {"attitude_sigma": None if sigma is None else np.radians(sigma), "bias_sigma": bias}


def __getattr__(name: str) -> type[Any]:
    """Return the table of a kind by name, so that pickled cases find it."""
    return KINDS.table_named(name)
