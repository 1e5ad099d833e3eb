"""Keys of a case, derived from the declared quantities of a class."""

import math
import re
import sys
from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, replace
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter, create_model

from ....controllers.guidance.inertial_vector import InertialVector
from ....plant.errors import InputError
from ....plant.quantity import (
    FINITE,
    NON_NEGATIVE,
    POSITIVE,
    POSITIVE_DEFINITE,
    Quantity,
    defaults_of,
    from_code_unit,
    key_of,
    quantities,
    to_code_unit,
)
from ..located import located
from ..schema.fields import (
    Inertia,
    NonNegative,
    Number,
    Positive,
    PositiveInteger,
    Quaternion,
    Share,
    Vector3,
    Weight,
    entries_of,
    given,
    numbers_of,
    vectors_of,
    wrong,
)

NUMBERS: Mapping[str, Any] = {FINITE: Number, POSITIVE: Positive, NON_NEGATIVE: NonNegative}
SYMBOLS = {"percent": "%"}
STILL = (0.0, 0.0, 0.0)
OR = " or "  # separates the units of a quantity that has several keys


def _several(value: object) -> Any:
    return (value,) if entries_of(value) is None else value


Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]
Row: TypeAdapter[tuple[float, ...]] = TypeAdapter(Annotated[tuple[float, ...], numbers_of])


def _rows(value: object) -> Any:
    entries = entries_of(value)
    if entries is None or not all(entries_of(entry) for entry in entries):
        raise wrong(f"must be a list of lists of numbers; got {given(value)}")
    return tuple(Row.validate_python(entry) for entry in entries)


Matrix = Annotated[tuple[tuple[float, ...], ...], BeforeValidator(_rows)]
FORMS: Mapping[str, Any] = {
    "whole number": PositiveInteger,
    "inertia": Inertia,
    "share": Share,
    "one or per axis": Weight,
    "vector": Vector3,
    "quaternion": Quaternion,
    "vectors": Vectors,
    "columns": Vectors,
    "numbers": Numbers,
    "number or numbers": Numbers | float,
    "names": Annotated[tuple[str, ...], BeforeValidator(_several)],
    "direction": Vector3,
    "matrix": Matrix,
    "values": Annotated[tuple[Any, ...], Field(min_length=1)],
}


def summary_of(model: Any) -> str:
    """Return the first paragraph of a class docstring as plain text, to describe a table."""
    first = (model.__doc__ or "").split("\n\n", maxsplit=1)[0]
    return re.sub(r"\s+", " ", first.replace("`", "")).strip()


class DeclaredKeys:
    """Keys of a table, derived from the declared quantities of a class.

    model: class or function with declared quantities.
    keys: unit of the key, for each quantity that has a key: "" for the declared unit; one of `UNITS` such as "deg";
        alternatives such as "deg or rad", of which a case uses one; or "=" and the complete key. By default, all
        quantities that declare a case unit have a key in this unit.
    defaults: quantities with an optional key, each with a description of the value used if the key is missing.
    required: quantities whose key is required, although the class has a default.
    """

    def __init__(
        self,
        model: Any,
        keys: Mapping[str, str] | None = None,
        *,
        defaults: Mapping[str, str] | None = None,
        required: Collection[str] = (),
    ) -> None:
        declared = quantities(model)
        if keys is None:
            keys = {name: each.case for name, each in declared.items() if each.case is not None}
        self._model = model
        self._left_out = dict(defaults or {})
        self._required = frozenset(required)
        self._keys = {
            name: [(_key(name, unit, declared[name]), _unit(unit, declared[name])) for unit in units.split(OR)]
            for name, units in keys.items()
        }

    def table(
        self,
        kind: str,
        base: type[BaseModel],
        *,
        noun: str,
        module: str,
        doc: str = "",
        name: str = "",
        more: Mapping[str, Any] | None = None,
    ) -> type[Any]:
        """Create the table, a pydantic model.

        kind: value of the key `kind`, "" for a table without this key.
        base: table with the common keys.
        noun: word for the object in the description of `kind`, such as "law" or "sensor".
        module: name of the module that the table becomes part of, so that cases can be pickled.
        doc: description of the table, by default the first paragraph of the class docstring.
        name: name of the table, by default derived from `kind`.
        more: additional keys, in the form that `pydantic.create_model` takes.
        """
        word = {"kind": (cast("Any", Literal)[kind], Field(description=f"which {noun}"))} if kind else {}
        table = cast("Any", create_model)(
            name or f"{kind.title().replace('-', '')}Table",
            __base__=base,
            __doc__=doc or summary_of(self._model),
            __module__=module,
            **word,
            **self.fields(),
            **(more or {}),
        )
        setattr(sys.modules[module], table.__name__, table)
        return table

    def fields(self) -> dict[str, Any]:
        """Return type and description of each key, in the form that `pydantic.create_model` takes."""
        defaults = defaults_of(self._model) | dict.fromkeys(self._required, MISSING)
        declared, found = quantities(self._model), dict[str, Any]()
        for name, key, unit in self._each():
            either = len(self._keys[name]) > 1
            declaration = replace(declared[name], optional=True) if either else declared[name]
            default = None if either else defaults[name]
            found[key] = key_field(declaration, unit, default, left_out=self._left_out.get(name, ""))
            if declared[name].shape.form == "direction":
                found[_rate(name)] = (
                    Vector3,
                    Field(default=STILL, description="angular velocity of the direction, inertial axes, deg/s"),
                )
        return found

    def values(self, table: Any) -> dict[str, Any]:
        """Return the arguments of the class from a table, converted to the declared units.

        Missing keys are omitted.
        """
        declared, found = quantities(self._model), dict[str, Any]()
        for name, key, unit in self._each():
            value = getattr(table, key)
            if value is None and (name in self._left_out or len(self._keys[name]) > 1):
                continue
            if name in found:
                raise InputError(f"give only one of {' and '.join(key for key, _ in self._keys[name])}")
            if value is not None and unit != declared[name].unit:
                value = to_code_unit(np.asarray(value), unit)
            if value is not None and declared[name].shape.form == "columns":
                value = np.asarray(value).T
            if declared[name].shape.form == "direction":
                with located(key):
                    value = InertialVector(
                        np.asarray(value), rate=to_code_unit(np.asarray(getattr(table, _rate(name))), "deg/s")
                    )
            found[name] = value
        return found

    def _each(self) -> Iterator[tuple[str, str, str]]:
        """Yield each key with its quantity and unit."""
        return ((name, key, unit) for name, keys in self._keys.items() for key, unit in keys)

    @contextmanager
    def located(self) -> Generator[None]:
        """Prefix the key to an InputError message that begins with the name of its quantity."""
        try:
            yield
        except InputError as error:
            for name, key, _ in self._each():
                if str(error).startswith(f"{name.replace('_', ' ')} "):
                    raise type(error)(f"{key}: {error}") from None
            raise


def _rate(name: str) -> str:
    return f"{name}_rate_deg_s"


def _key(name: str, unit: str, declaration: Quantity) -> str:
    return unit[1:] if unit.startswith("=") else key_of(name, unit or declaration.unit)


def _unit(unit: str, declaration: Quantity) -> str:
    return declaration.unit if not unit or unit.startswith("=") else unit


def key_field(declaration: Quantity, unit: str, default: Any, *, left_out: str = "") -> tuple[Any, Any]:
    """Return type and field of a key, for `pydantic.create_model`."""
    words, semicolon, remark = declaration.doc.partition("; ")
    words = f"{words}, {SYMBOLS.get(unit, unit)}{semicolon}{remark}" if unit else declaration.doc
    form = declaration.shape.form
    if form == "number":
        kind: Any = NUMBERS[declaration.bound]
    elif form == "one or per entry":
        kind = NUMBERS[declaration.bound] | Vector3
    elif form == "word":
        kind = cast("Any", Literal)[declaration.shape.words]
    else:
        kind = FORMS[form]
        if declaration.bound == POSITIVE or declaration.shape is POSITIVE_DEFINITE:
            kind = Annotated[kind, AfterValidator(_above_zero)]
        elif declaration.bound == NON_NEGATIVE:
            kind = Annotated[kind, AfterValidator(_not_below_zero)]
        words += "; one or per axis" if form == "one or per axis" else ""
    if left_out:
        words, default = f"{words}; {left_out}", None
    if declaration.optional or left_out:
        kind = kind | None
    schema = _schema(declaration, unit)
    if default is MISSING:
        return kind, Field(description=words, json_schema_extra=schema)
    shown = from_code_unit(default, unit) if isinstance(default, float) and unit != declaration.unit else default
    return kind, Field(default=shown, description=words, json_schema_extra=schema)


def _schema(declaration: Quantity, unit: str) -> dict[str, Any] | None:
    """Return the upper bound of a number in the unit of its key, for the JSON Schema.

    The class checks this bound, not the validation.
    """
    limit, word = min((declaration.at_most, "maximum"), (declaration.below, "exclusiveMaximum"))
    if limit == math.inf or declaration.shape.form not in ("number", "whole number"):
        return None
    return {word: float(f"{from_code_unit(limit, unit) if unit != declaration.unit else limit:.12g}")}


def _above_zero(value: Any) -> Any:
    return _bounded(value, "must be greater than 0", met=bool(np.all(np.asarray(value) > 0.0)))


def _not_below_zero(value: Any) -> Any:
    return _bounded(value, "must not be negative", met=bool(np.all(np.asarray(value) >= 0.0)))


def _bounded(value: Any, bound: str, *, met: bool) -> Any:
    if met:
        return value
    if isinstance(value, tuple):
        raise wrong(f"{bound} on every axis; got {given(list(cast('tuple[float, ...]', value)))}")
    raise wrong(f"{bound}; got {given(value)}")
