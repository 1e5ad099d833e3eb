"""Write and read the case that is stored in a results file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...controllers.laws.files.json_text import read_json
from ...controllers.laws.files.provenance import state
from ...plant.errors import InputError
from .schema.fields import Table

if TYPE_CHECKING:
    from ...sim import Run
    from .loader import LoadedCase


def state_case(loaded: "LoadedCase") -> None:
    """Include the complete case, after overrides, in the files that this command writes."""
    document = dict(loaded.document)
    table = loaded.case.controller
    if table is not None:
        document["controller"] = _whole_path(document["controller"], table)
    for key, tables in (("compare", loaded.case.compare), ("modes", loaded.case.modes)):
        if tables:
            document[key] = [_whole_paths(given, each) for given, each in zip(document[key], tables, strict=True)]
    for key, tables in (("torques", loaded.case.torques), ("blocks", loaded.case.blocks)):
        if tables:
            document[key] = [_whole_path(given, table) for given, table in zip(document[key], tables, strict=True)]
    for key in ("orbit", "reference"):
        table = getattr(loaded.case, key)
        if table is not None:
            document[key] = _whole_path(document[key], table)
    state({"case_name": loaded.name, "case": document})


def _whole_paths(given: Mapping[str, Any], owner: Table) -> dict[str, Any]:
    """Return a table of `[[modes]]` or `[[compare]]` with absolute paths in its law and reference."""
    tables = {key: getattr(owner, key, None) for key in ("controller", "reference")}
    return {**given, **{key: _whole_path(given[key], table) for key, table in tables.items() if table is not None}}


def _whole_path(given: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """Return a table of the document with absolute paths."""
    return {**given, **{key: str(Path(path).resolve()) for key, path in table.named_paths().items()}}


def stored_case(path: Path) -> tuple[str, dict[str, Any]]:
    """Return name and document of the case stored in a results file.

    path: NetCDF file written by polhode. The document has the form of a parsed TOML file. Raises InputError if the file
    cannot be read, or contains no case.
    """
    from ...sim.results.stored_run import read_about

    about = read_about(path)
    if "case" not in about:
        raise InputError(f"{path}: was created in Python, not from a case; read it with sim.load(path)")
    case = read_json(str(about["case"]), where=f"{path}: its case")
    if not isinstance(case, dict):
        raise InputError(f"{path}: its case is not a table; got {case!r:.60}")
    name = str(about.get("case_name", ""))
    if not name.isprintable():
        raise InputError(f"{path}: its case has the name {name!r:.60}; a name must be one line of text")
    return name, cast("dict[str, Any]", case)


def load_run(path: str | Path) -> "Run":
    """Load a saved run, with spacecraft, law and reference built from the case stored in the file.

    Parameters
    ----------
    path : str or path
        The run.nc that `polhode run CASE --out DIR` writes.

    Returns
    -------
    Run
        The same object that `polhode.sim.load` returns.

    Raises
    ------
    InputError
        If the file cannot be read, or does not contain a run with its case.

    Examples
    --------
    >>> load_run("missing/run.nc")
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: missing/run.nc: no such file
    """
    from ...sim import load
    from .kinds.problem import build
    from .loader import load_case

    stored_case(Path(path))  # raises clearer messages than `load`
    problem = build(load_case(path).case)
    return load(path, craft=problem.craft, law=problem.law, reference=problem.reference, blocks=problem.blocks)
