"""Subcommands `cans` and `bases`: print and draw the axes or torque bases of an Euler sequence."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...plant.checks import vector
from ...plant.errors import InputError
from ..pictures.picture_file import write_picture


def cans(sequence: str, angles_deg: Sequence[float], *, out: Path, json: bool = False) -> int:
    """Draw an Euler sequence as cans in series and print its axes.

    sequence: one of the twelve Euler sequences, such as "3-1-3".
    angles_deg (3,): Euler angles in the order of the sequence, deg.
    out: file of the figure; the suffix selects the format.
    json: print one JSON object in place of the table.
    Returns 0.
    Raises InputError if the sequence is unknown, an angle is not a finite number, or the file format is unknown, and
    SaveError if the file cannot be written.
    """
    from ..pictures import cans_in_series, draw_cans
    from ..pictures.sequences.cans_words import summary_of

    degrees = vector("--angles-deg", angles_deg, unit="deg")
    angles = np.radians(degrees)
    summary = {**summary_of(cans_in_series(sequence, angles)), "angles_deg": degrees.tolist()}
    write_picture(out, lambda: draw_cans(sequence, angles))
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump({**summary, "file": str(out)}) + "\n")
    else:
        from ..report.console_pictures import show_cans

        show_cans(summary, file=str(out))
    return 0


def bases(
    sequence: str,
    *,
    angles_deg: Sequence[float] | None = None,
    attitude: Sequence[float] | None = None,
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Print and draw the Euler basis and its dual at an attitude, with the verdicts of the theorems.

    sequence: one of the twelve Euler sequences, such as "3-1-3".
    angles_deg (3,): Euler angles in the order of the sequence, deg.
    attitude (4,): Euler parameters, scalar first, in place of the angles.
    out: file of the figure; the suffix selects the format.
    json: print one JSON object in place of the tables.
    Returns 0.
    Raises InputError if the sequence is unknown, not exactly one valid attitude is given, or the file format is
    unknown, and SaveError if the file cannot be written.
    """
    from ...plant.loads.torque import explore_bases

    if (angles_deg is None) == (attitude is None):
        raise InputError("give either --angles-deg A1 A2 A3 or --attitude E0 E1 E2 E3")
    degrees = None if angles_deg is None else vector("--angles-deg", angles_deg, unit="deg")
    angles = None if degrees is None else np.radians(degrees)
    found = explore_bases(sequence, angles=angles, attitude=attitude)
    if out is not None:
        from ..pictures import draw_bases

        write_picture(out, lambda: draw_bases(sequence, angles=angles, attitude=attitude))
    if json:
        from ..report.json_text import dump

        given = (
            {} if degrees is None else {"angles_deg": degrees.tolist()}
        )  # the angles as entered, instead of converted back from radians
        sys.stdout.write(dump({**found.to_dict(), **given, "file": None if out is None else str(out)}) + "\n")
    else:
        from ..report.console_pictures import show_bases

        show_bases(found, file=None if out is None else str(out))
    return 0
