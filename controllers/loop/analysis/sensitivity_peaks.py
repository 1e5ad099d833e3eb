"""Sensitivity peaks of a loop broken at the plant input."""

from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np

from ....plant.checks import of_kind
from ....plant.one_thread import one_thread
from .frequencies import frequency_range, highest, refined
from .opened_loop import OpenedLoop


@dataclass(frozen=True, kw_only=True)
class SensitivityPeak:
    """The largest singular value over frequency of a closed-loop transfer matrix.

    Parameters
    ----------
    function : str
        "S", the amplification of disturbances where the loop is broken, or "T" = I - S, the amplification of noise.
    peak : float
        Peak, as a factor.
    frequency_rad_s : float
        Frequency of the peak, rad/s.
    """

    function: str
    peak: float
    frequency_rad_s: float

    @property
    def peak_dB(self) -> float:
        """The peak in decibels."""
        return 20.0 * log10(self.peak)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            Plain values; keys carry the units.
        """
        return {
            "function": self.function,
            "peak": self.peak,
            "peak_dB": self.peak_dB,
            "frequency_rad_s": self.frequency_rad_s,
        }


@one_thread
def sensitivity_peaks(opened: OpenedLoop) -> tuple[SensitivityPeak, SensitivityPeak]:
    """Return the peaks over frequency of the sensitivity S and the complementary sensitivity T.

    Parameters
    ----------
    opened : OpenedLoop
        A loop broken where all signals have the same unit, such as the plant's torque inputs. For a periodic loop the
        peak includes all coupled frequencies: it is the largest ratio of output to input, each as a root sum of squares
        over time.

    Returns
    -------
    tuple of SensitivityPeak
        Peaks of S and of T (Skogestad & Postlethwaite 2005, sections 2.4.3 and 3.3).

    Raises
    ------
    DesignError
        When the closed loop is not stable.

    Examples
    --------
    A double integrator under PD control with damping ratio 1:

    >>> import control as ct
    >>> S, T = sensitivity_peaks(OpenedLoop.from_control(ct.tf([2, 1], [1, 0, 0])))
    >>> round(S.peak, 3), round(T.peak, 4)
    (1.0, 1.1547)
    """
    of_kind("opened", opened, OpenedLoop, such_as="an OpenedLoop, such as open_loop(law.loop())")
    opened.check_stable()
    frequencies = frequency_range(opened)
    eye = np.eye(len(opened.D))
    S = opened.sensitivity(frequencies)
    found: list[SensitivityPeak] = []
    for name, values in (("S", S), ("T", eye - S)):

        def size(w: float, name: str = name) -> float:
            at = opened.sensitivity([w])[0]
            return float(np.linalg.norm(at if name == "S" else eye - at, ord=2))

        sizes = np.linalg.norm(values, ord=2, axis=(1, 2))
        n = int(np.argmax(sizes))
        tried = [(float(sizes[n]), float(frequencies[n]))]
        tried += [refined(size, frequencies, k) for k in highest(sizes)]
        peak, frequency = max(tried)
        found.append(SensitivityPeak(function=name, peak=peak, frequency_rad_s=frequency))
    return found[0], found[1]
