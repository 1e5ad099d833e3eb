"""Disk margins of an opened loop: of each signal alone, and of all of them at once."""

from dataclasses import dataclass
from math import inf, isfinite, log10
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import of_kind
from ...plant.one_thread import one_thread
from .frequencies import frequency_range
from .opened_loop import OpenedLoop
from .structured_norm import balanced_norm, structured_norm

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DiskMargin", "DiskMargins", "disk_margins", "simultaneous_margin"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True, kw_only=True)
class DiskMargin:
    """How far a signal, or all signals at once and independently, may be changed by a complex factor.

    Parameters
    ----------
    channel : str
        The signal; "all" for the simultaneous margin.
    alpha : float
        1 / max mu(S - I/2) (Seiler, Packard & Gahinet 2020, IEEE Control Systems 40(5), zero skew): the loop stays
        stable for every factor f with |f - 1| / |f + 1| < alpha / 2.
    frequency_rad_s : float
        Where the loop is most easily destabilised, rad/s.
    """

    channel: str
    alpha: float
    frequency_rad_s: float

    @property
    def gain(self) -> float:
        """Factor up to which, and down to the inverse of which, the gain may change."""
        return (2.0 + self.alpha) / (2.0 - self.alpha) if self.alpha < 2.0 else inf

    @property
    def gain_dB(self) -> float:
        """`gain` in decibels."""
        return 20.0 * log10(self.gain) if self.gain < inf else inf

    @property
    def phase_deg(self) -> float:
        """Phase shift of either sign that is tolerated, deg."""
        return float(np.degrees(2.0 * np.arctan(0.5 * self.alpha)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON; None where a margin is unlimited.

        Returns
        -------
        dict
            Keys carry the units.
        """
        return {
            "channel": self.channel,
            "alpha": self.alpha,
            "gain_dB": self.gain_dB if isfinite(self.gain_dB) else None,
            "phase_deg": self.phase_deg,
            "frequency_rad_s": self.frequency_rad_s,
        }


@dataclass(frozen=True, kw_only=True)
class DiskMargins:
    """Disk margins of a loop opened at some signals.

    Parameters
    ----------
    channels : tuple of DiskMargin
        One signal at a time, the others as designed.
    simultaneous : DiskMargin
        Every signal multiplied by a factor of its own, all at once. For more than three signals this is a lower
        bound (the structured singular value is bounded from above).
    """

    channels: tuple[DiskMargin, ...]
    simultaneous: DiskMargin

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON.

        Returns
        -------
        dict
            `channels` and `simultaneous`.
        """
        return {"channels": [one.to_dict() for one in self.channels], "simultaneous": self.simultaneous.to_dict()}

    def __str__(self) -> str:
        """Return the table that `print` shows."""
        lines = ["                  alpha     gain    phase         at", f"{'dB':>32}{'deg':>9}{'rad/s':>11}"]
        lines += [
            f"{one.channel:<16} {one.alpha:6.4f} {one.gain_dB:8.3f} {one.phase_deg:8.2f} {one.frequency_rad_s:10.4g}"
            for one in (*self.channels, self.simultaneous)
        ]
        return "\n".join(lines)


@one_thread
def disk_margins(opened: OpenedLoop) -> DiskMargins:
    """Return the disk margins of an opened loop.

    Parameters
    ----------
    opened : OpenedLoop
        `open_loop(law.loop(), "input")`, "output" or "both"; or `OpenedLoop.from_control(L)` of any loop transfer
        matrix of python-control. Margins do not depend on the units of the signals.

    Returns
    -------
    DiskMargins
        Signal by signal and simultaneous.

    Raises
    ------
    DesignError
        When the closed loop is not stable.

    Notes
    -----
    The same margins as `control.disk_margins`, which needs slycot for more than one signal and a list of
    frequencies; here the frequencies are chosen from the poles and the worst is refined.

    Examples
    --------
    The spinning satellite of Doyle: perfect one loop at a time, fragile when both change.

    >>> import control as ct
    >>> a = 10.0
    >>> A, B, C = [[0, a], [-a, 0]], np.eye(2), [[1, a], [-a, 1]]
    >>> found = disk_margins(OpenedLoop.from_control(ct.ss(A, B, C, np.zeros((2, 2)))))
    >>> [round(one.alpha, 4) for one in (*found.channels, found.simultaneous)]
    [2.0, 2.0, 0.0998]
    """
    of_kind("opened", opened, OpenedLoop, such_as="an OpenedLoop, such as open_loop(law.loop())")
    opened.check_stable()
    frequencies = frequency_range(opened, points=600, decades=4.0)
    centred = opened.sensitivity(frequencies) - 0.5 * np.eye(len(opened.channels))
    channels: list[DiskMargin] = []
    for n, name in enumerate(opened.channels):

        def alone(w: float, n: int = n) -> float:
            return float(np.abs(opened.sensitivity([w])[0, n, n] - 0.5))

        worst, where = _worst(alone, frequencies, np.abs(centred[:, n, n]))
        channels.append(DiskMargin(channel=name, alpha=1.0 / worst, frequency_rad_s=where))

    return DiskMargins(channels=tuple(channels), simultaneous=simultaneous_margin(opened, frequencies, centred))


@one_thread
def simultaneous_margin(opened: OpenedLoop, frequencies: Array, centred: Complex) -> DiskMargin:
    """Return the margin of all signals at once of a stable loop; centred (m, p, p): S - 1/2 at frequencies (m,)."""

    def together(w: float) -> float:
        return structured_norm(opened.sensitivity([w])[0] - 0.5 * np.eye(len(opened.channels)))

    worst, where = _worst(together, frequencies, balanced_norm(centred), exact=True)
    return DiskMargin(channel="all", alpha=1.0 / worst, frequency_rad_s=where)


def _worst(
    size: "Callable[[float], float]", frequencies: Array, sizes: Array, *, exact: bool = False
) -> tuple[float, float]:
    """Return the largest value and its frequency, refined around the highest points of the grid.

    With `exact` the values of the grid are upper bounds: every point that may hold the maximum is looked at.
    """
    from scipy import optimize

    order = np.argsort(-sizes)
    best, at = 0.0, int(order[0])
    for n in order:
        if best >= sizes[n]:
            break
        value = size(float(frequencies[n])) if exact else float(sizes[n])
        if value > best:
            best, at = value, int(n)
    low, high = frequencies[max(at - 1, 0)], frequencies[min(at + 1, len(frequencies) - 1)]

    def negative(w: float) -> float:
        return -size(float(w))

    found = cast("Any", optimize).minimize_scalar(
        negative, bounds=(low, high), method="bounded", options={"xatol": 1e-9 * high}
    )
    if -float(found.fun) > best:
        return -float(found.fun), float(found.x)
    return best, float(frequencies[at])
