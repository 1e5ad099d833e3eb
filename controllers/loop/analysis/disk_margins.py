"""Disk margins of a loop broken at some signals, for each signal and for all signals together."""

from dataclasses import dataclass
from math import inf, isfinite, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import of_kind
from ....plant.errors import DesignError
from ....plant.one_thread import one_thread
from .frequencies import frequency_range, highest, refined
from .opened_loop import MOST, OpenedLoop
from .structured_norm import balanced_norm, structured_norm

if TYPE_CHECKING:
    from collections.abc import Callable

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

ENDS = {"disk_margin_inputs": "input", "disk_margin_outputs": "output", "disk_margin_all": "both"}
"""Loop opening (argument of `open_loop`) for each simultaneous margin that a case may require."""
ALL = "all"
FEW = 64  # a periodic loop with at most this many factors gets a fine frequency grid
EXACT = 24  # a periodic loop with more factors than this uses the bound from balancing, in 1 % of the time


@dataclass(frozen=True, kw_only=True)
class DiskMargin:
    """Disk margin: complex factor tolerated in one signal, or independently in all signals.

    Parameters
    ----------
    channel : str
        The signal; "all" for the margin of all signals together.
    alpha : float
        1 / max mu(S - I/2) (Seiler, Packard & Gahinet 2020, IEEE Control Systems 40(5), zero skew): the loop stays
        stable for every factor f with |f - 1| / |f + 1| < alpha / 2.
    frequency_rad_s : float
        Frequency at which the smallest factor destabilises the loop, rad/s.
    """

    channel: str
    alpha: float
    frequency_rad_s: float

    @property
    def gain(self) -> float:
        """Factor by which the loop gain may be multiplied or divided."""
        return (2.0 + self.alpha) / (2.0 - self.alpha) if self.alpha < 2.0 else inf

    @property
    def gain_dB(self) -> float:
        """`gain` in decibels."""
        return 20.0 * log10(self.gain) if self.gain < inf else inf

    @property
    def phase_deg(self) -> float:
        """Tolerated phase shift of either sign, deg."""
        return float(np.degrees(2.0 * np.arctan(0.5 * self.alpha)))

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON; None where a margin is unlimited.

        Returns
        -------
        dict
            Plain values; keys carry the units.
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
    """Disk margins of a loop broken at some signals.

    Parameters
    ----------
    channels : tuple of DiskMargin
        Margins of one signal at a time, with the remaining signals nominal.
    simultaneous : DiskMargin
        Margin for independent factors on all signals at the same time. For more than three signals it is a lower bound,
        because the structured singular value is bounded from above.
    """

    channels: tuple[DiskMargin, ...]
    simultaneous: DiskMargin

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            `channels` and `simultaneous`.
        """
        return {"channels": [one.to_dict() for one in self.channels], "simultaneous": self.simultaneous.to_dict()}

    def __str__(self) -> str:
        """Return the margins as a table."""
        lines = ["                  alpha     gain    phase         at", f"{'dB':>32}{'deg':>9}{'rad/s':>11}"]
        lines += [
            f"{one.channel:<16} {one.alpha:6.4f} {one.gain_dB:8.3f} {one.phase_deg:8.2f} {one.frequency_rad_s:10.4g}"
            for one in (*self.channels, self.simultaneous)
        ]
        return "\n".join(lines)


@one_thread
def disk_margins(opened: OpenedLoop) -> DiskMargins:
    """Return the disk margins of a loop broken at some signals.

    Parameters
    ----------
    opened : OpenedLoop
        `open_loop(law.loop(), "input")`, "output" or "both"; or `OpenedLoop.from_control(L)` for any loop transfer
        matrix L of python-control. Margins do not depend on the units of the signals.

    Returns
    -------
    DiskMargins
        Margins of each signal, and the margin of all signals together.

    Raises
    ------
    DesignError
        When the closed loop is not stable, or is periodic and its number of signals times `opened.repeats` exceeds 400.

    Notes
    -----
    In a periodic loop (`opened.repeats`) the factor of a signal is any linear time-invariant system at the law's rate,
    complex and independent at each of the coupled frequencies; constant factors are a special case. For more than three
    factors the margin is a lower bound; for more than 24 in a periodic loop, this bound comes from balanced matrices.

    The margins agree with `control.disk_margins`, which needs a list of frequencies and, for more than one signal,
    slycot. Here the frequencies are chosen from the poles, and the worst frequency is refined.

    Examples
    --------
    Doyle's spinning satellite: robust to a change of either loop, but fragile if both change.

    >>> import control as ct
    >>> a = 10.0
    >>> A, B, C = [[0, a], [-a, 0]], np.eye(2), [[1, a], [-a, 1]]
    >>> found = disk_margins(OpenedLoop.from_control(ct.ss(A, B, C, np.zeros((2, 2)))))
    >>> [round(one.alpha, 4) for one in (*found.channels, found.simultaneous)]
    [2.0, 2.0, 0.0998]
    """
    of_kind("opened", opened, OpenedLoop, such_as="an OpenedLoop, such as open_loop(law.loop())")
    opened.check_stable()
    _check_few(opened)
    many = len(opened.channels) * opened.repeats
    points = 600 if opened.repeats == 1 or many <= FEW else 150
    frequencies = frequency_range(opened, points=points, decades=4.0)
    centred = opened.sensitivity(frequencies) - 0.5 * np.eye(many)
    channels = tuple(
        _margin(opened, name, frequencies, centred, slice(n, None, len(opened.channels)))
        for n, name in enumerate(opened.channels)
    )
    return DiskMargins(channels=channels, simultaneous=simultaneous_margin(opened, frequencies, centred))


def _check_few(opened: OpenedLoop) -> None:
    if opened.too_many:
        raise DesignError(
            f"disk margins of {len(opened.channels)} signals over {opened.repeats} samples take {len(opened.D):,} "
            f"factors, but the limit is {MOST}; choose periods of law and blocks with a shorter common period"
        )


@one_thread
def simultaneous_margin(opened: OpenedLoop, frequencies: Array, centred: Complex) -> DiskMargin:
    """Return the margin of all signals together, for a stable loop.

    centred (m, p, p): S - 1/2 at frequencies (m,). Raises DesignError when the period of a loop has too many samples.
    """
    _check_few(opened)
    return _margin(opened, ALL, frequencies, centred, slice(None))


def _margin(opened: OpenedLoop, name: str, frequencies: Array, centred: Complex, which: slice) -> DiskMargin:
    """Return the margin for independent factors on some signals at each frequency."""
    some = centred[:, which, which]
    several = some.shape[1] > 1
    most = 3 if name != ALL else EXACT  # for a single signal, the exact bound is hardly better than that from balancing
    norm = structured_norm if opened.repeats == 1 or some.shape[1] <= most else _balanced_norm

    def size(w: float) -> float:
        return norm((opened.sensitivity([w])[0] - 0.5 * np.eye(centred.shape[1]))[which, which])

    sizes = balanced_norm(some) if several else np.abs(some[:, 0, 0])
    worst, where = _worst(size, frequencies, sizes, exact=several, within=1e-9 if opened.repeats == 1 else 1e-6)
    if opened.repeats > 1:
        where = _largest_alias(opened, where)
    return DiskMargin(channel=name, alpha=1.0 / worst, frequency_rad_s=where)


def _balanced_norm(M: Complex) -> float:
    return float(balanced_norm(M[None])[0])


def _largest_alias(opened: OpenedLoop, frequency: float) -> float:
    """Return the one of the frequencies coupled by a periodic loop at which S - 1/2 is largest."""
    p, c = opened.repeats, len(opened.channels)
    centred = opened.sensitivity([frequency])[0] - 0.5 * np.eye(p * c)
    m = int(np.argmax([_balanced_norm(centred[c * k : c * (k + 1), c * k : c * (k + 1)]) for k in range(p)]))
    turn = 2.0 * np.pi / opened.sample
    return abs((frequency + m * turn + 0.5 * p * turn) % (p * turn) - 0.5 * p * turn)


def _worst(
    size: "Callable[[float], float]", frequencies: Array, sizes: Array, *, exact: bool = False, within: float = 1e-9
) -> tuple[float, float]:
    """Return the maximum over frequency and its location, refined around the highest grid points.

    With `exact`, the values on the grid are upper bounds, and every point that may be the maximum is evaluated.
    within: relative accuracy of the frequency.
    """
    order = np.argsort(-sizes)
    best, at = 0.0, int(order[0])
    for n in order:
        if best >= sizes[n]:
            break
        value = size(float(frequencies[n])) if exact else float(sizes[n])
        if value > best:
            best, at = value, int(n)
    where = float(frequencies[at])
    for n in (at, *(n for n in highest(sizes) if n != at)):
        value, there = refined(size, frequencies, n, within=within)
        if value > best:
            best, where = value, there
    return best, where
