"""Quantities of a model, each declared once in its field: unit, shape, bound, meaning and default."""

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import wraps
from inspect import isfunction, signature
from typing import Any, ParamSpec, TypeVar, dataclass_transform, get_args, get_type_hints

import numpy as np

from .checks import choice, finite
from .errors import InputError
from .frozen import frozen_arrays
from .quantity_shapes import (
    AXIS,
    COLUMNS,
    COUNT,
    DERIVED_NUMBER,
    FINITE,
    INERTIA,
    MATRIX,
    NAMES,
    NON_NEGATIVE,
    NUMBER,
    ONE_OR_SEVERAL,
    OPTIONAL_AXIS,
    OPTIONAL_COLUMNS,
    OPTIONAL_INERTIA,
    OPTIONAL_NUMBER,
    OPTIONAL_PER_AXIS,
    OPTIONAL_SEVERAL,
    OPTIONAL_VECTOR,
    PER_AXIS,
    PER_ENTRY,
    POSITIVE,
    POSITIVE_DEFINITE,
    QUATERNION,
    ROW,
    SEVERAL,
    SHARE,
    SMALL_MATRIX,
    VECTOR,
    Shape,
    one_of,
)  # fmt: skip

__all__ = [
    "AXIS",
    "COLUMNS",
    "COUNT",
    "DERIVED_NUMBER",
    "FINITE",
    "INERTIA",
    "MATRIX",
    "NAMES",
    "NON_NEGATIVE",
    "NUMBER",
    "ONE_OR_SEVERAL",
    "OPTIONAL_AXIS",
    "OPTIONAL_COLUMNS",
    "OPTIONAL_INERTIA",
    "OPTIONAL_NUMBER",
    "OPTIONAL_PER_AXIS",
    "OPTIONAL_SEVERAL",
    "OPTIONAL_VECTOR",
    "PER_AXIS",
    "PER_ENTRY",
    "POSITIVE",
    "POSITIVE_DEFINITE",
    "QUATERNION",
    "ROW",
    "SEVERAL",
    "SHARE",
    "SMALL_MATRIX",
    "UNITS",
    "VECTOR",
    "Quantity",
    "Shape",
    "argument",
    "check_arguments",
    "check_fields",
    "declared",
    "defaults_of",
    "from_code_unit",
    "in_code_units",
    "key_of",
    "of_argument",
    "one_of",
    "quantities",
    "quantity",
    "to_code_unit",
    "tunable_units",
]

T = TypeVar("T")
P = ParamSpec("P")
In = TypeVar("In")
Out = TypeVar("Out")

QUANTITY, CHECK = "quantity", "check"  # keys in the metadata of a field

DEGREE = math.pi / 180.0
UNITS: Mapping[str, tuple[str, float, float]] = {
    "deg": ("rad", DEGREE, 1.0),
    "arcsec": ("rad", DEGREE / 3600.0, 1.0),
    "deg/s": ("rad/s", DEGREE, 1.0),
    "deg/s^2": ("rad/s^2", DEGREE, 1.0),
    "deg/h": ("rad/s", DEGREE / 3600.0, 1.0),
    "deg/sqrt(h)": ("rad/sqrt(s)", DEGREE / 60.0, 1.0),
    "deg/h/sqrt(h)": ("rad/s^(3/2)", DEGREE / 3600.0, 60.0),
    "nT": ("T", 1e-9, 1.0),
    "uT": ("T", 1e-6, 1.0),
    "ms": ("s", 1e-3, 1.0),
    "percent": ("", 0.01, 1.0),
}
"""Units of data sheets and case files, each with its unit in code, and a factor and a divisor for conversion."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """Declaration of a quantity.

    Parameters
    ----------
    unit : str
        Unit, such as "N m"; "" for a dimensionless number.
    shape : Shape
        Shape and check.
    bound : str
        `FINITE`, `POSITIVE` or `NON_NEGATIVE`.
    doc : str
        Meaning in a few words, without the unit: "K, more than the disturbance".
    optional : bool
        Whether None is accepted.
    below : float
        Upper limit; values must be smaller.
    at_most : float
        Upper limit; values may be equal.
    hint : str
        Likely cause of a value that is too large, for the message: "degrees?".
    case : str or None
        Unit of the quantity's key in a case file, one of `UNITS`; "" for the unit in code, None if there is no key. If
        there are several units, such as "deg/s or rad/s", a case gives one of the keys.
    start : bool
        Whether the quantity is a value at t = 0, which a run may override, rather than a parameter.
    """

    unit: str
    shape: Shape[Any, Any]
    bound: str
    doc: str
    optional: bool = False
    below: float = math.inf
    at_most: float = math.inf
    hint: str = ""
    case: str | None = ""
    start: bool = False

    @property
    def case_unit(self) -> str:
        """Unit of the quantity's key in a case file."""
        return self.case or self.unit

    def checked(self, name: str, value: Any, *, of: str = "") -> Any:
        """Return the checked value of a field of the object `of`; raise InputError if it is inadmissible."""
        if value is None and self.optional:
            return None
        label = f"{name.replace('_', ' ')} of {of}" if of else name.replace("_", " ")
        checked = self.shape.check(label, value, self.unit, self.bound)
        bound = "below" if self.below < math.inf else "at most"
        limit = min(self.below, self.at_most)
        if limit < math.inf:
            largest = float(np.max(np.abs(checked)))
            if largest > limit or largest == self.below:
                unit, hint = f" {self.unit}" if self.unit else "", f" ({self.hint})" if self.hint else ""
                raise InputError(f"{label} must be {bound} {limit:.4g}{unit}; got {largest:g}{unit}{hint}")
        return checked


def key_of(name: str, unit: str) -> str:
    """Return the key of a quantity in a case file: field name and unit.

    >>> key_of("boundary_layer", "rad/s")
    'boundary_layer_rad_s'
    """
    return f"{name}_{unit.translate(_IN_KEYS)}" if unit else name


_IN_KEYS = str.maketrans({"/": "_", " ": "_", "^": None, "(": "_", ")": None})


def quantity(
    unit: str = "",
    *,
    converter: Shape[Any, Any] = NUMBER,
    doc: str,
    positive: bool = False,
    non_negative: bool = False,
    optional: bool = False,
    below: float = math.inf,
    at_most: float = math.inf,
    hint: str = "",
    case: str | None = "",
    start: bool = False,
    kw_only: bool = True,
    default: Any = MISSING,
) -> Any:
    """Declare a field as a quantity; see `Quantity`.

    unit: unit; converter: shape, a number if omitted; doc: meaning; positive, non_negative, below, at_most, hint:
    bounds; optional: whether None is accepted; case: unit of the key in a case file; start: whether the quantity is a
    value at t = 0; kw_only: whether the field is keyword-only; default: default, checked like any value.

    The name `converter` is prescribed by `typing.dataclass_transform`: type checkers infer from it what the constructor
    accepts. Omit it in a protocol, whose fields type checkers compare only without a converter.
    """
    bound = POSITIVE if positive else NON_NEGATIVE if non_negative else FINITE
    declaration = Quantity(
        unit=unit, shape=converter, bound=bound, doc=doc, optional=optional, below=below, at_most=at_most, hint=hint,
        case=case, start=start,
    )  # fmt: skip
    return field(default=default, kw_only=kw_only, metadata={QUANTITY: declaration})


def of_argument(
    unit: str = "",
    *,
    shape: Shape[Any, Any],
    doc: str,
    positive: bool = False,
    non_negative: bool = False,
    optional: bool = False,
    below: float = math.inf,
    at_most: float = math.inf,
    hint: str = "",
    case: str | None = "",
) -> Quantity:
    """Declare an argument of a function as a quantity.

    Example: `frequency: Annotated[float, of_argument("rad/s", ...)]`. It takes the same arguments as `quantity`;
    `check_arguments` makes the function check the declared arguments.
    """
    bound = POSITIVE if positive else NON_NEGATIVE if non_negative else FINITE
    return Quantity(
        unit=unit, shape=shape, bound=bound, doc=doc, optional=optional, below=below, at_most=at_most, hint=hint,
        case=case,
    )  # fmt: skip


def check_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function so that arguments declared as quantities are checked before the call."""
    declarations, bound = quantities(function), signature(function)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            given: Any = bound.bind(*args, **kwargs)
        except TypeError:  # let the call itself report a misspelt argument
            return function(*args, **kwargs)
        for name, declaration in declarations.items():
            if name in given.arguments:
                given.arguments[name] = declaration.checked(name, given.arguments[name])
        return function(*given.args, **given.kwargs)  # pyright: ignore[reportCallIssue] # same arguments

    return checked


def quantities(model: Any) -> dict[str, Quantity]:
    """Return the quantities that a class, object or function declares, by field or argument."""
    if isfunction(model):
        hints = get_type_hints(model, include_extras=True).items()
        notes = {name: [each for each in get_args(hint)[1:] if isinstance(each, Quantity)] for name, hint in hints}
        return {name: each[0] for name, each in notes.items() if each}
    if not is_dataclass(model):  # model is an abstract base class
        return {}
    return {each.name: each.metadata[QUANTITY] for each in fields(model) if QUANTITY in each.metadata}


def defaults_of(model: Any) -> dict[str, Any]:
    """Return the defaults of a class's fields or a function's arguments; MISSING if there is none."""
    if isfunction(model):
        arguments = signature(model).parameters.values()
        return {each.name: MISSING if each.default is each.empty else each.default for each in arguments}
    return {each.name: each.default for each in fields(model)}


def tunable_units(model: Any) -> dict[str, str]:
    """Return the units of the scalar fields that a study or the host of an FMU may vary, by field."""
    declared = quantities(model).items()
    return {name: each.unit for name, each in declared if each.shape is NUMBER and not each.start}


def argument(*, converter: Callable[[In], Out], default: Any = MISSING) -> Any:
    """Declare a field that is not a quantity.

    converter: function that converts a constructor argument to the field value; it may raise InputError. default:
    default value, converted like any value.
    """
    return field(default=default, kw_only=True, metadata={CHECK: converter})


def check_fields(model: Any, *, of: str = "") -> None:
    """Replace each declared field of a new object by its checked value.

    Call it in `__post_init__`. of: name of the object in messages. Raises InputError if a value is not admissible.
    """
    for each in fields(model):
        if QUANTITY in each.metadata:
            value = each.metadata[QUANTITY].checked(each.name, getattr(model, each.name), of=of)
            object.__setattr__(model, each.name, value)
        elif CHECK in each.metadata:
            object.__setattr__(model, each.name, each.metadata[CHECK](getattr(model, each.name)))


def to_code_unit(value: Any, unit: str) -> Any:
    """Return a value converted from a unit of `UNITS` to the unit in code; unchanged for other units."""
    if unit not in UNITS:
        return value
    _, factor, divisor = UNITS[unit]
    return factor * value / divisor


def from_code_unit(value: float, unit: str) -> float:
    """Return a value converted from the unit in code to a unit of `UNITS`; unchanged for other units."""
    _, factor, divisor = UNITS.get(unit, (unit, 1.0, 1.0))
    return value / factor * divisor


def in_code_units(model: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return constructor arguments from values whose names may end with a unit, such as `noise_arcsec`.

    model: class with declared quantities; values: each key is a field name, alone or followed by the unit in code or
    one of `UNITS`.
    Raises InputError if a name is unknown, a value is not a number, or a quantity is given twice.
    """
    declarations, arguments = quantities(model), dict[str, Any]()
    forms = {key_of(name, unit): (name, unit)
             for name, declaration in declarations.items() if declaration.shape is NUMBER
             for unit in (*UNITS, declaration.unit)
             if unit == declaration.unit or UNITS[unit][0] == declaration.unit}  # fmt: skip
    names = [each.name for each in fields(model)] if is_dataclass(model) else []
    for key, value in values.items():
        if key in names:
            name, converted = key, value
        else:
            name, unit = forms[choice(f"argument of {model.__name__}", key, (*names, *forms))]
            converted = None if value is None else to_code_unit(finite(key, value, unit), unit)
        if name in arguments:
            raise InputError(f"{name} of {model.__name__} has two values; give it in one unit")
        arguments[name] = converted
    return arguments


@dataclass_transform(
    kw_only_default=True, frozen_default=True, eq_default=False, field_specifiers=(quantity, argument, field)
)  # fmt: skip
def declared(cls: type[T]) -> type[T]:
    """Make a frozen dataclass with keyword arguments and read-only arrays.

    Class decorator for models whose fields are quantities. The class or one of its bases calls `check_fields`.
    """
    return frozen_arrays(dataclass(frozen=True, eq=False, kw_only=True)(cls))
