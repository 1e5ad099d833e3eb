"""Attitude ephemeris messages (AEM, CCSDS 504.0-B) in keyword-value notation (KVN)."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import UNIT
from ....plant.errors import InputError
from .epochs import seconds
from .history import AttitudeHistory
from .kvn import one_segment, read_message, word, write_message
from .rows import created, row_dates, rows_of_numbers

if TYPE_CHECKING:
    from ...results.run import Run


Array = NDArray[np.float64]


def write_aem(
    run: "Run",
    path: str | Path,
    *,
    epoch: str,
    object_name: str = "CRAFT",
    object_id: str = "UNKNOWN",
    originator: str = "POLHODE",
    frame: str = "EME2000",
    body_frame: str = "SC_BODY_1",
    time_system: str = "UTC",
) -> Path:
    """Write the attitude of a run as an attitude ephemeris message.

    The message contains the quaternion Q1 Q2 Q3 QC, scalar last (QUATERNION_TYPE = LAST), of the rotation from the
    inertial frame to the body frame (ATTITUDE_DIR = A2B). With e = (e0, e1, e2, e3) from the run, where
    a_inertial = R(e) a_body, the message contains e1 e2 e3 e0. The message has version 1.0, which states order and
    direction in keywords; version 2.0 of 2024 implies the same order and direction.

    Parameters
    ----------
    run : Run
        The run; each output row becomes a line.
    path : str or path
        The file.
    epoch : str
        Date of t = 0, such as "2026-03-20T12:00:00".
    object_name, object_id : str
        Name and identifier of the spacecraft; the identifier is the international designator, such as "2026-001A", if
        there is one.
    originator : str
        Originator of the message.
    frame, body_frame : str
        CCSDS (SANA) names of the inertial frame of the run and of the body frame.
    time_system : str
        Time system of the epoch: "UTC", "TAI", "GPS", "TT", "TDB", "TCB" or "UT1".

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        When the epoch is not a date, a leap second falls within the run, or a name is not a line of ASCII.
    SaveError
        When the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from polhode import plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> run = sim.simulate(craft, rate=(0.1, 2.0, 0.1), duration=1.0, output_step=0.5, compiled=False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = sim.write_aem(run, f"{folder}/craft.aem", epoch="2026-03-20T12:00:00")
    ...     read = sim.read_aem(file)
    >>> read.t.tolist(), bool((read.attitude == run.values("attitude")).all())
    ([0.0, 0.5, 1.0], True)
    """
    rows = row_dates(run, epoch, time_system)
    e = run.values("attitude").tolist()
    lines = (f"{when} {q[1]!r} {q[2]!r} {q[3]!r} {q[0]!r}" for when, q in zip(rows, e, strict=True))
    header = {
        "CCSDS_AEM_VERS": "1.0",
        "COMMENT": "quaternions are Q1 Q2 Q3 QC, scalar last, from REF_FRAME_A to REF_FRAME_B",
        "CREATION_DATE": created(),
        "ORIGINATOR": word("originator", originator),
    }
    meta = {
        "OBJECT_NAME": word("object_name", object_name),
        "OBJECT_ID": word("object_id", object_id),
        "REF_FRAME_A": word("frame", frame),
        "REF_FRAME_B": word("body_frame", body_frame),
        "ATTITUDE_DIR": "A2B",
        "TIME_SYSTEM": time_system,
        "START_TIME": rows[0],
        "STOP_TIME": rows[-1],
        "ATTITUDE_TYPE": "QUATERNION",
        "QUATERNION_TYPE": "LAST",
    }
    return write_message(path, header, meta, lines, bracket=True)


def read_aem(path: str | Path, *, segment: int | None = None) -> AttitudeHistory:
    """Return the attitudes of an attitude ephemeris message.

    The function accepts version 1.0, with any direction and order of the quaternion, and version 2.0, in which the
    scalar is last and the rotation is from frame A to frame B. REF_FRAME_A is the body frame if its name begins with
    SC_, ACTUATOR or SENSOR; otherwise REF_FRAME_B is.

    Parameters
    ----------
    path : str or path
        The file, in keyword-value notation.
    segment : int, optional
        Index of the segment, from 0; required if there are several segments.

    Returns
    -------
    AttitudeHistory
        Attitudes, scalar first, from body to inertial axes.

    Raises
    ------
    InputError
        When the file is not an attitude ephemeris message, or has no quaternions or quaternions without unit norm.
    """
    version, segments = read_message(path, "CCSDS_AEM_VERS")
    wanted = ("REF_FRAME_A", "REF_FRAME_B", "TIME_SYSTEM", "ATTITUDE_TYPE")
    meta, rows = one_segment(path, segments, segment, wanted)
    kind = meta["ATTITUDE_TYPE"].upper()
    if not kind.startswith("QUATERNION"):
        raise InputError(f"{path}: contains {meta['ATTITUDE_TYPE']}; only quaternions are supported")
    old = version.startswith("1")
    order = meta.get("QUATERNION_TYPE", "" if old else "LAST").upper()
    way = meta.get("ATTITUDE_DIR", "" if old else "A2B").upper()
    for key, value, known in (("QUATERNION_TYPE", order, ("FIRST", "LAST")), ("ATTITUDE_DIR", way, ("A2B", "B2A"))):
        if value not in known:
            raise InputError(f"{path}: has {key} = {value or 'nothing'}; it must be {known[0]} or {known[1]}")
    when, numbers = rows_of_numbers(path, rows, 4)
    e = numbers[:, [3, 0, 1, 2]] if order == "LAST" else numbers
    norm = np.linalg.norm(e, axis=1)
    if not (np.abs(norm - 1.0) < UNIT).all():
        worst = int(np.argmax(np.abs(norm - 1.0)))
        raise InputError(f"{path}: the quaternion at {rows[worst][0]} has norm {norm[worst]:.9g}, not 1")
    e = e / norm[:, None]
    inertial, body = meta["REF_FRAME_A"], meta["REF_FRAME_B"]
    if inertial.upper().startswith(("SC_", "ACTUATOR", "SENSOR")):  # A is the body: the rotation to B is the inverse
        inertial, body, e = body, inertial, e * (1.0, -1.0, -1.0, -1.0)
    if way == "B2A":
        e = e * (1.0, -1.0, -1.0, -1.0)
    return AttitudeHistory(
        t=seconds(when[0], when), attitude=e, epoch=str(when[0]), time_system=meta["TIME_SYSTEM"], frame=inertial,
        body_frame=body, object_name=meta.get("OBJECT_NAME", ""), object_id=meta.get("OBJECT_ID", ""),
    )  # fmt: skip
