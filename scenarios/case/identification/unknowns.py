"""Unknowns of `polhode identify`: keys of a case, and the coordinates in which the search varies them."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from ....controllers.sensing.sensors import RateGyro, StarTracker
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ....sim.analysis.identification.pseudo_inertia import NAMES, entries_of, inertia_at, inertia_jacobian, log_cholesky
from ..campaigns.dispersions import value_at
from ..kinds.sensors.sensed import Sensed
from ..loader import LoadedCase
from ..overrides import put_value

Array = NDArray[np.float64]

INERTIA = "plant.inertia_kg_m2"
SHORT = {"inertia": INERTIA}
"""Keys with a short name in `--free`."""

TURN = 0.1  # scale of an unknown alignment, rad
ROOTS = ("plant", "sensors", "environment")


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Unknown(ABC):
    """One unknown key, with its values and the coordinates of the search.

    key: key path in the case.
    names: names of the values.
    unit: unit of the values.
    start: coordinates at the start of the search.
    scale: scales of the coordinates.
    in_case: whether the key is part of a case file.
    """

    key: str
    names: tuple[str, ...]
    unit: str
    start: Array
    scale: Array
    in_case: bool = True

    @abstractmethod
    def values(self, z: Array) -> Array:
        """Return the values at coordinates z."""

    @abstractmethod
    def jacobian(self, z: Array) -> Array:
        """Return the derivative of the values with respect to the coordinates z."""

    @abstractmethod
    def sizes(self, values: Array) -> Array:
        """Return the scale of each value, for comparison with its standard deviation."""

    def document_value(self, z: Array) -> Any:
        """Return the value of the key in the document of a case."""
        return self.values(z).tolist()


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Inertia(Unknown):
    """Inertia of the hub in log-Cholesky coordinates, which represent only physically possible tensors.

    moment: scale of the moments of inertia, kg m^2.
    """

    moment: float

    def values(self, z: Array) -> Array:
        """Return the tensor entries xx, yy, zz, xy, xz, yz, kg m^2."""
        return np.asarray(entries_of(inertia_at(z, scale=self.moment)))

    def jacobian(self, z: Array) -> Array:
        """Return the derivative of the values with respect to the coordinates z."""
        return inertia_jacobian(z, scale=self.moment)

    def sizes(self, values: Array) -> Array:
        """Return the mean moment of inertia as the scale of every entry."""
        return np.full(6, float(values[:3].mean()))

    def document_value(self, z: Array) -> Any:
        """Return the inertia tensor as a list of rows."""
        return inertia_at(z, scale=self.moment).tolist()


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Number(Unknown):
    """A number or list of numbers in the case; positive numbers have logarithmic coordinates.

    shape: shape of the value; logarithmic: which entries have logarithmic coordinates.
    """

    shape: tuple[int, ...]
    logarithmic: NDArray[np.bool_]

    def values(self, z: Array) -> Array:
        """Return the numbers at coordinates z."""
        return np.where(self.logarithmic, np.exp(np.where(self.logarithmic, z, 0.0)), z)

    def jacobian(self, z: Array) -> Array:
        """Return the derivative of the values with respect to the coordinates z."""
        return np.diag(np.where(self.logarithmic, self.values(z), 1.0))

    def sizes(self, values: Array) -> Array:
        """Return the absolute value as scale; for a linear coordinate, the scale of the coordinate."""
        return np.where(self.logarithmic, np.abs(values), self.scale)

    def document_value(self, z: Array) -> Any:
        """Return the value as a number, or as nested lists."""
        values = self.values(z)
        return float(values[0]) if self.shape == () else values.reshape(self.shape).tolist()


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Additive(Unknown):
    """Values without a key in the case, in their own unit; the search starts at zero."""

    def values(self, z: Array) -> Array:
        """Return the coordinates, which are the values themselves."""
        return np.array(z)

    def jacobian(self, z: Array) -> Array:
        """Return the identity matrix."""
        return np.eye(len(z))

    def sizes(self, values: Array) -> Array:
        """Return the scales of the coordinates."""
        del values
        return self.scale


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Bias(Additive):
    """Bias of a gyro about the body axes, rad/s."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Alignment(Additive):
    """Rotation vector from the star tracker mounting in the case to the true one, body axes, rad."""


def unknowns_of(
    loaded: LoadedCase, free: Sequence[str], sensors: Sequence[Sensed], priors: Mapping[str, float]
) -> tuple[Unknown, ...]:
    """Return the unknowns named in `--free`.

    loaded: the case; free: key paths, `inertia`, `sensors.N.bias` or `sensors.N.alignment`; sensors: sensors of the
    case; priors: standard deviations by key. Raises InputError if a key is not numeric, is named twice, or has no scale
    because its value is zero.
    """
    found: list[Unknown] = []
    for given in free:
        key = SHORT.get(given, given)
        if key in [each.key for each in found]:
            raise InputError(f"--free names {given} twice; remove one of the two")
        found.append(_unknown(loaded, key, sensors, priors.get(given, priors.get(key))))
    if not found:
        raise InputError("--free names no parameter; give some, such as --free inertia")
    return tuple(found)


def priors_of_keys(priors: Mapping[str, float], free: Sequence[str]) -> dict[str, float]:
    """Return the standard deviations of priors by key path.

    priors: standard deviations by key path or short name; free: unknowns named in `--free`. Raises InputError if a key
    is not free, or a standard deviation is not positive and finite.
    """
    found = {SHORT.get(key, key): value for key, value in priors.items()}
    for key, sigma in found.items():
        if key not in [SHORT.get(each, each) for each in free]:
            raise InputError(f"--prior {key}: is not free; add it to --free or remove the prior")
        if not 0.0 < sigma < np.inf:
            raise InputError(f"--prior {key}: the standard deviation must be positive and finite; got {sigma:g}")
    return found


def put_all(document: Mapping[str, Any], unknowns: Sequence[Unknown], parts: Sequence[Array]) -> dict[str, Any]:
    """Return the document with the values of all unknowns; parts: coordinates of each unknown."""
    changed = {each.key.split(".")[0] for each in unknowns if each.in_case}
    found = {key: copy.deepcopy(value) if key in changed else value for key, value in document.items()}
    for each, z in zip(unknowns, parts, strict=True):
        if each.in_case:
            put_value(found, tuple(each.key.split(".")), each.document_value(z), where="--free")
    return found


def _unknown(loaded: LoadedCase, key: str, sensors: Sequence[Sensed], prior: float | None) -> Unknown:
    parts = key.split(".")
    if parts[0] == "sensors" and len(parts) == 3 and parts[2] in ("bias", "alignment"):
        return _of_sensor(key, parts, sensors, prior)
    if parts[0] not in ROOTS:
        raise InputError(
            f"--free {key}: only keys of {', '.join(ROOTS)} can be identified, such as plant.inertia_kg_m2; the "
            "telemetry contains the commands, so that the law does not matter"
        )
    if key == INERTIA:
        tensor = np.asarray(value_at(loaded.case, key), dtype=np.float64)
        moment = float(np.trace(np.diag(tensor) if tensor.ndim == 1 else tensor)) / 3.0
        names = tuple(f"inertia_{each}" for each in NAMES)
        z = log_cholesky(tensor, scale=moment)
        return Inertia(key=key, names=names, unit="kg m^2", start=z, scale=np.ones(6), moment=moment)
    if key.startswith(f"{INERTIA}."):
        raise InputError(
            f"--free {key}: an entry of the tensor alone would not stay symmetric and physical; give --free inertia, "
            "and --prior inertia=SIGMA for entries that the telemetry does not determine"
        )
    value = value_at(loaded.case, key)
    if isinstance(value, BaseModel):
        raise InputError(f"--free {key}: is a table of the case, not a number; name one of its keys, such as {key}.KEY")
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if isinstance(value, bool | str) or not np.isfinite(array).all():
        raise InputError(f"--free {key}: is {value!r} in the case, not a number; set a number as start value")
    flat = array.ravel()
    logarithmic = np.full(flat.size, array.ndim < 2 and bool((flat > 0.0).all()))  # other values may change sign
    size = np.abs(flat) if prior is None else np.full(flat.size, prior)
    if (size <= 0.0).any():
        raise InputError(
            f"--free {key}: is 0 in the case, so its magnitude is unknown; add --prior {key}=SIGMA or start "
            "from a different value"
        )
    start = np.where(logarithmic, np.log(np.where(logarithmic, flat, 1.0)), flat)
    names = tuple(".".join((key, *map(str, place))) if array.shape else key for place in np.ndindex(array.shape))
    return Number(
        key=key, names=names, unit="", start=start, scale=np.where(logarithmic, 1.0, size), shape=array.shape,
        logarithmic=logarithmic,
    )  # fmt: skip


def _of_sensor(key: str, parts: Sequence[str], sensors: Sequence[Sensed], prior: float | None) -> Unknown:
    if not parts[1].isdigit() or int(parts[1]) >= len(sensors):
        raise InputError(f"--free {key}: the case has {len(sensors)} sensors, numbered from 0")
    sensor = sensors[int(parts[1])].sensor
    is_bias = parts[2] == "bias"
    if is_bias and isinstance(sensor, RateGyro):
        size = prior or max(sensor.bias, 1e-6)
    elif not is_bias and isinstance(sensor, StarTracker):
        size = prior or TURN
    else:
        raise InputError(
            f"--free {key}: only a {'gyro' if is_bias else 'star tracker'} has one; {key} is of a different kind"
        )
    names = tuple(f"{key}_{axis}" for axis in "xyz")
    kind, unit = (Bias, "rad/s") if is_bias else (Alignment, "rad")
    return kind(key=key, names=names, unit=unit, start=np.zeros(3), scale=np.full(3, size), in_case=False)
