"""Parameters of a Kalman filter of attitude and bias; those of the gyro unless the case gives others."""

from math import pi
from typing import Any

import numpy as np

from ....plant.errors import InputError
from ...case.schema.estimator import KalmanTable

__all__ = ["DEG_H", "start_of", "tuning_of"]

DEG_H = pi / 180.0 / 3600.0  # 1 deg/h in rad/s


def tuning_of(table: KalmanTable, gyro: Any) -> dict[str, Any]:
    """Return `gyro_noise`, rad/sqrt(s), `gyro_walk`, rad/s^(3/2), `gate` and perhaps `restart_after`."""
    noise, walk = table.angle_random_walk_deg_sqrt_h, table.rate_random_walk_deg_h_sqrt_h
    return {
        "gyro_noise": gyro.noise if noise is None else noise * pi / 180.0 / 60.0,
        "gyro_walk": gyro.walk if walk is None else walk * DEG_H / 60.0,
        "gate": table.gate,
        **({} if table.restart_after is None else {"restart_after": table.restart_after}),
    }


def start_of(table: KalmanTable, gyro: Any) -> dict[str, Any]:
    """Return `attitude_sigma`, rad, and `bias_sigma`, rad/s; raises InputError when case and gyro lack one."""
    bias = gyro.bias if table.bias_sigma_deg_h is None else DEG_H * np.asarray(table.bias_sigma_deg_h)
    if not np.all(np.asarray(bias) > 0.0):
        raise InputError(
            f"bias_sigma_deg_h: the initial uncertainty of the bias of {gyro.name} is missing and must be "
            "above zero; give it, or give the gyro a bias_deg_h"
        )
    told = table.attitude_sigma_deg
    return {"attitude_sigma": None if told is None else np.radians(told), "bias_sigma": bias}
