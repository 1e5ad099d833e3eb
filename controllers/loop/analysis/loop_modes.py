"""Closed-loop poles as frequency, damping ratio and time constant."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.checks import non_negative
from ....plant.errors import InputError


@dataclass(frozen=True, kw_only=True)
class LoopMode:
    """A real pole, or a pair of complex poles, of a closed loop.

    Parameters
    ----------
    pole : complex
        The pole in the z-plane or s-plane (1/s); for a pair, the pole with positive imaginary part.
    frequency_rad_s : float
        Natural frequency |s|, rad/s, with s = log(z) / h.
    damping_ratio : float
        - Re s / |s|.
    time_constant_s : float
        - 1 / Re s, the time in which the envelope decays to 1 / e; inf for a pole that does not decay.
    """

    pole: complex
    frequency_rad_s: float
    damping_ratio: float
    time_constant_s: float

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON; None for an infinite time constant.

        Returns
        -------
        dict
            Plain values; keys carry the units; the pole is [real, imaginary].
        """
        return {
            "pole": [self.pole.real, self.pole.imag],
            "frequency_rad_s": self.frequency_rad_s,
            "damping_ratio": self.damping_ratio,
            "time_constant_s": self.time_constant_s if isfinite(self.time_constant_s) else None,
        }


def loop_modes(poles: ArrayLike, *, sample: float = 0.0) -> tuple[LoopMode, ...]:
    """Return frequency, damping ratio and time constant of closed-loop poles, slowest first.

    Parameters
    ----------
    poles : array_like of complex
        Closed-loop poles; dead-beat poles of a sampled loop (|z| < 1e-6) are omitted.
    sample : float
        Sampling period, s; 0 when the poles are in the s-plane.

    Returns
    -------
    tuple of LoopMode
        One entry for each real pole or pair.

    Raises
    ------
    InputError
        When the poles are not finite numbers, or the sampling period is negative.

    Examples
    --------
    >>> [round(mode.damping_ratio, 6) for mode in loop_modes([-0.6 + 0.8j, -0.6 - 0.8j, -2.0])]
    [0.6, 1.0]
    """
    found: list[LoopMode] = []
    non_negative("sample", sample, "s")
    try:
        values = np.asarray(poles).astype(np.complex128, casting="safe").ravel()
    except Exception:  # noqa: BLE001 # numpy raises various errors for other objects
        raise InputError(f"poles must be numbers (1/s, or z-plane with sample); got a {type(poles).__name__}") from None
    if not np.isfinite(values).all():
        raise InputError(f"poles must be finite; got {values.tolist()}")
    for value in values:
        pole = complex(value)
        if sample > 0.0 and abs(pole) < 1e-6:
            continue
        s = complex(np.log(pole) / sample) if sample > 0.0 else pole
        if pole.imag < 0.0:
            continue
        size = abs(s)
        found.append(
            LoopMode(
                pole=pole,
                frequency_rad_s=size,
                damping_ratio=-s.real / size if size > 0.0 else 1.0,
                time_constant_s=-1.0 / s.real if s.real < 0.0 else inf,
            )
        )
    return tuple(sorted(found, key=lambda mode: -mode.time_constant_s))
