"""References of a law: a fixed attitude and a constant spin.

The reference of every law is ten numbers r = [e_ref (4), omega_ref (3), alpha_ref (3)]: attitude, angular
velocity (rad/s) and angular acceleration (rad/s^2), the last two in components of the reference body frame,
so that e_ref' = 1/2 G(e_ref)' omega_ref and alpha_ref is the time derivative of the three components of omega_ref.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import unit_quaternion, vector
from ...plant.frozen import frozen_arrays
from ..guidance.reference_kernels import fixed_kernel, spin_kernel
from .checks import read_only
from .kernel_reference import KernelReference

Array = NDArray[np.float64]


@runtime_checkable
class Reference(Protocol):
    """The interface of a reference: `kernel(t, q, r)` writes the ten numbers r, given `parameters` as q."""

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        ...

    @property
    def parameters(self) -> Array:
        """Parameters q of the kernel."""
        ...

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
        """
        ...


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class FixedReference(KernelReference):
    """Fixed attitude, at rest in the inertial frame.

    Parameters
    ----------
    attitude : array_like, shape (4,)
        Euler parameters, scalar first; e and -e are the same attitude.

    Raises
    ------
    InputError
        When the attitude is not four numbers of unit norm.

    Examples
    --------
    >>> FixedReference((0, 0, 0, 1)).at(5.0).tolist()
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """

    attitude: Array

    def __init__(self, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> None:
        object.__setattr__(self, "attitude", read_only(unit_quaternion("reference attitude", attitude)))

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: e_ref."""
        return self.attitude

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return fixed_kernel


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class SpinReference(KernelReference):
    """Rotation at a constant body rate: e_ref(t) = e0 o exp(rate t).

    Parameters
    ----------
    attitude : array_like, shape (4,)
        Attitude e0 at t = 0, Euler parameters, scalar first.
    rate : array_like, shape (3,)
        Angular velocity in components of the reference body frame, rad/s. Its direction is also fixed in the
        inertial frame.

    Raises
    ------
    InputError
        When the attitude is not of unit norm or the rate is not three finite numbers.

    Examples
    --------
    >>> SpinReference(rate=(0, 0, np.pi)).at(1.0).round(12).tolist()
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.14159265359, 0.0, 0.0, 0.0]
    """

    attitude: Array
    rate: Array

    def __init__(self, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0), *, rate: ArrayLike) -> None:
        object.__setattr__(self, "attitude", read_only(unit_quaternion("reference attitude", attitude)))
        object.__setattr__(self, "rate", read_only(vector("reference rate", rate, unit="rad/s")))

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: e0 and the rate."""
        return read_only(np.concatenate((self.attitude, self.rate)))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return spin_kernel
