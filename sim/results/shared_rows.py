"""Values of a run that several metrics and warnings need, computed once per run."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from .row_norms import row_norms

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]
T = TypeVar("T")


def once(function: "Callable[[Run], T]") -> "Callable[[Run], T]":
    """Return a function of a run that keeps its result with the run, as a cached property does."""
    name = f"_{function.__module__}.{function.__name__}"

    @wraps(function)
    def of(run: "Run") -> T:
        cache = vars(run)
        if name not in cache:
            cache[name] = function(run)
        return cache[name]

    return of


@once
def rate_magnitude(run: "Run") -> Array:
    """Return the magnitude of the body rate in each row, (n,), rad/s."""
    found = np.concatenate([row_norms(piece) for piece in run.pieces("rate")])
    found.flags.writeable = False
    return found


@once
def spans(run: "Run") -> Array:
    """Return the time from each row to the next, (n,), s; 0 for the last row."""
    found = np.append(np.diff(run.t), 0.0)
    found.flags.writeable = False
    return found


@once
def momentum_imbalance(run: "Run") -> float:
    """Return the largest magnitude of the quantity "momentum_balance", N m s."""
    return max(float(row_norms(piece).max()) for piece in run.pieces("momentum_balance"))


@once
def energy_imbalance(run: "Run") -> float:
    """Return the largest magnitude of the quantity "energy_balance", J."""
    return float(np.abs(run.values("energy_balance")).max())
