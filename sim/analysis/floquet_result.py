"""Results of a Floquet analysis: multipliers and margins over an orbit."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_arrays

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, kw_only=True)
class OrbitMargin:
    """A margin of a sampled loop along an orbit.

    Parameters
    ----------
    input : str
        The plant input whose command is scaled or delayed, or "all".
    kind : str
        "gain up", "gain down" or "delay".
    predicted : float
        Factor or additional delay (s) at which a Floquet multiplier reaches the unit circle.
    places : tuple of float
        Smallest and largest margin among the loops frozen at eight points of the orbit; NaN for a law whose gains
        change along the orbit.
    confirmed : bool or None
        Whether a small deviation decays 2 % below the margin and grows 2 % above it in the nonlinear simulation. None
        if the multipliers change too little within 2 % to be seen in one orbit.
    """

    input: str
    kind: str
    predicted: float
    places: tuple[float, float]
    confirmed: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            input, kind, unit, predicted, the range over the orbit, confirmed.
        """
        return {
            "input": self.input,
            "kind": self.kind,
            "unit": "s" if self.kind == "delay" else "1",
            "predicted": self.predicted,
            "frozen_range": [each if isfinite(each) else None for each in self.places],
            "confirmed": self.confirmed,
        }


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Floquet:
    """Stability of a motion along an orbit, from `floquet`.

    Parameters
    ----------
    period : float
        Orbital period, s.
    samples : int
        Number of samples of the law in the orbit; 0 if there is no law.
    multipliers : numpy.ndarray, shape (n,)
        Floquet multipliers, largest modulus first. Those below about 1e-12 times the largest are round-off.
    log_largest : float
        Natural logarithm of the largest modulus, valid even if the multipliers underflow.
    monodromy : numpy.ndarray, shape (k, k)
        Transition matrix of the states of the plant over one orbit, SI units.
    states : tuple of str
        Names of these states.
    difference : float
        Largest difference between this matrix and the simulated orbit map, relative to its largest entry, with momenta
        in units of the mean inertia times the orbital rate; NaN if they were not compared.
    margins : tuple of OrbitMargin
        Finite margins of the law.
    words : tuple of str
        Effects that the analysis neglects, one sentence each.
    """

    period: float
    samples: int
    multipliers: Complex
    log_largest: float
    monodromy: Array
    states: tuple[str, ...]
    difference: float = float("nan")
    margins: tuple[OrbitMargin, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def stable(self) -> bool:
        """True if all multipliers are inside the unit circle."""
        return self.log_largest < 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            period_s, samples, multipliers (real, imaginary), log_largest, stable, map_difference, margins, words.
        """
        return {
            "period_s": self.period,
            "samples": self.samples,
            "multipliers": [[float(each.real), float(each.imag)] for each in self.multipliers],
            "log_largest": self.log_largest,
            "stable": self.stable,
            "map_difference": self.difference if isfinite(self.difference) else None,
            "margins": [each.to_dict() for each in self.margins],
            "words": list(self.words),
        }
