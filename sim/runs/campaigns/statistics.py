"""Statistics of samples: confidence of a probability, required number of runs, rank correlation."""

from __future__ import annotations

from importlib import import_module
from math import ceil, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import finite
from ....plant.errors import InputError

Array = NDArray[np.float64]


def clopper_pearson(passed: int, runs: int, *, confidence: float = 0.9) -> tuple[float, float]:
    """Return the confidence interval of a success probability from independent runs.

    Parameters
    ----------
    passed, runs : int
        Number of successes and number of runs.
    confidence : float
        Probability that the interval contains the true value; the remainder is split equally between both sides.

    Returns
    -------
    tuple of float
        Lower and upper ends.

    Raises
    ------
    InputError
        When there are no runs, more successes than runs, or the confidence is not inside (0, 1).

    Notes
    -----
    Clopper & Pearson (1934): exact, from the beta distribution.

    Examples
    --------
    >>> low, high = clopper_pearson(98, 100, confidence=0.95)
    >>> round(low, 4), round(high, 4)
    (0.9296, 0.9976)
    """
    from scipy.special import betaincinv

    if not 0 <= passed <= runs or runs < 1:
        raise InputError(f"passed must be between 0 and runs, and runs at least 1; got {passed} of {runs}")
    tail = 0.5 * (1.0 - _share("confidence", confidence))
    low = 0.0 if passed == 0 else float(betaincinv(passed, runs - passed + 1, tail))
    high = 1.0 if passed == runs else float(betaincinv(passed + 1, runs - passed, 1.0 - tail))
    return low, high


def one_sided(passed: int, runs: int, *, confidence: float = 0.9) -> tuple[float, float]:
    """Return the two one-sided confidence bounds of a success probability from independent runs.

    Parameters
    ----------
    passed, runs : int
        Number of successes and number of runs.
    confidence : float
        Confidence of each bound: the probability that the true value is above the lower bound, and likewise that it is
        below the upper bound.

    Returns
    -------
    tuple of float
        Lower bound and upper bound.

    Raises
    ------
    InputError
        As in `clopper_pearson`. For c > 1/2, the ends of its interval with confidence 2 c - 1 equal these bounds.

    Examples
    --------
    >>> low, high = one_sided(392, 500, confidence=0.9)
    >>> round(low, 3), round(high, 3)
    (0.759, 0.808)
    """
    from scipy.special import betaincinv

    sure = _share("confidence", confidence)
    clopper_pearson(passed, runs)  # rejects a value that is not a count
    low = 0.0 if passed == 0 else float(betaincinv(passed, runs - passed + 1, 1.0 - sure))
    high = 1.0 if passed == runs else float(betaincinv(passed + 1, runs - passed, sure))
    return low, high


def runs_needed(share: float, *, confidence: float = 0.9, failures: int = 0) -> int:
    """Return the number of runs that demonstrate a success probability.

    Parameters
    ----------
    share : float
        Success probability to demonstrate, such as 0.997.
    confidence : float
        Confidence of the claim.
    failures : int
        Number of allowed failures.

    Returns
    -------
    int
        Smallest number of runs for which the one-sided lower bound reaches `share` with this number of failures.

    Raises
    ------
    InputError
        When share or confidence is not inside (0, 1), or failures is negative.

    Examples
    --------
    >>> runs_needed(0.997, confidence=0.9), runs_needed(0.997, confidence=0.9, failures=1)
    (767, 1296)
    """
    from scipy.special import bdtr

    p, level = _share("share", share), 1.0 - _share("confidence", confidence)
    if failures < 0:
        raise InputError(f"failures must be 0 or more; got {failures}")
    low, high = failures, max(failures + 1, ceil(log(level) / log(p)))
    while bdtr(failures, high, 1.0 - p) > level:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bdtr(failures, middle, 1.0 - p) > level else (low, middle)
    return high


def chance_correlation(pairs: int, tried: int = 1, *, confidence: float = 0.95) -> float:
    """Return the significance threshold of the rank correlation of independent columns.

    Parameters
    ----------
    pairs : int
        Number of pairs of values, at least 4.
    tried : int
        Number of columns compared with one column; the threshold holds for the largest correlation (Bonferroni).
    confidence : float
        Probability that no independent column exceeds the threshold.

    Returns
    -------
    float
        Threshold, from Student's distribution of r sqrt((n - 2) / (1 - r^2)) (Kendall & Stuart 1973, section 31.19).

    Raises
    ------
    InputError
        When there are fewer than 4 pairs, or no column.

    Examples
    --------
    >>> round(chance_correlation(100), 3), round(chance_correlation(100, 10), 3)
    (0.197, 0.279)
    """
    from scipy.special import stdtrit

    if pairs < 4 or tried < 1:
        raise InputError(f"a chance correlation requires at least 4 pairs and a column; got {pairs} and {tried}")
    tail = 0.5 * (1.0 - _share("confidence", confidence)) / tried
    t = float(stdtrit(pairs - 2, 1.0 - tail))
    return t / (pairs - 2 + t * t) ** 0.5


def rank_correlation(x: ArrayLike, y: ArrayLike) -> float:
    """Return Spearman's rank correlation of two columns.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Columns. Pairs with a nan are omitted; ties get their mean rank.

    Returns
    -------
    float
        Coefficient from -1 to 1; nan for fewer than 3 pairs, or if a column does not vary.
    """
    stats: Any = import_module("scipy.stats")
    ranked = stats.rankdata
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    there = np.isfinite(a) & np.isfinite(b)
    if there.sum() < 3:
        return float("nan")
    r, s = (np.asarray(ranked(column[there]), dtype=np.float64) for column in (a, b))
    r, s = r - r.mean(), s - s.mean()
    size = float(np.sqrt((r @ r) * (s @ s)))
    return float(r @ s) / size if size > 0.0 else float("nan")


def _share(name: str, value: float) -> float:
    if not 0.0 < finite(name, value) < 1.0:
        raise InputError(f"{name} must lie inside 0 and 1; got {value:g}")
    return float(value)
