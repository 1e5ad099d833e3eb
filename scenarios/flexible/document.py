"""What Choi (2014), chapter 4, prints of its two cases, beside two independent codes and the run.

The references are a floating frame with cantilever modes and geometrically exact beams; they agree to the digits given.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import rotation_matrix
from ..document_tables import TableRow
from .flight import Flight

__all__ = ["DOCUMENT_ROWS", "DOCUMENT_WARNINGS", "document_rows", "document_warnings"]

Array = NDArray[np.float64]

_AGREED = "two other codes"
_NAN = float("nan")


def document_rows(name: str, flight: Flight) -> list[TableRow]:
    """Return the document's figures for a case.

    Parameters
    ----------
    name : str
        The case's name.
    flight : Flight
        What was flown.

    Returns
    -------
    list of TableRow
        Empty for a case without any, or a run too short for them.
    """
    if name not in DOCUMENT_ROWS or flight.run.status != "completed" or flight.run.t.size < 50:
        return []
    rows = DOCUMENT_ROWS[name](flight)
    return rows if all(np.isfinite(row.polhode) for row in rows) else []


def document_warnings(name: str) -> list[str]:
    """Return what the user must know of the document's printed figures.

    Parameters
    ----------
    name : str
        The case's name.

    Returns
    -------
    list of str
        Sentences.
    """
    return list(DOCUMENT_WARNINGS.get(name, ()))


def _row(quantity: str, document: str, exact: float, polhode: float, note: str = "") -> TableRow:
    return TableRow(quantity=quantity, document=document, exact=exact, polhode=polhode, note=note, reference=_AGREED)


def _angles(flight: Flight) -> Array:
    return np.degrees(flight.run.euler_angles("1-2-3"))


def _at(t: Array, values: Array, when: float) -> float:
    from scipy.interpolate import CubicSpline

    return float(CubicSpline(t, values)(when)) if t[-1] >= when * (1.0 - 1e-12) else _NAN


def _highest(t: Array, values: Array) -> tuple[float, float]:
    """Where and how high a curve through the rows is highest, between its ends."""
    from scipy.interpolate import CubicSpline

    k = int(values.argmax())
    if not 0 < k < t.size - 1:
        return _NAN, _NAN
    spline = CubicSpline(t[max(0, k - 5) : k + 6], values[max(0, k - 5) : k + 6])
    turning = np.asarray(spline.derivative().roots(extrapolate=False), dtype=np.float64)
    if turning.size == 0:
        return _NAN, _NAN
    best = float(turning[np.asarray(spline(turning)).argmax()])
    return best, float(spline(best))


def _passes(flight: Flight, degrees: float) -> float:
    """When the beams have turned by an angle about inertial y, in the plane of inertial x and z."""
    R = rotation_matrix(flight.run.values("attitude"))
    turned = np.degrees(np.abs(np.unwrap(np.arctan2(-R[:, 2, 0], R[:, 0, 0]))))
    beyond = np.flatnonzero(turned >= degrees)
    if beyond.size == 0 or beyond[0] < 3:
        return _NAN
    from scipy.interpolate import PchipInterpolator

    around = slice(int(beyond[0]) - 3, int(beyond[0]) + 3)
    return float(PchipInterpolator(turned[around], flight.run.t[around])(degrees))


_FREE = (
    "free motion at the initial rates is the same in every code: the second angle never reaches 90 deg, and the beams "
    "pass 90 and 270 deg at 3.081 s and 9.242 s"
)
_FORCED = "the second angle never reaches 90 deg; the beams pass it at 5.631 s"


def _free(flight: Flight) -> list[TableRow]:
    t, angles = flight.run.t, _angles(flight)
    when, height = _highest(t, angles[:, 1])
    return [
        _row("first angle at 2.5 s (deg)", "plotted", 21.497399, _at(t, angles[:, 0], 2.5)),
        _row("second angle at 2.5 s (deg)", "90", 72.783884, _at(t, angles[:, 1], 2.5), _FREE),
        _row("third angle at 2.5 s (deg)", "plotted", -9.710439, _at(t, angles[:, 2], 2.5)),
        _row("largest second angle (deg)", "90", 83.8017, height, _FREE),
        _row("... at (s)", "2.5", 3.040, when, _FREE),
        _row("beams at 90 deg (s)", "2.5", 3.08058, _passes(flight, 90.0), _FREE),
        _row("beams at 270 deg (s)", "6.7", 9.24175, _passes(flight, 270.0), _FREE),
        _row("energy (J)", "-", 5.638663693331157, float(flight.run.values("energy")[-1])),
    ]


def _forced(flight: Flight) -> list[TableRow]:
    t, angles = flight.run.t, _angles(flight)
    when, height = _highest(t, angles[:, 1])
    tip = np.abs(flight.run.values("tip_deflection")[:, 0, 2])
    return [
        _row("first angle at 3 s (deg)", "plotted", 13.713539, _at(t, angles[:, 0], 3.0)),
        _row("second angle at 3 s (deg)", "plotted", 45.372325, _at(t, angles[:, 1], 3.0)),
        _row("third angle at 3 s (deg)", "plotted", 6.886417, _at(t, angles[:, 2], 3.0)),
        _row("largest second angle (deg)", "90", 81.5531, height, _FORCED),
        _row("... at (s)", "5", 5.467, when, _FORCED),
        _row("beams at 90 deg (s)", "5", 5.6306, _passes(flight, 90.0), _FORCED),
        _row("largest deflection of a tip (mm)", "plotted", 0.20355, 1e3 * float(tip.max())),
    ]


DOCUMENT_ROWS: Mapping[str, Callable[[Flight], list[TableRow]]] = {
    "flexible-satellite-free": _free,
    "flexible-satellite-torque": _forced,
}
"""The document's figures by the name of the case."""

_FREE_WARNING = (
    "the document says that the second Euler angle reaches 90 deg at 2.5 s and 270 deg at 6.7 s; from its own "
    "initial rates it is at most 83.80 deg, at 3.040 s, and the beams pass 90 and 270 deg at 3.081 s and 9.242 s"
)
_FORCED_WARNING = (
    "the document says that the second Euler angle reaches 90 deg at 5 s; from its own initial rates and torque it is "
    "at most 81.55 deg, at 5.467 s, and the beams pass 90 deg at 5.631 s"
)

DOCUMENT_WARNINGS: Mapping[str, tuple[str, ...]] = {
    "flexible-satellite-free": (_FREE_WARNING,),
    "flexible-satellite-torque": (_FORCED_WARNING,),
}
"""What is wrong with the printed times, by the name of the case."""
