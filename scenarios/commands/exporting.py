"""``polhode export``: the law of a case as flight code or application; ``polhode fmu``: its craft as a unit."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ...plant.errors import InputError
from ..case.loader import load_case
from ..case.located import located
from ..objects.problem import Problem, build

__all__ = ["export_case", "export_unit"]

ALLOCATION = "allocation"


def export_case(
    case: str,
    *,
    overrides: Iterable[str],
    json: bool,
    law: Path | None,
    block: tuple[str, Path] | None,
    float32: bool,
    samples: int,
    wrapper: str | None = None,
    out: Path | None = None,
) -> int:
    """Write C99 with a header, test vectors and rules of make that replay them.

    overrides: ``key.path=value``.
    json: whether the files are told as one JSON object.
    law: the file of C for the law; block: the name of a block and its file; one of the two at least. The block
        "allocation" of a craft with wheels is how they share the command.
    float32: whether the code reckons in float.
    samples: how many samples of the case's own run are replayed.
    wrapper: "cfs" or "fprime" for the law as an application of that flight software; out: its folder.
    -> 0. Raises InputError when the case has no law, or what is asked for has no C.
    """
    from ...controllers import wheel_shares
    from ...sim import export_code, export_wrapper
    from ..report.json_text import dump

    _check_request(law=law, block=block, wrapper=wrapper, out=out)
    loaded = load_case(case, overrides)
    with located(loaded.source):
        problem = build(loaded.case)
        if problem.law is None:
            raise InputError("no controller: there is no law to export; give the case a [controller]")
        flight = _flight(problem)
        unnamed = ALLOCATION not in {each.name for each in problem.blocks}
        if unnamed and block is not None and block[0] == ALLOCATION and problem.craft.torques.internal:
            shares = wheel_shares(problem.craft, sample=problem.law.sample, name=ALLOCATION)
            flight["blocks"] = (*problem.blocks, shares)
        files: list[Path] = []
        if wrapper is not None:
            files += export_wrapper(
                problem.craft, problem.law, wrapper=wrapper, path=out, flight=flight, float32=float32, samples=samples,
                progress=_say,
            )  # fmt: skip
        for name, path in (("", law), block or ("", None)):
            if path is not None:
                files += export_code(
                    problem.craft, problem.law, path=path, flight=flight, block=name, float32=float32, samples=samples,
                    progress=_say,
                )  # fmt: skip
    if json:
        sys.stdout.write(dump({"case": loaded.name, "files": [str(file) for file in files]}) + "\n")
    else:
        for file in files:
            sys.stdout.write(f"{file}\n")
    return 0


def _check_request(*, law: Path | None, block: tuple[str, Path] | None, wrapper: str | None, out: Path | None) -> None:
    """Raise InputError when the options name nothing to export, or do not go together."""
    if wrapper is not None and block is not None:
        raise InputError(
            "--wrapper writes the law of a case, whose messages carry what its blocks compute; export the block as "
            "flight code, --block NAME block.c, without --wrapper"
        )
    if wrapper is None and out is not None:
        raise InputError("--out is the folder of --wrapper cfs or --wrapper fprime; flight code names its file itself")
    if law is None and block is None and wrapper is None:
        raise InputError("say what to export: --law law.c, --block NAME block.c, or --wrapper cfs|fprime")


def export_unit(
    case: str,
    *,
    overrides: Iterable[str],
    json: bool,
    out: Path | None,
    fmi: int,
    plant: bool,
    law: bool,
    platforms: str,
) -> int:
    """Write the craft of a case, in its closed loop if it has a law, as a functional mock-up unit, or a system of two.

    overrides: ``key.path=value``.
    json: whether the file is told as one JSON object.
    out: the archive; the name of the case with .fmu if None; ending in .ssp it is a system of plant and law.
    fmi: version of the standard, 2 or 3.
    plant: whether the law is left out and its torque an input; law: whether the craft is left out.
    platforms: of the libraries, with commas between them; this machine if empty.
    -> 0. Raises InputError when something in the case has no C.
    """
    from ...controllers.files.plant_fingerprint import flown_fingerprint
    from ...sim import export_fmu, export_ssp
    from ..report.json_text import dump

    loaded = load_case(case, overrides)
    target = Path(f"{loaded.name}.fmu") if out is None else out
    if plant and (law or target.suffix == ".ssp"):
        raise InputError("--plant leaves the law out, which --law and a system structure (.ssp) hold; give one of them")
    if law and target.suffix == ".ssp":
        raise InputError("--law writes one unit, and a system structure (.ssp) has two; give one of them")
    with located(loaded.source):
        problem = build(loaded.case, with_law=not plant)
        if problem.law is None and (law or target.suffix == ".ssp"):
            raise InputError("no controller: there is no law to export; give the case a [controller]")
        told: dict[str, Any] = {
            "path": target, "flight": _flight(problem), "fmi": fmi, "name": loaded.name, "progress": _say,
        }  # fmt: skip
        told["platforms"] = [each.strip() for each in platforms.split(",") if each.strip()]
        parts: Sequence[str] = ()
        if problem.law is not None and target.suffix == ".ssp":
            export_ssp(problem.craft, problem.law, **told)
            return _told(loaded.name, target, json=json)
        parts = export_fmu(problem.craft, problem.law, law_alone=law, **told)
        fingerprint = flown_fingerprint(problem.craft, problem.law, problem.state)
    libraries = [part for part in parts if part.startswith("binaries/")]
    if json:
        told = {"case": loaded.name, "file": str(target), "fmi": fmi, "plant_fingerprint": fingerprint}
        sys.stdout.write(dump({**told, "libraries": libraries}) + "\n")
    else:
        sys.stdout.write(f"{target}\n")
        if not libraries:
            sys.stderr.write("polhode: no C compiler was found, so it holds sources and no library\n")
    return 0


def _told(name: str, target: Path, *, json: bool) -> int:
    """Say which file there is."""
    from ..report.json_text import dump

    sys.stdout.write((dump({"case": name, "file": str(target)}) if json else str(target)) + "\n")
    return 0


def _say(words: str) -> None:
    """Write one line on what is done next: exports take seconds, also without a terminal."""
    sys.stderr.write(f"polhode: {words}\n")
    sys.stderr.flush()


def _flight(problem: Problem) -> dict[str, Any]:
    """What `simulate` would be given, but for the rows."""
    if "accuracy" in problem.settings:
        raise InputError(
            "run.accuracy_deg: flies a case several times, and what is exported flies once; give run.integrator with "
            "run.step_s or run.rtol in its place"
        )
    return {
        **{key: value for key, value in problem.settings.items() if key != "output"},
        "state": problem.state,
        "reference": problem.reference,
        "torques": problem.pulses,
        "blocks": problem.blocks,
    }
