"""Create variants of a validated case, with validation of the changed tables and keys only."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, TypeAdapter, create_model
from pydantic_core import PydanticCustomError, ValidationError

from .loader import LoadedCase, checked_case
from .schema import Case
from .schema.fields import Table
from .schema.mode import ModeTable


def changed_case(
    loaded: LoadedCase, document: Mapping[str, Any], tables: Iterable[str], *, by_key: bool = False
) -> LoadedCase:
    """Return the case of a document that differs from a validated case in some tables.

    loaded: the validated case; document: the changed document; tables: names of the tables that differ. The result
    equals that of `checked_case`, which validates every table and is too slow for thousands of runs. If the document
    violates the schema, the message of the InputError lists every fault.

    by_key: whether to validate only those keys of the tables whose values are not the same objects in both documents.
    This requires that the document of the case is the one from which it was validated, and unmodified.
    """
    case = loaded.case
    try:
        validated = _changed_table if by_key else _whole_table
        found = {name: validated(loaded, document, name) for name in tables}
        if not _names_files(loaded, found):
            return replace(loaded, case=case.changed(found), document=document)
    except (ValidationError, PydanticCustomError):
        pass
    return checked_case(loaded.name, loaded.source, document, authority=loaded.authority)


def _whole_table(loaded: LoadedCase, document: Mapping[str, Any], name: str) -> Any:
    """Return a table of a document, with all its keys validated."""
    return _adapter(name).validate_python(document[name], context=loaded.authority.context)


def _changed_table(loaded: LoadedCase, document: Mapping[str, Any], name: str) -> Any:
    """Return a table of a document, with only the changed keys validated if its other validators allow this."""
    table, old, new = getattr(loaded.case, name), _keys_of(loaded.document.get(name)), _keys_of(document[name])
    if isinstance(table, Table) and old is not None and new is not None and old.keys() <= new.keys():
        kind = type(table)
        keys = tuple(key for key, value in new.items() if key not in old or value is not old[key])
        # the kind of a table is its key `kind`, or follows from the keys that it has
        same = Case.model_fields[name].annotation is kind or (old.keys() == new.keys() and "kind" not in keys)
        if same and kind.model_fields.keys() >= set(keys) and (checks := _checks(kind)) is not None:
            changed = {key: new[key] for key in keys}
            values = _part(kind, keys).model_validate(changed, context=loaded.authority.context)
            found = table.model_copy(update={key: getattr(values, key) for key in keys})
            for check in checks:
                found = check(found)
            return found
    return _whole_table(loaded, document, name)


def _keys_of(value: Any) -> dict[str, Any] | None:
    """Return the keys of a table in a document; None if the value is not a table."""
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType] # keys of TOML


@cache
def _part(kind: type[Table], keys: tuple[str, ...]) -> type[BaseModel]:
    """Return the model of some keys of a table."""
    fields: dict[str, Any] = {key: (kind.model_fields[key].annotation, kind.model_fields[key]) for key in keys}
    return create_model("_".join((kind.__name__, *keys)), __config__=kind.model_config, **fields)


@cache
def _checks(kind: type[Table]) -> tuple[Callable[[Table], Table], ...] | None:
    """Return the checks of a complete table; None if a validator must see the input of the table."""
    validators = kind.__pydantic_decorators__
    checks = validators.model_validators.values()
    if validators.field_validators or validators.root_validators or any(each.info.mode != "after" for each in checks):
        return None
    return tuple(getattr(kind, each.cls_var_name) for each in checks)


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
