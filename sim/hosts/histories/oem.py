"""Orbit ephemeris messages (OEM, CCSDS 502.0-B) in keyword-value notation (KVN)."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....plant.checks import of_kind
from ....plant.errors import InputError
from .epochs import seconds
from .history import OrbitHistory
from .kvn import one_segment, read_message, word, write_message
from .rows import created, row_dates, rows_of_numbers

if TYPE_CHECKING:
    from ...results.run import Run

KM = 1e3


def write_oem(
    run: "Run",
    path: str | Path,
    *,
    epoch: str,
    object_name: str = "CRAFT",
    object_id: str = "UNKNOWN",
    originator: str = "POLHODE",
    frame: str = "EME2000",
    center: str = "EARTH",
    time_system: str = "UTC",
) -> Path:
    """Write the orbit of a run as an orbit ephemeris message of version 2.0, in km and km/s.

    Parameters
    ----------
    run : Run
        A run of a spacecraft that translates; each output row becomes a line.
    path : str or path
        The file.
    epoch : str
        Date of t = 0, such as "2026-03-20T12:00:00".
    object_name, object_id : str
        Name and identifier of the spacecraft; the identifier is the international designator, such as "2026-001A", if
        there is one.
    originator : str
        Originator of the message.
    frame, center : str
        CCSDS (SANA) name of the inertial frame of the run, and the body at its origin.
    time_system : str
        Time system of the epoch: "UTC", "TAI", "GPS", "TT", "TDB", "TCB" or "UT1".

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        When the craft does not translate, the epoch is not a date, a leap second falls within the run, or a name is not
        a line of ASCII.
    SaveError
        When the file cannot be written.
    """
    rows = row_dates(run, epoch, time_system)
    if "position" not in run.names:
        raise InputError("the run has no orbit: its spacecraft does not translate; use write_aem for its attitude")
    states = np.hstack((run.values("position"), run.values("velocity"))) / KM
    lines = (f"{when} {' '.join(map(repr, row))}" for when, row in zip(rows, states.tolist(), strict=True))
    header = {"CCSDS_OEM_VERS": "2.0", "CREATION_DATE": created(), "ORIGINATOR": word("originator", originator)}
    meta = {
        "OBJECT_NAME": word("object_name", object_name),
        "OBJECT_ID": word("object_id", object_id),
        "CENTER_NAME": word("center", center),
        "REF_FRAME": word("frame", frame),
        "TIME_SYSTEM": time_system,
        "START_TIME": rows[0],
        "STOP_TIME": rows[-1],
    }
    return write_message(path, header, meta, lines, bracket=False)


def read_oem(path: str | Path, *, segment: int | None = None) -> OrbitHistory:
    """Return the positions and velocities of an orbit ephemeris message; covariances are ignored.

    Parameters
    ----------
    path : str or path
        The file, in keyword-value notation.
    segment : int, optional
        Index of the segment, from 0; required if there are several segments.

    Returns
    -------
    OrbitHistory
        Positions in m and velocities in m/s.

    Raises
    ------
    InputError
        When the file is not an orbit ephemeris message.
    """
    if segment is not None:
        of_kind("segment", segment, int, such_as="a whole number")
    _, segments = read_message(path, "CCSDS_OEM_VERS")
    wanted = ("CENTER_NAME", "REF_FRAME", "TIME_SYSTEM")
    meta, rows = one_segment(path, segments, segment, wanted)
    when, numbers = rows_of_numbers(path, rows, 6)
    return OrbitHistory(
        t=seconds(when[0], when), position=KM * numbers[:, :3], velocity=KM * numbers[:, 3:], epoch=str(when[0]),
        time_system=meta["TIME_SYSTEM"], frame=meta["REF_FRAME"], center=meta["CENTER_NAME"],
        object_name=meta.get("OBJECT_NAME", ""), object_id=meta.get("OBJECT_ID", ""),
    )  # fmt: skip
