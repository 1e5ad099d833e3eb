"""Tables of a source document: printed values, exact values and values measured from the run.

Amplitudes, periods and frequencies are measured from a cubic spline through the rows of the run, as if read from a
plot.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import to_euler_angles
from .spline import Spline

if TYPE_CHECKING:
    from ...sim import Run

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """One quantity in the table of a source document.

    document: printed value; "exact / numerical" if the document prints both.
    exact: reference value, by default a closed form.
    polhode: value measured from the run.
    note: explanation of an error in the printed value; empty if there is none.
    reference: source of `exact`, if it is not a closed form.
    """

    quantity: str
    document: str
    exact: float
    polhode: float
    note: str = ""
    reference: str = "exact"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: the six fields."""
        return {
            "quantity": self.quantity,
            "document": self.document,
            "exact": self.exact,
            "polhode": self.polhode,
            "note": self.note or None,
            "reference": self.reference,
        }


def document_table(name: str, run: "Run") -> list[TableRow]:
    """Return the rows of the source document's table for a case.

    name: name of a shipped case; run: run of this case. Returns an empty list if the document has no table for the
    case, or if the run is too short or too coarse to measure the values.
    """
    from .arm_table import ARM_TABLES

    tables = {**TABLES, **ARM_TABLES}
    if name not in tables or run.status != "completed" or run.t.size < 50:
        return []
    rows = tables[name](run)
    return rows if all(np.isfinite(row.polhode) for row in rows) else []


def document_warnings(name: str) -> list[str]:
    """Return warnings about wrong printed values in the source document of a case.

    name: name of a shipped case. Returns one sentence per warning; an empty list for most cases.
    """
    from .arm_table import ARM_WARNINGS

    return list(ARM_WARNINGS.get(name, ()))


def extremes(t: Array, values: Array) -> tuple[float, float]:
    """Return the smallest and largest value, interpolated between the rows."""
    return Spline(t, values).extremes


def mean_period(t: Array, values: Array) -> float:
    """Return the mean period between crossings of the middle level in the same direction.

    Returns NaN if there are too few crossings.
    """
    return Spline(t, values).mean_period


def _disk(run: "Run") -> list[TableRow]:
    from scipy.special import ellipk

    momentum = run.values("momentum")[:, 2]
    return [
        TableRow(
            quantity="largest momentum (N m s)",
            document="plotted",
            exact=float(np.sqrt(5.0)),
            polhode=extremes(run.t, momentum)[1],
        ),
        TableRow(
            quantity="period (s)",
            document="plotted",
            exact=float(4.0 * ellipk(0.25) / np.sqrt(5.0)),
            polhode=mean_period(run.t, momentum),
            note="(46) has k r for k r^2; with r = 1 m the figures do not show the error",
        ),
    ]


def _free_body(run: "Run") -> list[TableRow]:
    from ...plant.attitude.free_motion import FreeMotion

    motion = FreeMotion(run.craft.body.inertia, rate=run.values("rate")[0])
    # the closed form orders its axes by moment of inertia
    rank = np.argsort(np.argsort(np.diag(run.craft.body.inertia)))
    amplitudes = np.abs(motion.amplitudes)[rank]
    few = run.t <= 20.0 * motion.period  # a plot shows at most this many periods
    splines = [Spline(run.t[few], component) for component in run.values("momentum")[few].T]
    printed = ("346.4102 / 346.38", "365.447 / 365.44", "200.0 / 199.975")
    rows = [
        TableRow(
            quantity=f"amplitude of h{n + 1} (N m s)",
            document=printed[n],
            exact=float(amplitudes[n]),
            polhode=max(abs(value) for value in splines[n].extremes),
        )
        for n in range(3)
    ]
    rows += [
        TableRow(
            quantity="period of h1 (s)", document="9.3393 / 9.35", exact=motion.period, polhode=splines[0].mean_period
        ),
        TableRow(
            quantity="period of h2 (s)",
            document="18.6786 / 18.68",
            exact=2.0 * motion.period,
            polhode=splines[1].mean_period,
        ),
        TableRow(
            quantity="period of h3 (s)",
            document="18.6786 / 18.68",
            exact=2.0 * motion.period,
            polhode=splines[2].mean_period,
            note="printed as a second 'period of h2'",
        ),
        TableRow(
            quantity="minimum of h1 (N m s)",
            document="162.6296 / 162.6342",
            exact=float(motion.smallest),
            polhode=splines[0].extremes[0],
            note="the exact minimum rounds to 162.6297",
        ),
    ]
    return rows


def _top(run: "Run") -> list[TableRow]:
    from ...plant.attitude.free_motion import heavy_top

    exact = heavy_top(5.0, 1.0, weight_moment=20.0, axial_momentum=50.0, tilt=0.3)
    angles = to_euler_angles(run.values("attitude"), "3-1-3")
    nutation = mean_period(run.t, angles[:, 1])
    turned = np.unwrap(angles[:, 0])
    # average over complete nutation periods, so that the nutation cancels
    whole = np.floor(run.t[-1] / nutation) * nutation if np.isfinite(nutation) else float("nan")
    precession = float((Spline(run.t, turned)(whole) - turned[0]) / whole)
    note = "the values in Table 5 are read from a plot"
    return [
        TableRow(
            quantity="nutation (rad/s)",
            document="10 (estimate) / 9.24",
            exact=exact.nutation_frequency,
            polhode=2.0 * float(np.pi) / nutation,
            note=note,
        ),
        TableRow(
            quantity="mean precession (rad/s)",
            document="0.4 (estimate) / 0.4136",
            exact=exact.mean_precession,
            polhode=precession,
            note=note,
        ),
    ]


TABLES: Mapping[str, Callable[["Run"], list[TableRow]]] = {
    "disk-on-spring": _disk,
    "spinning-top": _top,
    "torque-free": _free_body,
}
"""Function that returns the table of the document, by case name."""
