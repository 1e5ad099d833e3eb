"""CZML for Cesium: a spacecraft with its attitude on its orbit around the Earth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....controllers.laws.files.whole_file import WholeFiles
from ....plant.attitude import quaternion_product
from ....plant.checks import vector
from ....plant.errors import InputError
from .epochs import moment
from .kvn import word
from .rows import row_dates

if TYPE_CHECKING:
    from ...results.run import Run

Array = NDArray[np.float64]

J2000 = np.datetime64("2000-01-01T12:00:00", "ns")
DAY = 86400.0


def earth_angle(epoch: np.datetime64, t: Array) -> Array:
    """Return Greenwich mean sidereal time as an angle, rad, at times (n,) s after a UT1 epoch.

    The formula is GMST 1982 (Aoki et al. 1982), evaluated in degrees with the day in two parts.
    """
    whole = float((epoch - J2000).astype(np.int64)) * 1e-9 / DAY
    days = whole + np.asarray(t) / DAY
    centuries = days / 36525.0
    turned = 280.46061837 + 360.98564736629 * whole + 360.98564736629 * (np.asarray(t) / DAY)
    return np.radians((turned + 0.000387933 * centuries**2 - centuries**3 / 38710000.0) % 360.0)


def write_czml(
    run: Run,
    path: str | Path,
    *,
    epoch: str,
    object_name: str = "craft",
    position: ArrayLike | None = None,
    speed: float = 10.0,
) -> Path:
    """Write a run as CZML for Cesium: attitude, orbit if there is one, and the clock.

    CZML requires orientations from body axes to Earth-fixed axes, scalar last, whatever the frame of the positions.
    Attitude and orbit are therefore rotated to Earth-fixed axes by Greenwich mean sidereal time, with the epoch taken
    as UT1. Precession and nutation since J2000, a third of a degree in 2026, are neglected.

    Parameters
    ----------
    run : Run
        The run. Its inertial axes are taken as those of the mean equator and equinox, with z along the Earth's axis.
    path : str or path
        The file.
    epoch : str
        Date of t = 0 in UTC, such as "2026-03-20T12:00:00".
    object_name : str
        Name of the spacecraft, shown as its label.
    position : array_like, shape (3,), optional
        Position of the spacecraft if the run has no orbit, in Earth-fixed axes, m, such as (42164e3, 0, 0).
    speed : float
        Initial playback speed: simulated seconds per second.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        When a position is missing although the run has no orbit, or given although it has one, when the epoch is not a
        date, or when a leap second falls within the run.
    SaveError
        When the file cannot be written.
    """
    rows = row_dates(run, epoch, "UTC")
    angle = earth_angle(moment(epoch), run.t)
    half = 0.5 * angle[:, None]
    back = np.hstack((np.cos(half), np.zeros((len(half), 2)), -np.sin(half)))
    e = np.array([quaternion_product(b, q) for b, q in zip(back, run.values("attitude"), strict=True)])
    start, stop = f"{rows[0]}Z", f"{rows[-1]}Z"
    shown: dict[str, Any] = {"epoch": start, "interpolationAlgorithm": "LINEAR"}
    t = run.t - run.t[0]
    if "position" in run.names:
        if position is not None:
            raise InputError("the run has an orbit, so position is not used; omit it")
        c, s = np.cos(angle), np.sin(angle)
        x, y, z = run.values("position").T
        places = np.column_stack((c * x + s * y, c * y - s * x, z))
        placed: dict[str, Any] = {
            "epoch": start, "interpolationAlgorithm": "LAGRANGE", "interpolationDegree": min(5, len(t) - 1),
            "referenceFrame": "FIXED", "cartesian": _tagged(t, places),
        }  # fmt: skip
    elif position is None:
        raise InputError(
            "the run has no orbit, and the spacecraft would be at the centre of the Earth; state its "
            "position (m, Earth-fixed axes), such as position=(42164e3, 0, 0)"
        )
    else:
        placed = {"referenceFrame": "FIXED", "cartesian": vector("position", position, unit="m").tolist()}
    clock = {"interval": f"{start}/{stop}", "currentTime": start, "multiplier": float(speed), "range": "LOOP_STOP"}
    packets = [
        {"id": "document", "name": word("object_name", object_name), "version": "1.0", "clock": clock},
        {
            "id": object_name, "name": object_name, "availability": f"{start}/{stop}", "position": placed,
            "orientation": {**shown, "unitQuaternion": _tagged(t, e[:, [1, 2, 3, 0]])},
            "box": {"dimensions": {"cartesian": [2.0, 1.0, 1.0]}},
            "point": {"pixelSize": 6}, "label": {"text": object_name, "pixelOffset": {"cartesian2": [8.0, 8.0]}},
        },
    ]  # fmt: skip
    target = Path(path)
    with WholeFiles() as files:
        files.part(target).write_text(json.dumps(packets, indent=1) + "\n", encoding="utf-8")
    return target


def _tagged(t: Array, rows: Array) -> Sequence[float]:
    return np.column_stack((t, rows)).ravel().tolist()
