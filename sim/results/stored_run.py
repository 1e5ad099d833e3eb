"""Validated contents of a results file, used by every reader of a stored run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers.laws.files.json_text import read_json
from ...plant.errors import InputError
from ...plant.frozen import frozen_results
from ..engine.steppers.scheme import Scheme
from .ending import COUNTER, Ending
from .recorded import Open, Recorded, Table
from .seal import check_seal
from .stored_file import attributes_of, check_structure, opener, require_file

Array = NDArray[np.float64]

STATUSES = ("completed", "singular", "failed", "stopped")
COUNTERS = ("steps", "rejected_steps", "longest_adaptive_step", "samples", "norm_drift_per_step")
TEXTS = ("law", "reference", "blocks", "reason", "warnings", "seed")
LEDGER = 4  # width of the ledger: work and components of the angular impulse
LEAST_STATES = 7  # smallest number of states: angular momentum and Euler parameters
LONGEST_SEED = 100  # largest number of digits; a seed has 128 bits at most


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class StoredRun:
    """A run in a file, with checked attributes and shapes.

    source: opens the file; about: attributes of the file; t (n,): times of the rows, s; states, inputs: tables of n
    rows; other fields as in `Run`.
    """

    source: Open
    about: Mapping[str, Any]
    recorded: Recorded
    t: Array
    states: Table
    inputs: Table
    scheme: Scheme
    ended: Ending
    start: Array
    ledger: bool
    seed: int | None
    number: int


def read_about(path: str | Path) -> dict[str, Any]:
    """Return the attributes of a results file. Raises InputError when it is unreadable or not flat."""
    require_file(path)
    with opener(path)() as file:
        try:
            check_structure(file)
            about = dict(attributes_of(file))
            check_seal(file)
            return about
        except InputError as error:
            raise InputError(f"{path}: {error}") from None


def read_run(path: str | Path) -> StoredRun:
    """Return the run in a file. Raises InputError that names any invalid content."""
    about = read_about(path)
    missing = [name for name in ("status", "integrator", "ledger", "counters", "start", *TEXTS) if name not in about]
    if missing:
        raise InputError(
            f"{path}: is not the run of a Spacecraft ({missing[0]} is missing); xarray.open_dataset reads any "
            "NetCDF file"
        )
    source = opener(path)
    try:
        for name in TEXTS:
            _text(about, name)
        ledger = bool(_number(about, "ledger"))
        t, states, inputs = _tables(source, ledger=ledger)
        return StoredRun(
            source=source,
            about=about,
            recorded=Recorded(source),
            t=t,
            states=states,
            inputs=inputs,
            scheme=_scheme(about),
            ended=_ending(about),
            start=_start(about, states.shape[1]),
            ledger=ledger,
            seed=_seed(about["seed"]),
            number=_run_number(about),
        )
    except InputError as error:
        message = str(error)
        raise InputError(message if message.startswith(f"{path}: ") else f"{path}: {message}") from None


def _tables(source: Open, *, ledger: bool) -> tuple[Array, Table, Table]:
    """Return times, states and inputs. Raises InputError when a quantity has a different number of rows."""
    with source() as file:
        for name in ("time", "state_vector", "input_vector"):
            if name not in file:
                raise InputError(f"is not the run of a Spacecraft (it has no {name})")
            if file[name].dtype.kind != "f" or file[name].ndim != (1 if name == "time" else 2):
                raise InputError(f"{name} is not a {'column' if name == 'time' else 'table'} of numbers")
        rows = file["time"].shape[0]
        for name in (*Recorded(source).names, "state_vector", "input_vector"):
            if file[name].dtype.kind not in "biuf" or file[name].shape[0] != rows:
                raise InputError(f"{name} does not have a number at each of the {rows} times")
        t = np.asarray(file["time"][...], dtype=np.float64)
    if not rows or not np.isfinite(t).all() or (np.diff(t) < 0.0).any():
        raise InputError("its times must be finite and ascending, and there must be at least one")
    states, inputs = Table(source, "state_vector"), Table(source, "input_vector")
    if states.shape[1] < LEAST_STATES + LEDGER * ledger or inputs.shape[1] < 3:
        raise InputError(
            f"has {states.shape[1]} states and {inputs.shape[1]} inputs, fewer than any spacecraft has (momentum, "
            "Euler parameters; command)"
        )
    return t, states, inputs


def _scheme(about: Mapping[str, Any]) -> Scheme:
    step = _number(about, "step_s")
    return Scheme(_text(about, "integrator"), step=None if step < 0.0 else step, rtol=_number(about, "rtol"))


def _ending(about: Mapping[str, Any]) -> Ending:
    status = _text(about, "status")
    if status not in STATUSES:
        raise InputError(f"status must be one of {', '.join(STATUSES)}; got {status!r:.60}")
    counters = read_json(_text(about, "counters"), where="counters")
    if not isinstance(counters, dict):
        raise InputError("counters must be an object of numbers")
    found = cast("dict[str, Any]", counters)
    for name in (*COUNTERS, *found):
        value = found.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"counters: {name} must be a number; got {value!r:.60}")
        if status == "completed" and name != COUNTER and not _finite(value):
            raise InputError(f"counters: {name} of a completed run must be finite; got {value!r:.60}")
    warnings = tuple(line for line in _text(about, "warnings").split("\n") if line)
    return Ending(status, _text(about, "reason"), warnings, found, looked=True)


def _start(about: Mapping[str, Any], size: int) -> Array:
    given = read_json(_text(about, "start"), where="start")
    numbers = cast("Sequence[Any]", given) if isinstance(given, list) else ()
    plain = all(isinstance(each, int | float) and not isinstance(each, bool) and _finite(each) for each in numbers)
    if len(numbers) != size or not plain:
        raise InputError(f"start must be {size} finite numbers, as the rows of state_vector have; got {given!r:.60}")
    return np.array(numbers, dtype=np.float64)


def _seed(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_SEED):
        raise InputError(f"seed must be a whole number, not negative; got {text!r:.60}")
    return int(text)


def _run_number(about: Mapping[str, Any]) -> int:
    value = about.get("run_number")
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**32:
        raise InputError(f"run_number must be a whole number from 0 to {2**32 - 1}; got {value!r:.60}")
    return value


def _text(about: Mapping[str, Any], name: str) -> str:
    value = about[name]
    if not isinstance(value, str):
        raise InputError(f"{name} must be text; got {value!r:.60}")
    return value


def _number(about: Mapping[str, Any], name: str) -> float:
    value = about.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise InputError(f"{name} must be a finite number; got {value!r:.60}")
    return float(value)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond 1.8e308
        return False
