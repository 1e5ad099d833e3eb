"""``polhode convert``: export attitude and orbit of a saved run in standard formats."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...plant.errors import InputError

WRITERS = {".aem": "write_aem", ".oem": "write_oem", ".czml": "write_czml"}


def convert_run(file: Path, *, json: bool, out: Path, epoch: str, given: dict[str, Any]) -> int:
    """Write attitude or orbit of a saved run in a standard format.

    file: the saved run. json: print the result as one JSON object. out: output file; the suffix selects the format
    (.aem, .oem or .czml). epoch: date of t = 0. given: additional keyword arguments of the writer; None: not given.
    Returns 0. Raises InputError if the suffix is unknown, or the format does not support an option.
    """
    from ... import sim
    from ..report.json_text import dump

    if out.suffix not in WRITERS:
        raise InputError(
            f"--out {out}: unknown format; the suffix must be .aem (attitude, CCSDS), .oem (orbit, CCSDS) or .czml "
            "(Cesium)"
        )
    writer: Callable[..., Path] = getattr(sim, WRITERS[out.suffix])
    options = {name: value for name, value in given.items() if value is not None}
    takes = writer.__annotations__
    for name in options:
        if name not in takes:
            option = name.replace("_", "-").replace("object-name", "name").replace("object-id", "id")
            raise InputError(f"--{option} does not apply to {out.suffix}; omit it")
    run = sim.load(file)
    writer(run, out, epoch=epoch, **options)
    if json:
        sys.stdout.write(dump({"file": str(out), "rows": int(run.t.size), "epoch": epoch}) + "\n")
    else:
        sys.stdout.write(f"{out}\n")
    return 0
