"""Load a case by shipped name or path: parse TOML, apply overrides, validate."""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...controllers.laws.files.text_file import read_text
from ...controllers.laws.files.valid_text import valid_text
from ...plant.checks import of_kind
from ...plant.errors import InputError
from .explain import explain
from .overrides import apply_overrides
from .schema import Case
from .schema.authority import OWN, STORED, Authority
from .schema.fields import Table
from .stored import stored_case
from .trust import untrusted

DEEPEST = 64
DEEP = re.compile(rf"^[ \t]*\[{{0,2}}[ \t]*(?:[\w-]+[ \t]*\.[ \t]*){{{DEEPEST}}}", re.MULTILINE)
"""Dotted key or table name with too many parts, since the time of tomllib is quadratic in the number of parts."""

CLOSE = 0.75  # smallest similarity of a suggested name; less similar names would mislead


@dataclass(frozen=True, kw_only=True)
class LoadedCase:
    """A loaded and validated case.

    Attributes
    ----------
    name : str
        Shipped name, or file name without suffix.
    source : str
        Shipped name, or path as given by the user; error messages begin with it.
    case : Case
        Validated case.
    document : mapping
        The TOML document of the case, after overrides.
    authority : Authority
        External programs that the case and its variants may run.
    text : str
        The case file as read, before overrides; empty for a case stored in results.
    """

    name: str
    source: str
    case: Case
    document: Mapping[str, Any] = field(default_factory=dict[str, Any])
    authority: Authority = field(default_factory=Authority)
    text: str = ""


def shipped_cases() -> tuple[str, ...]:
    """Return the names of the cases that ship with polhode, sorted.

    Returns
    -------
    tuple of str
        Names that `load_case` accepts.

    Examples
    --------
    >>> "slew-lqr" in shipped_cases()
    True
    """
    folder = resources.files("polhode.scenarios.cases")
    return tuple(sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".toml")))


def load_case(name_or_path: str | Path, overrides: Iterable[str] = ()) -> LoadedCase:
    """Read and check a case.

    Parameters
    ----------
    name_or_path : str or path
        A shipped name, or the path of a TOML file or of a run.nc, which contains its case. A path contains a slash,
        ends in ``.toml``, or names an existing file.
    overrides : iterable of str
        ``key.path=value``, applied before validation; see `polhode.scenarios.case.overrides`.

    Returns
    -------
    LoadedCase
        Name, source and validated case.

    Raises
    ------
    InputError
        If the file is missing, unreadable or not TOML, or if the case violates the schema. The message lists every
        fault.
    """
    of_kind("name_or_path", name_or_path, str | Path, such_as="the name of a case or the path of a case file")
    if str(name_or_path).endswith(".nc"):
        source = str(name_or_path)
        name, document = stored_case(Path(source))
        document, authority, text = untrusted(document), STORED, ""
    else:
        name, source, text = _read(name_or_path)
        document, authority = _parse(text, source), OWN
    apply_overrides(document, overrides)
    if "satellite" in document:
        raise InputError(
            f"{source}: satellite: unknown key; a spacecraft is a [plant] with the hub's inertia_kg_m2 and mass_kg, "
            "and its "
            'flexible arms are [[plant.elements]] with kind = "flexible-arm"'
        )
    return replace(checked_case(name, source, document, authority=authority), text=text)


def checked_case(
    name: str, source: str, document: Mapping[str, Any], *, authority: Authority | None = None
) -> LoadedCase:
    """Validate a document and return the case.

    authority: permission to run external programs; by default the case may not run any. If the document violates the
    schema, the message of the InputError lists every fault.
    """
    given = Authority() if authority is None else authority
    try:
        case = Case.model_validate(document, context=given.context)
    except ValidationError as error:
        raise explain(error, Case, document, source) from None
    if not case.title:
        case = case.model_copy(update={"title": name})
    return LoadedCase(
        name=name, source=source, case=_beside(case, source), document=document, authority=given.narrowed(case)
    )


def _beside(case: Case, source: str) -> Case:
    """Return the case with its relative paths resolved from the folder of the case file."""

    if source in shipped_cases() and not Path(source).is_file():
        folder = case_path(source).parent
        return case if case.reference is None else case.model_copy(update={"reference": case.reference.beside(folder)})
    if not source.endswith(".toml"):
        return case
    folder = Path(source).parent
    compare = tuple(each.model_copy(update={"controller": each.controller.beside(folder)}) for each in case.compare)
    own = None if case.controller is None else case.controller.beside(folder)
    modes = tuple(
        each.model_copy(update={key: _table_beside(getattr(each, key), folder) for key in ("controller", "reference")})
        for each in case.modes
    )
    own_files = {key: tuple(each.beside(folder) for each in getattr(case, key)) for key in ("torques", "blocks")}
    orbit = None if case.orbit is None else case.orbit.beside(folder)
    reference = _table_beside(case.reference, folder)
    changed = {
        "controller": own, "compare": compare, "modes": modes, "orbit": orbit, "reference": reference, **own_files
    }  # fmt: skip
    return case.model_copy(update=changed)


def _table_beside(table: Table | None, folder: Path) -> Table | None:
    return None if table is None else table.beside(folder)


def case_path(name: str) -> Path:
    """Return the path of a shipped case file.

    name: one of `shipped_cases`.
    """
    return Path(str(resources.files("polhode.scenarios.cases"))) / f"{name}.toml"


def _read(name_or_path: str | Path) -> tuple[str, str, str]:
    given = str(name_or_path)
    if "\0" in given:
        raise InputError(f"case {given!r}: a name or a path must not contain a NUL character")
    if not given.strip():
        raise InputError(f"the name of the case is empty; shipped cases: {', '.join(shipped_cases())}")
    path = Path(given)
    if given in shipped_cases() and not path.is_file():
        item = resources.files("polhode.scenarios.cases") / f"{given}.toml"
        return given, given, item.read_text(encoding="utf-8")
    try:
        return valid_text(path.stem), given, read_text(path, what="a case")
    except FileNotFoundError:
        raise InputError(_missing(given, path)) from None


def _missing(given: str, path: Path) -> str:
    """Explain why a name matches no file, and suggest a case in the same folder or a shipped case."""
    beside = {item.stem: str(item) for item in path.parent.glob("*.toml")}
    shipped = {name: f"the shipped case {name}" for name in shipped_cases()}
    is_path = path.suffix == ".toml" or path.name != given
    near = shipped | beside
    close = difflib.get_close_matches(path.stem, near, n=1, cutoff=CLOSE)
    if close:
        hint = f"did you mean {near[close[0]]}?"
    elif is_path and not path.parent.is_dir():
        hint = f"there is no folder {path.parent}"
    elif is_path and beside:
        hint = f"{path.parent} has {', '.join(f'{name}.toml' for name in sorted(beside))}"
    else:
        hint = f"shipped cases: {', '.join(shipped)}"
    return f"{given}: {'no such file' if is_path else 'neither a shipped case nor a file'}; {hint}"


def _parse(text: str, source: str) -> dict[str, Any]:
    if DEEP.search(text):
        raise InputError(f"{source}: is nested too deeply to be a case: a key has more than {DEEPEST} parts")
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: is not valid TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{source}: is nested too deeply to be a case") from None
    except ValueError as error:  # such as an integer with thousands of digits, or an invalid date
        raise InputError(f"{source}: is not valid TOML: {error}") from None
