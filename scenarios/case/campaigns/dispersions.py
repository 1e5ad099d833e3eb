"""Create distributions from `[dispersions]`, about the nominal values of the case."""

import re
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from pydantic import BaseModel

from ....plant.errors import InputError
from ....plant.quantity import to_code_unit
from ....sim.runs.campaigns import Componentwise, Correlated, Distribution
from ..explain import nearest
from ..kinds.distributions import DISTRIBUTIONS, keys_of, quantities_of
from ..located import located
from ..schema import Case
from ..schema.campaign import DispersionTable
from ..schema.fields import Table

_ENTRY = re.compile(r"\binertia_kg_m2\.([012])\.([012])$")
_ROW = re.compile(r"\binertia_kg_m2\.[012]$")


def dispersions_of(case: Case) -> dict[str, Distribution]:
    """Return the distribution of each key in `[dispersions]`.

    Raises InputError if a key is not in the case, or its distribution does not match its value. The message begins with
    the key path.
    """
    found: dict[str, Distribution] = {}
    for key, table in case.dispersions.items():
        with located(f"dispersions.{key}"):
            _require_same_program(case, key)
            _require_modelled(case, key)
            twin = _mirrored(key)
            if twin is not None and twin in found:
                raise InputError(
                    f"is the same number as {twin}, which is already dispersed; remove one of the two keys"
                )
            found[key] = _distribution(key, table, value_at(case, key))
    return found


def correlated_of(case: Case) -> tuple[Correlated, ...]:
    """Return the groups of correlated keys in `[[correlated]]`."""
    found: list[Correlated] = []
    for index, table in enumerate(case.correlated):
        with located(f"correlated.{index}"):
            found.append(Correlated(table.keys, table.correlation))
    return tuple(found)


def value_at(case: Case, key: str) -> Any:
    """Return the value at a key path such as plant.elements.0.friction_N_m_s in a checked case.

    Raises InputError if there is no such key; the message suggests the most similar key.
    """
    place: Any = case
    seen: list[str] = []
    for part in key.split("."):
        at = ".".join(seen)
        if isinstance(place, BaseModel):
            names = tuple(type(place).model_fields)
            if part not in names:
                raise InputError(f"there is no key {part!r}{f' in {at}' if at else ''}{nearest(part, names)}")
            place = getattr(place, part)
        elif isinstance(place, Mapping):
            held = cast("Mapping[str, Any]", place)
            if part not in held:
                raise InputError(f"there is no key {part!r} in {at}{nearest(part, tuple(held))}")
            place = held[part]
        elif isinstance(place, tuple):
            if not part.isdigit() or int(part) >= len(place):  # pyright: ignore[reportUnknownArgumentType]
                raise InputError(f"{at} has {len(place)} entries, numbered 0 to {len(place) - 1}")  # pyright: ignore[reportUnknownArgumentType]
            place = place[int(part)]  # pyright: ignore[reportUnknownVariableType]
        else:
            raise InputError(f"{at} is {'not given' if place is None else 'a value'}; it has no key {part!r}")
        seen.append(part)
    return place  # pyright: ignore[reportUnknownVariableType]


def _require_same_program(case: Case, key: str) -> None:
    """Raise InputError if a key selects an external program, or permits one to run."""
    parts = key.split(".")
    for depth, part in enumerate(parts):
        place = value_at(case, ".".join(parts[:depth])) if depth else case
        if isinstance(place, Table) and part in place.program_keys:
            raise InputError(
                f"{part} selects or permits a program and must be the same in every run; write it in the "
                "case file, one file for each program"
            )


def _require_modelled(case: Case, key: str) -> None:
    """Raise InputError if a key moves throttled thrusters, whose torque is independent of position."""
    thrusters = case.plant.thrusters
    moved = key.startswith(("plant.thrusters.positions_m", "plant.thrusters.directions"))
    if moved and thrusters is not None and thrusters.valve_step_s is None:
        raise InputError(
            "throttled thrusters exert the commanded torque wherever they are, so the error of a moved thruster would "
            "be missing; give plant.thrusters.valve_step_s, whose pulses act where the thrusters are"
        )


def _distribution(key: str, table: DispersionTable, found: object) -> Distribution:
    value: Any = found
    distribution = DISTRIBUTIONS[table.distribution]
    given = _given(distribution, table)
    entries: tuple[Any, ...] = value if isinstance(found, tuple) else (value,)
    if distribution.of_numbers and (not entries or isinstance(entries[0], str | bool | BaseModel)):
        raise InputError(
            'only numbers can be dispersed; for other values use distribution = "list", and for a table one of its keys'
        )
    if distribution.whole:
        return distribution.dispersed(value, given)
    about: Any = given.pop("mean", value)
    if about is None and distribution.needs_value(given):
        raise InputError("the case gives no central value; give mean, or the key in the case")
    if _ROW.search(key) and isinstance(about, tuple):
        raise InputError("a row of a tensor is also part of its columns; disperse its entries, such as .1 of the row")
    middle = np.asarray(0.0 if about is None else about, dtype=np.float64)
    if middle.ndim == 0:
        return distribution.dispersed(float(middle), _entry(given, 0))
    if middle.ndim > 1:
        raise InputError('a matrix needs distribution = "inertia", or one entry as its key: add .0.1 to it')
    return Componentwise(
        tuple(distribution.dispersed(entry, _entry(given, n)) for n, entry in enumerate(middle.tolist()))
    )


def _given(distribution: type[Distribution], table: DispersionTable) -> dict[str, Any]:
    """Return the quantities stated in a dispersion table, converted to code units."""
    found: dict[str, Any] = {}
    for name, declaration in quantities_of(distribution).items():
        value = getattr(table, keys_of(distribution)[name])
        if value is not None:
            converted = declaration.case_unit != declaration.unit
            found[name] = to_code_unit(np.asarray(value), declaration.case_unit) if converted else value
    return found


def _entry(given: Mapping[str, Any], entry: int) -> dict[str, Any]:
    return {name: value[entry] if isinstance(value, tuple) else value for name, value in given.items()}


def keys_to_set(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return every key that must be set in a document to apply some dispersed values.

    If an off-diagonal entry of a symmetric tensor is dispersed, the mirrored entry is set too.
    """
    found: dict[str, Any] = {}
    for key, value in numbers_of(values).items():
        found[key] = value
        twin = _mirrored(key)
        if twin is not None:
            found[twin] = value
    return found


def _mirrored(key: str) -> str | None:
    """Return the key of the mirrored tensor entry; None for a key that is not an off-diagonal entry."""
    at = _ENTRY.search(key)
    return None if at is None or at[1] == at[2] else f"{key[: at.start(1)]}{at[2]}.{at[1]}"


def numbers_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert values to lists and plain numbers, as in a TOML document."""
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in values.items()}
