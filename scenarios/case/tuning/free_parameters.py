"""Free parameters in `[tune]`: keys of the estimator and of controllers, with bounds and scales."""

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ..campaigns.dispersions import value_at
from ..loader import LoadedCase
from ..located import located
from ..overrides import put_value
from ..schema.tune import FreeTable, TuneTable
from .estimator_keys import estimator_value

Array = NDArray[np.float64]

WIDE = 100.0  # default bounds of a positive value: the value divided and multiplied by this factor
ROOM = 4.0  # distance between the bounds of a linear parameter, in scaled units
_KEY = re.compile(r"(controller|estimator|modes\.([^.]+)\.controller)\..")  # start of a free key; 2: number of a mode
NEAR_BOUND = 1e-4  # distance from a bound, relative to the scaled width, below which a value is at the bound


@dataclass(frozen=True, kw_only=True)
class Free:
    """One scalar that tuning may change.

    name: key, with the index of the entry in a list.
    value, low, high: value in the case, and bounds.
    is_log: whether the scale is logarithmic.
    """

    name: str
    value: float
    low: float
    high: float
    is_log: bool

    def scaled(self, value: float) -> float:
        """Convert a value to scaled units."""
        if self.is_log:
            return log(value) if self.low > 0.0 else -log(-value)
        return ROOM * value / (self.high - self.low)

    def unscaled(self, z: float) -> float:
        """Convert scaled units to a value within the bounds; these and the value of the case without rounding."""
        for exact in (self.value, self.low, self.high):
            if z == self.scaled(exact):
                return exact
        if self.is_log:
            value = exp(z) if self.low > 0.0 else -exp(-z)
        else:
            value = z * (self.high - self.low) / ROOM
        return min(max(value, self.low), self.high)

    def at_bound(self, value: float) -> str:
        """Return "low" or "high" if a value is at its bound, otherwise an empty string."""
        width = NEAR_BOUND * (self.scaled(self.high) - self.scaled(self.low))
        z = self.scaled(value)
        return "low" if z < self.scaled(self.low) + width else "high" if z > self.scaled(self.high) - width else ""


@frozen_arrays
@dataclass(frozen=True, kw_only=True)
class FreeParameters:
    """All free scalars and their keys.

    keys: each key with its value in the case, of shape () for a single number, and a mask of the free entries.
    """

    numbers: tuple[Free, ...]
    keys: tuple[tuple[str, Array, NDArray[np.bool_]], ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables of a case that contain free keys: "controller", "modes", "estimator"."""
        return tuple(dict.fromkeys(key.partition(".")[0] for key, _, _ in self.keys))

    def of_table(self, table: str) -> NDArray[np.bool_]:
        """Return which of the free scalars belong to a table."""
        return np.array([each.name.startswith(f"{table}.") for each in self.numbers])

    def frees(self, table: str) -> bool:
        """Return whether any key of a table, such as "controller" or "modes.0.controller", is free."""
        return any(key.startswith(f"{table}.") for key, _, _ in self.keys)

    @property
    def start(self) -> Array:
        """Values in the case, in scaled units."""
        return np.array([each.scaled(each.value) for each in self.numbers])

    @property
    def low(self) -> Array:
        """Lower bounds in scaled units."""
        return np.array([each.scaled(each.low) for each in self.numbers])

    @property
    def high(self) -> Array:
        """Upper bounds in scaled units."""
        return np.array([each.scaled(each.high) for each in self.numbers])

    def values(self, x: Array) -> list[float]:
        """Return the values of scaled parameters x (n,)."""
        return [each.unscaled(float(z)) for each, z in zip(self.numbers, x, strict=True)]

    def by_key(self, x: Array) -> dict[str, Any]:
        """Return the value of each key, a number or a list, at scaled parameters x (n,)."""
        values, found, first = self.values(x), dict[str, Any](), 0
        for key, value, free in self.keys:
            many = int(free.sum())
            entries = np.array(value)
            entries[free] = values[first : first + many]
            found[key] = entries.tolist()
            first += many
        return found

    def document(self, document: Mapping[str, Any], x: Array) -> dict[str, Any]:
        """Return the document of a case with the values at scaled parameters x (n,)."""
        found = {**document, **{table: copy.deepcopy(document[table]) for table in self.tables}}
        for key, value in self.by_key(x).items():
            put_value(found, tuple(key.split(".")), value, where="tune.free")
        return found


def free_parameters(loaded: LoadedCase, table: TuneTable) -> FreeParameters:
    """Return the free parameters of a case.

    Raises InputError if a key is not numeric, cannot be free, is named twice, or has no bounds.
    """
    numbers: list[Free] = []
    keys: list[tuple[str, Array, NDArray[np.bool_]]] = []
    for index, each in enumerate(table.free):
        free = FreeTable(key=each) if isinstance(each, str) else each
        with located(f"tune.free.{index}"):
            if free.key in [key for key, _, _ in keys]:
                raise InputError(f"{free.key} is already free; remove one of the two")
            value = _array(loaded, free)
            mask = np.asarray((value != 0.0) | (not free.keep_zeros))
            if not mask.any():
                raise InputError(f"{free.key} has no entry to tune; give it entries, or remove it from tune.free")
            keys.append((free.key, value, mask))
            for place in np.argwhere(mask):
                name = ".".join((free.key, *(str(n) for n in place)))
                numbers.append(_bounded(name, float(value[tuple(place)]), free))
    return FreeParameters(numbers=tuple(numbers), keys=tuple(keys))


def _array(loaded: LoadedCase, free: FreeTable) -> Array:
    """Return the value of a free key as an array."""
    key = free.key
    found = _KEY.match(key)
    if found is None:
        raise InputError(
            f"{key}: only keys of the controller and noise of the estimator can be free, such as "
            "controller.attitude_weight"
        )
    _check_mode(loaded, key, found[2])
    value = estimator_value(loaded.case, key) if key.startswith("estimator.") else value_at(loaded.case, key)
    if key.endswith(".sample_s"):
        raise InputError(f"{key} determines the meaning of a requirement, so it cannot be free; set a value")
    if isinstance(value, bool | str) or value is None:
        raise InputError(f"{key} is {value!r} in the case, not a number; set a number as start value")
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{key} is a table, not a number; give the key of a number in it") from None
    if free.per_axis:
        if array.shape:
            raise InputError(f"{key} has {array.size} entries already; remove per_axis")
        array = np.full(3, float(array))
    return array


def _check_mode(loaded: LoadedCase, key: str, number: str | None) -> None:
    """Raise InputError if a key of the controller of a mode names no mode, or a mode without its own controller."""
    if number is None:
        return
    modes = loaded.case.modes
    names = [each.name for each in modes]
    if not modes:
        raise InputError(
            f"{key}: the case has no [[modes]]; free a key of [controller], such as controller.attitude_weight"
        )
    if number in names and not number.isdigit():
        raise InputError(f"{key}: a mode is written with its number: modes.{names.index(number)}.controller")
    if not number.isdigit() or int(number) >= len(modes):
        listed = ", ".join(f"{n} ({name})" for n, name in enumerate(names))
        raise InputError(f"{key}: there is no mode {number}; take one of {listed}")
    if modes[int(number)].controller is None:
        raise InputError(
            f"{key}: mode {names[int(number)]} has no controller of its own but that of [controller]; free its keys, "
            "such as controller.attitude_weight, or give the mode a controller"
        )


def _bounded(name: str, value: float, free: FreeTable) -> Free:
    """Return one free scalar with its bounds."""
    if (free.low is None or free.high is None) and value == 0.0:
        raise InputError(
            f'{name} is {value:g}, for which there are no default bounds; write {{ key = "{free.key}", low = .., '
            "high = .. }, or for the other entries of a list keep_zeros = true"
        )
    near, far = value / WIDE, value * WIDE
    low = min(near, far) if free.low is None else free.low
    high = max(near, far) if free.high is None else free.high
    if low >= high:
        raise InputError(f"{name}: the bounds are reversed: low {low:g} is not below high {high:g}")
    if not low <= value <= high:
        raise InputError(f"{name} is {value:g}, outside its bounds {low:g} to {high:g}; widen them or change the value")
    is_log = low * high > 0.0 if free.scale is None else free.scale == "log"
    if is_log and low * high <= 0.0:
        raise InputError(f'{name}: scale = "log" needs bounds of one sign, such as a positive lower bound; got {low:g}')
    return Free(name=name, value=value, low=low, high=high, is_log=is_log)
