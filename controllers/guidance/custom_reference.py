"""User-defined reference motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import finite, unit_quaternion
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import packed

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class CustomReference:
    """Reference defined by a user's function.

    Parameters
    ----------
    function : callable
        `function(t, q, r)`, which writes all ten numbers of r and only reads t and q. Attitude, rate and acceleration
        must be consistent; the laws do not check this. The function is compiled to C at first use, or runs as plain
        Python if it cannot be compiled (see `CustomLaw`).
    parameters : array_like
        Parameters q of the function.

    Raises
    ------
    InputError
        When the function is not callable, or when at t = 0 it raises an error, leaves a number unwritten or not finite,
        or writes an attitude that is not of unit norm.
    """

    function: Callable[..., Any]
    parameters: Array

    def __init__(self, function: Callable[..., Any], parameters: ArrayLike = ()) -> None:
        if not callable(function):
            raise InputError(f"reference function must be callable as function(t, q, r); got {function!r}")
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "parameters", packed("reference parameters", parameters))
        self.at(0.0)  # raise errors here instead of in the middle of a run

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return self.function

    def at(self, t: float) -> Array:
        """Return the reference r = [e_ref, omega_ref, alpha_ref] at a time.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (10,)
            Attitude, rate (rad/s) and acceleration (rad/s^2).

        Raises
        ------
        InputError
            When the function raises an error, leaves a number unwritten, or writes an attitude that is not of unit
            norm.
        """
        r = np.full(10, np.nan)  # NaN reveals entries that the function does not write
        try:
            self.function(finite("t", t, "s"), self.parameters, r)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"reference function failed at t = {t:g} s ({type(error).__name__}: {error}); q has the "
                f"{self.parameters.size} parameters passed and is read-only, r has 10 numbers"
            ) from error
        if not np.isfinite(r).all():
            raise InputError(
                "reference function must write 10 finite numbers (e_ref, omega_ref, alpha_ref); at t = "
                f"{t:g} s it wrote {r.tolist()}"
            )
        unit_quaternion(f"reference attitude at t = {t:g} s", r[:4])
        return r
