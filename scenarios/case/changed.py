"""Create variants of a validated case, with validation of the changed tables only."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter
from pydantic_core import PydanticCustomError, ValidationError

from .loader import LoadedCase, checked_case
from .schema import Case
from .schema.mode import ModeTable


def changed_case(loaded: LoadedCase, document: Mapping[str, Any], tables: Iterable[str]) -> LoadedCase:
    """Return the case of a document that differs from a validated case in some tables.

    loaded: the validated case; document: the changed document; tables: names of the tables that differ. The result
    equals that of `checked_case`, which validates every table and is too slow for thousands of runs. If the document
    violates the schema, the message of the InputError lists every fault.
    """
    case = loaded.case
    try:
        context = loaded.authority.context
        found = {name: _adapter(name).validate_python(document[name], context=context) for name in tables}
        if not _names_files(loaded, found):
            return replace(loaded, case=case.changed(found), document=document)
    except (ValidationError, PydanticCustomError):
        pass
    return checked_case(loaded.name, loaded.source, document, authority=loaded.authority)


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    field = Case.model_fields[name]
    kind: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation  # pyright: ignore[reportInvalidTypeForm]
    return TypeAdapter(kind)


def _names_files(loaded: LoadedCase, tables: Mapping[str, Any]) -> bool:
    """Return whether a table may name files, whose paths are relative to the case folder."""
    if tables.get("reference") is not None and tables["reference"].named_paths():
        return True
    if not loaded.source.endswith(".toml"):
        return False
    controller = tables.get("controller")
    if controller is not None and any(each.named_paths() for each in controller.tables()):
        return True
    if any(_mode_names_files(each) for each in tables.get("modes", ())):
        return True
    return not {"compare", "blocks", "torques"}.isdisjoint(tables)


def _mode_names_files(mode: ModeTable) -> bool:
    found = () if mode.controller is None else tuple(mode.controller.tables())
    return any(each.named_paths() for each in (*found, *filter(None, (mode.reference,))))
