"""Provenance of the page: versions, fingerprint, overrides, date, and command to reproduce the page."""

import shlex
from typing import TYPE_CHECKING, Any

from ....controllers.laws.files.plant_fingerprint import flown_fingerprint
from ....controllers.laws.files.provenance import provenance
from .markup import Markup, join, table, tag

if TYPE_CHECKING:
    from .source import PageSource

SHOWN = ("polhode", "date", "command", "platform", "python", "numpy")


def provenance_section(source: "PageSource", command: str) -> Markup:
    """Return the section. command: command that reproduces this page."""
    case_run = source.case_run
    versions = provenance()
    rows = [[f"page: {name}", str(versions[name])] for name in SHOWN]
    rows += _of_file(source)
    problem = case_run.problem
    fingerprint = flown_fingerprint(problem.craft, problem.law, problem.state)
    rows.append(["plant fingerprint", fingerprint or "none: the plant has no linear model there"])
    seed = case_run.loaded.case.run.seed
    rows.append(
        ["seed of the noise", "none given" if seed is None else f"{seed}, run {case_run.loaded.case.run.number}"]
    )
    rows.append(["overrides (--set)", ", ".join(source.overrides) or "none"])
    head = "The same version on the same processor gives bitwise identical results."
    return join(
        (
            tag("p", "Reproduce: ", tag("code", command)),
            tag("p", head, class_="quiet"),
            table(["what", "value"], rows, caption="Versions and origin."),
        )
    )


def _of_file(source: "PageSource") -> list[list[str]]:
    """Return table rows with the origin of a run that was read from a file."""
    if source.kind != "run":
        return []
    from pathlib import Path

    from ....sim.results.stored_run import read_about

    about: dict[str, Any] = dict(read_about(Path(source.given)))
    return [[f"run: {name}", str(about[name])] for name in SHOWN if name in about]


def reproduce_command(source: "PageSource", out: str) -> str:
    """Return the command that reproduces the page."""
    words = ["polhode", "report", source.given]
    for each in source.overrides:
        words += ["--set", each]
    return shlex.join([*words, "--out", out])
