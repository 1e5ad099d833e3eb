"""Change single keys of a validated case."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticCustomError

from ....plant.errors import InputError
from ..explain import nearest
from ..schema import Case
from ..sentences import words

AnyModel = TypeVar("AnyModel", bound=BaseModel)


def with_keys(case: Case, changes: Mapping[str, Any]) -> Case:
    """Return a case with changed keys, each validated with its table.

    Parameters
    ----------
    case : Case
        A validated case.
    changes : mapping of str to any
        Values by key path, such as "plant.inertia_kg_m2".

    Returns
    -------
    Case
        The changed case.

    Raises
    ------
    InputError
        If a key does not exist, or its value is not valid.
    """
    tables: dict[str, Any] = {}
    for key, value in changes.items():
        name, *path = key.split(".")
        before = tables.get(name, getattr(case, name, None))
        if before is None or not path:
            raise InputError(f"set: {key} is not a key of a table of this case")
        try:
            tables[name] = _changed(before, tuple(path), value, key)
        except ValidationError as error:
            fault = error.errors()[0]
            raise InputError(f"set: {key}: {words(fault, path[-1])}") from None
    try:
        return case.changed(tables)
    except PydanticCustomError as error:
        raise InputError(f"set: {error.message()}") from None


def _changed(place: Any, path: Sequence[str], value: Any, key: str) -> Any:
    """Return a table, list or value in which the value at a path is replaced."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(place, BaseModel):
        fields = type(place).model_fields
        if first not in fields:
            raise InputError(f"set: there is no key {key}{nearest(first, tuple(fields))}")
        given = {name: getattr(place, name) for name in place.model_fields_set}
        given = {name: entry for name, entry in given.items() if not _same_quantity(name, first)}
        return type(place).model_validate(given | {first: _changed(getattr(place, first), rest, value, key)})
    if isinstance(place, list | tuple):
        entries = list(cast("Sequence[Any]", place))
        if not first.isdigit() or int(first) >= len(entries):
            raise InputError(f"set: {key}: there are {len(entries)} entries, numbered from 0")
        entries[int(first)] = _changed(entries[int(first)], rest, value, key)
        return tuple(entries)
    if place is None:
        raise InputError(f"set: {key}: the case has no table here; give the whole table")
    raise InputError(f"set: {key}: {first} is a key below a value, not below a table")


def _same_quantity(one: str, other: str) -> bool:
    """Return whether two keys state the same quantity in different units, such as rate_rad_s and rate_deg_s."""
    from ..sentences import name_of, unit_of

    return one != other and bool(unit_of(one) and unit_of(other)) and name_of(one) == name_of(other)
