"""Designed excitation: its commands, expected standard deviations and nominal motion."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.frozen import frozen_results
from ....sim.analysis.identification.information import Information
from ..loader import LoadedCase

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DesignedExcitation:
    """Result of `design_excitation`.

    Attributes
    ----------
    loaded : LoadedCase
        The case.
    period : float
        Period of the commands, s.
    commands : numpy.ndarray, shape (n, 3)
        Torque commands in the torque basis of the case, N m.
    information : Information
        Information about the free parameters in telemetry recorded under these commands.
    reference : Information
        The same for telemetry without commands, from the initial motion only.
    times : numpy.ndarray, shape (n,)
        Times of the commands, s.
    rates : numpy.ndarray, shape (n, 3)
        Body rates, rad/s.
    wheels : numpy.ndarray, shape (n, m)
        Rates of the wheels, rad/s.
    max_rate : float
        Limit on the magnitude of the body rate, rad/s.
    limits : numpy.ndarray, shape (3,)
        Torque limits, N m.
    wheel_limits : numpy.ndarray, shape (m,)
        Speed limits of the wheels, rad/s; inf if a wheel has none.
    evaluated : int
        Number of commands whose information was computed.
    """

    loaded: LoadedCase
    period: float
    commands: Array
    information: Information
    reference: Information
    times: Array
    rates: Array
    wheels: Array
    max_rate: float
    limits: Array
    wheel_limits: Array
    evaluated: int

    __repr__ = brief

    @property
    def peak_rate(self) -> float:
        """Largest magnitude of the body rate, rad/s."""
        return float(np.linalg.norm(self.rates, axis=1).max())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        worst = self.information.combinations[0]
        return {
            "case": self.loaded.name,
            "duration_s": self.period * len(self.commands),
            "period_s": self.period,
            "parameters": [
                {"name": name, "sigma": _number(sigma), "without_excitation": _number(other)}
                for name, sigma, other in zip(
                    self.information.names, self.information.sigma, self.reference.sigma, strict=True
                )
            ],
            "least_certain": {"combination": str(worst), "relative_sigma": _number(worst.sigma)},
            "peak_rate_deg_s": degrees(self.peak_rate),
            "max_rate_deg_s": degrees(self.max_rate),
            "peak_torque_N_m": np.abs(self.commands).max(axis=0).tolist(),
            "peak_wheel_rate_rad_s": np.abs(self.wheels).max(axis=0, initial=0.0).tolist(),
            "evaluated": self.evaluated,
        }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
