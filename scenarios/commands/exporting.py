"""``polhode export``: the law of a case, or a block beside it, as flight code."""

import sys
from collections.abc import Iterable
from pathlib import Path

from ...plant.errors import InputError
from ..case.loader import load_case
from ..case.located import located
from ..objects.problem import build

__all__ = ["export_case"]


def export_case(
    case: str,
    *,
    overrides: Iterable[str],
    json: bool,
    law: Path | None,
    block: tuple[str, Path] | None,
    float32: bool,
    samples: int,
) -> int:
    """Write C99 with a header, test vectors and rules of make that replay them.

    overrides: ``key.path=value``.
    json: whether the files are told as one JSON object.
    law: the file of C for the law; block: the name of a block and its file; one of the two at least.
    float32: whether the code reckons in float.
    samples: how many samples of the case's own run are replayed.
    -> 0. Raises InputError when the case has no law, or what is asked for has no C.
    """
    from ...sim import export_code
    from ..report.json_text import dump

    if law is None and block is None:
        raise InputError("say what to export: --law law.c, or --block NAME block.c")
    loaded = load_case(case, overrides)
    with located(loaded.source):
        problem = build(loaded.case)
        if problem.law is None:
            raise InputError("no controller: there is no law to export; give the case a [controller]")
        settings = {key: value for key, value in problem.settings.items() if key != "output"}
        flight = {
            **settings,
            "state": problem.state,
            "reference": problem.reference,
            "torques": problem.pulses,
            "blocks": problem.blocks,
        }
        files: list[Path] = []
        for name, path in (("", law), block or ("", None)):
            if path is not None:
                files += export_code(
                    problem.craft, problem.law, path=path, flight=flight, block=name, float32=float32, samples=samples
                )
    if json:
        sys.stdout.write(dump({"case": loaded.name, "files": [str(file) for file in files]}) + "\n")
    else:
        for file in files:
            sys.stdout.write(f"{file}\n")
    return 0
