"""``polhode export``: write a law as flight code; ``polhode fmu``: write a closed loop as an FMU."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ...plant.errors import InputError
from ..case.kinds.problem import Problem, build
from ..case.loader import load_case
from ..case.located import located

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
    """Write C99 code with a header, test vectors, and make rules that replay the test vectors.

    At least one of law, block and wrapper is required.

    overrides: ``key.path=value``.
    json: print the names of the files as one JSON object.
    law: C file of the law.
    block: name of a block and its C file. The block "allocation" of a spacecraft with wheels distributes the command
        over the wheels.
    float32: use single precision in the code.
    samples: number of samples of the case's run in the test vectors.
    wrapper: "cfs" or "fprime", to write an application of this flight software.
    out: folder of the application.
    Returns 0. Raises InputError if the case has no law, or if a selected part cannot be written as C code.
    """
    from ...controllers import wheel_shares
    from ...sim import export_code, export_wrapper
    from ..report.json_text import dump

    _check_request(law=law, block=block, wrapper=wrapper, out=out)
    loaded = load_case(case, overrides)
    with located(loaded.source):
        problem = build(loaded.case)
        if problem.law is None:
            raise InputError("no controller: there is no law to export; add a [controller] to the case")
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
    """Raise InputError if the options select nothing to export or are inconsistent."""
    if wrapper is not None and block is not None:
        raise InputError(
            "--wrapper writes the law of a case only; export the block as "
            "flight code with --block NAME block.c, without --wrapper"
        )
    if wrapper is None and out is not None:
        raise InputError(
            "--out is the folder of --wrapper cfs or --wrapper fprime; --law and --block name their own files"
        )
    if law is None and block is None and wrapper is None:
        raise InputError("nothing to export; give --law law.c, --block NAME block.c, or --wrapper cfs|fprime")


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
    """Write the plant of a case, and its law if it has one, as an FMU or as a system of two FMUs.

    overrides: ``key.path=value``.
    json: print the name of the file in one JSON object.
    out: output file, by default the case name with the suffix .fmu. With the suffix .ssp it is a system of two FMUs,
        plant and law.
    fmi: version of the FMI standard, 2 or 3.
    plant: export the plant only, with the control torque as input.
    law: export the law only.
    platforms: comma-separated platforms of the libraries; empty: this machine.
    Returns 0. Raises InputError if some part of the case cannot be written as C code.
    """
    from ...controllers.laws.files.plant_fingerprint import flown_fingerprint
    from ...sim import export_fmu, export_ssp
    from ..report.json_text import dump

    loaded = load_case(case, overrides)
    target = Path(f"{loaded.name}.fmu") if out is None else out
    if plant and (law or target.suffix == ".ssp"):
        raise InputError(
            "--plant exports no law, but --law and a system structure (.ssp) contain it; give only one of them"
        )
    if law and target.suffix == ".ssp":
        raise InputError("--law writes one FMU, but a system structure (.ssp) has two; give only one of them")
    with located(loaded.source):
        problem = build(loaded.case, with_law=not plant)
        if problem.law is None and (law or target.suffix == ".ssp"):
            raise InputError("no controller: there is no law to export; add a [controller] to the case")
        options: dict[str, Any] = {
            "path": target, "flight": _flight(problem), "fmi": fmi, "name": loaded.name, "progress": _say,
        }  # fmt: skip
        options["platforms"] = [each.strip() for each in platforms.split(",") if each.strip()]
        parts: Sequence[str] = ()
        if problem.law is not None and target.suffix == ".ssp":
            export_ssp(problem.craft, problem.law, **options)
            return _report(loaded.name, target, json=json)
        parts = export_fmu(problem.craft, problem.law, law_alone=law, **options)
        fingerprint = flown_fingerprint(problem.craft, problem.law, problem.state)
    libraries = [part for part in parts if part.startswith("binaries/")]
    if json:
        entries = {"case": loaded.name, "file": str(target), "fmi": fmi, "plant_fingerprint": fingerprint}
        sys.stdout.write(dump({**entries, "libraries": libraries}) + "\n")
    else:
        sys.stdout.write(f"{target}\n")
        if not libraries:
            sys.stderr.write("polhode: no C compiler was found, so the FMU contains sources but no library\n")
    return 0


def _report(name: str, target: Path, *, json: bool) -> int:
    """Print the name of the written file and return exit code 0."""
    from ..report.json_text import dump

    sys.stdout.write((dump({"case": name, "file": str(target)}) if json else str(target)) + "\n")
    return 0


def _say(words: str) -> None:
    """Print a progress message on stderr, even if it is not a terminal, since exports take seconds."""
    sys.stderr.write(f"polhode: {words}\n")
    sys.stderr.flush()


def _flight(problem: Problem) -> dict[str, Any]:
    """Return the keyword arguments of `simulate` for a case, except the times of the rows."""
    if "accuracy" in problem.settings:
        raise InputError(
            "run.accuracy_deg: needs several runs, but exported code runs once; give run.integrator with "
            "run.step_s or run.rtol instead"
        )
    return {
        **{key: value for key, value in problem.settings.items() if key != "output_step"},
        "state": problem.state,
        "reference": problem.reference,
        "torques": problem.pulses,
        "blocks": problem.blocks,
    }
