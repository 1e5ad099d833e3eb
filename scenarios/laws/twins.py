"""The same tuning as another kind of law: natural frequency and damping ratio of small errors carried over.

About one axis with inertia J and small errors every law here is J theta'' = -k theta - c theta', so that
wn^2 = k / J and 2 zeta wn = c / J. For the regulator with weights qa, qr, r (continuous, per axis)

    k = sqrt(qa / r),   c = sqrt(qr / r + 2 J k);        qa / r = k^2,   qr / r = c^2 - 2 J k

and for sliding mode within its layer, (d/dt + L/2)(d/dt + K / (phi J)) theta = 0.
"""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ..schema.controller import EnergyShapingTable, QuaternionFeedbackTable, SlidingModeTable
from ..schema.linear_designs import LqgTable, LqiTable, LqrTable, PidTable
from ..schema.sampled import ActuatedTable, SampledTable

__all__ = ["COMPARABLE", "tuning", "twin"]

Array = NDArray[np.float64]
Numbers = Mapping[str, Any]


def tuning(table: ActuatedTable, inertia: Array) -> tuple[float, float]:
    """Return natural frequency and damping ratio of small errors under a law.

    Parameters
    ----------
    table : ActuatedTable
        The law's table.
    inertia : numpy.ndarray, shape (3, 3)
        Of the craft, kg m^2; its mean diagonal counts.

    Returns
    -------
    tuple of float
        rad/s, and the damping ratio, each the mean over the axes.

    Raises
    ------
    InputError
        When this kind of law holds no attitude.
    """
    J = np.diag(inertia)
    if isinstance(table, LqgTable | LqiTable | LqrTable):
        weights = table.attitude_weight, table.rate_weight, table.effort_weight
        attitude, rate, effort = (np.full(3, weight) for weight in weights)
        k = np.sqrt(attitude / effort)
        c = np.sqrt(rate / effort + 2.0 * J * k)
        wn = np.sqrt(k / J)
        return float(wn.mean()), float((c / (2.0 * J * wn)).mean())
    if isinstance(table, SlidingModeTable):
        slow = 0.5 * np.full(3, table.slope_1_s)
        fast = np.full(3, table.reach_N_m) / (np.full(3, table.boundary_layer_rad_s) * J)
        wn = np.sqrt(slow * fast)
        return float(wn.mean()), float(((slow + fast) / (2.0 * wn)).mean())
    frequency: Any = getattr(table, "frequency_rad_s", None)
    ratio: Any = getattr(table, "damping_ratio", None)
    if frequency is None or ratio is None:
        raise InputError(
            f"controller kind {getattr(table, 'kind', '?')!r} has no natural frequency and damping ratio that another "
            "law could be tuned to"
        )
    return _mean(frequency), _mean(ratio)


def twin(table: ActuatedTable, kind: str, inertia: Array) -> ActuatedTable:
    """Return the table of another kind of law with the same natural frequency and damping ratio.

    Parameters
    ----------
    table : ActuatedTable
        The law's table; of the same kind it is returned as it is.
    kind : str
        The kind wanted.
    inertia : numpy.ndarray, shape (3, 3)
        Of the craft, kg m^2.

    Returns
    -------
    ActuatedTable
        With the same sampling period, delay and limit.

    Raises
    ------
    InputError
        When the kind is not known or cannot be tuned so.
    """
    if kind == getattr(table, "kind", None):
        return table
    if kind not in COMPARABLE:
        raise InputError(f"unknown or untunable method {kind!r}; can be compared: {', '.join(sorted(COMPARABLE))}")
    frequency, ratio = tuning(table, inertia)
    model, numbers = COMPARABLE[kind]
    shared = {name: getattr(table, name) for name in SampledTable.model_fields if hasattr(table, name)}
    keys: dict[str, Any] = {"kind": kind, **shared, **numbers(frequency, ratio, np.diag(inertia), shared["sample_s"])}
    return model(**keys)


def _mean(value: Any) -> float:
    return float(np.mean(np.asarray(value, dtype=np.float64)))


def _lqr(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    k, c = frequency**2 * J, 2.0 * ratio * frequency * J
    return {
        "attitude_weight": tuple((k**2).tolist()),
        "rate_weight": tuple(np.maximum(c**2 - 2.0 * J * k, 0.0).tolist()),
        "effort_weight": 1.0,
    }


def _lqi(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """The regulator with an integral ten times slower than the loop: Wi = (wn / 10)^2 Wa."""
    found = _lqr(frequency, ratio, J, sample)
    return {**found, "integral_weight": tuple(((0.1 * frequency) ** 2 * np.array(found["attitude_weight"])).tolist())}


def _lqg(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """The regulator with an estimator, from the attitude alone, that is five times faster than the loop.

    About one axis torque noise q and attitude noise sigma per sample, that is sigma^2 sample as a density, make an
    estimator of natural frequency sqrt(q / (J sigma sqrt(sample))); only their ratio matters.
    """
    sigma = 1e-4
    return {
        **_lqr(frequency, ratio, J, sample),
        "attitude_noise_rad": sigma,
        "torque_noise_N_m_rtHz": tuple((J * (5.0 * frequency) ** 2 * sigma * sqrt(sample)).tolist()),
    }


def _pid(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """With an integral ten times slower than the loop."""
    return {**_second_order(frequency, ratio, J, sample), "integral_time_s": 10.0 / frequency}


def _second_order(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    return {"frequency_rad_s": frequency, "damping_ratio": ratio}


def _sliding_mode(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Two real poles whose product is wn^2; with a ratio below 1, the double pole."""
    spread = ratio + sqrt(max(ratio**2 - 1.0, 0.0)) if ratio > 1.0 else 1.0
    slow, fast = frequency / spread, frequency * spread
    layer = 2.0 * slow * 0.1  # the surface's rate at an error angle of 0.2 rad
    return {
        "slope_1_s": 2.0 * slow,
        "boundary_layer_rad_s": layer,
        "reach_N_m": tuple((fast * layer * J).tolist()),
    }


COMPARABLE: Mapping[str, tuple[type[SampledTable], Callable[[float, float, Array, float], Numbers]]] = {
    "energy-shaping": (EnergyShapingTable, _second_order),
    "lqg": (LqgTable, _lqg),
    "lqi": (LqiTable, _lqi),
    "lqr": (LqrTable, _lqr),
    "pid": (PidTable, _pid),
    "quaternion-feedback": (QuaternionFeedbackTable, _second_order),
    "sliding-mode": (SlidingModeTable, _sliding_mode),
}
"""Kinds that can be tuned by natural frequency and damping ratio: their table, and how its keys follow."""
