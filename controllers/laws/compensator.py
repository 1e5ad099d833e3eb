"""Discrete linear compensator from a law's measurement to its command."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.brief import brief
from ...plant.checks import numbers
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import read_only

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Compensator:
    """Compensator x[k+1] = A x + B y + tracking (limited u - u), v = C x + D y.

    The input is y = [delta; omega - omega_ref; internal states], and v is the command without the feed-forward, N m.
    By `tracking`, the states follow the saturated command (Astrom & Wittenmark, Computer-Controlled Systems, section
    3.5, observer form). If `tracking` is zero, integrators wind up.

    Parameters
    ----------
    A : numpy.ndarray, shape (n, n)
        State matrix.
    B : numpy.ndarray, shape (n, 6 + e)
        Input matrix, from the measurement.
    C : numpy.ndarray, shape (3, n)
        Output matrix, to the command, N m.
    D : numpy.ndarray, shape (3, 6 + e)
        Direct feedthrough, from the measurement to the command.
    tracking : numpy.ndarray, shape (n, 3)
        Anti-windup gain on the difference between saturated and unsaturated command.

    Raises
    ------
    InputError
        When shapes do not match or a value is not finite.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    tracking: Array

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the matrices and store read-only copies."""
        for name in ("A", "B", "C", "D", "tracking"):
            object.__setattr__(self, name, read_only(np.atleast_2d(getattr(self, name))))
            if not np.isfinite(getattr(self, name)).all():
                raise InputError(f"compensator matrix {name} must be finite")
        n, m = self.A.shape[0], self.D.shape[1]
        shapes = {"A": (n, n), "B": (n, m), "C": (3, n), "D": (3, m), "tracking": (n, 3)}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape or m < 6:
                raise InputError(
                    f"compensator matrix {name} must be {shape[0]} x {shape[1]} (three commands, six or more "
                    f"measurements); got shape {getattr(self, name).shape}"
                )

    @classmethod
    def static(cls, gain: Any) -> "Compensator":
        """Return the static compensator v = gain y.

        Parameters
        ----------
        gain : array_like, shape (3, 6 + e)
            Gain from the measurement to the command.

        Returns
        -------
        Compensator
            The compensator, without states.

        Raises
        ------
        InputError
            When the gain is not a matrix of finite numbers.
        """
        D = numbers("gain", gain)
        if D.ndim != 2:
            raise InputError(f"gain must be a matrix of 3 x 6 or more; got shape {D.shape}")
        return cls(A=np.zeros((0, 0)), B=np.zeros((0, D.shape[1])), C=np.zeros((3, 0)), D=D, tracking=np.zeros((0, 3)))

    @property
    def order(self) -> int:
        """Number of states."""
        return self.A.shape[0]
