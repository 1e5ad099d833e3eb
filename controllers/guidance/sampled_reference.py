"""Reference that interpolates attitudes at discrete times, such as a recorded or planned motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.attitude import quaternion_product
from ...plant.checks import UNIT, numbers
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import read_only
from ..contracts.kernel_reference import KernelReference
from .sampled_kernel import sampled_kernel

Array = NDArray[np.float64]

NEAR = 0.7  # smallest |e . e'| of neighbouring attitudes, about 90 degrees apart


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class SampledReference(KernelReference):
    """Reference that interpolates attitudes by a normalised cubic spline of the Euler parameters.

    With the spline p(t) through the Euler parameters, whose signs are chosen for continuity, the motion is e = p/|p|.
    Rate and acceleration are the exact derivatives of this motion, and both are continuous. For samples of a smooth
    motion at intervals h, the attitude error is of order h^4 and the rate error of order h^3. Before the first and
    after the last attitude the motion continues at constant rate.

    If rates are given, the pieces are Hermite cubics through attitudes and rates. The rate is then continuous, and the
    acceleration may be discontinuous at a sample, for example if a torque switches. Both are still exact derivatives of
    the attitude.

    Parameters
    ----------
    t : array_like, shape (n,)
        At least two times, s, ascending.
    attitude : array_like, shape (n, 4)
        Euler parameters, scalar first; e and -e are the same attitude.
    rate : array_like, shape (n, 3), optional
        Body rate at each time, rad/s; by default the rate of the spline.

    Raises
    ------
    InputError
        When times do not ascend, an attitude is not of unit norm, or neighbouring attitudes are more than 90 degrees
        apart.

    Examples
    --------
    >>> t = np.linspace(0.0, 2.0, 21)
    >>> turn = np.column_stack((np.cos(0.5 * t), 0 * t, 0 * t, np.sin(0.5 * t)))  # about z, at 1 rad/s
    >>> SampledReference(t, turn).at(0.83).round(5).tolist()[3:7]
    [0.40319, 0.0, 0.0, 1.0]
    """

    t: Array
    attitude: Array
    rate: Array | None

    def __init__(self, t: ArrayLike, attitude: ArrayLike, *, rate: ArrayLike | None = None) -> None:
        times, e = numbers("times of attitudes", t, "s"), numbers("attitudes", attitude)
        if times.ndim != 1 or times.size < 2 or e.shape != (times.size, 4):
            raise InputError(
                f"a sampled reference needs two attitudes or more, four numbers each, and a time for each; got shapes "
                f"{times.shape} and {e.shape}"
            )
        if not (np.diff(times) > 0.0).all():
            worst = int(np.argmin(np.diff(times)))
            raise InputError(f"times of attitudes must ascend; got {times[worst]:g} and then {times[worst + 1]:g} s")
        norm = np.linalg.norm(e, axis=1)
        if not (np.abs(norm - 1.0) < UNIT).all():
            worst = int(np.argmax(np.abs(norm - 1.0)))
            raise InputError(f"the attitude at {times[worst]:g} s must be of unit norm; got {norm[worst]:.9g}")
        products = (e[1:] * e[:-1]).sum(axis=1)
        if (np.abs(products) < NEAR).any():
            worst = int(np.argmin(np.abs(products)))
            raise InputError(
                f"the attitudes at {times[worst]:g} and {times[worst + 1]:g} s are "
                f"{np.degrees(2.0 * np.arccos(min(abs(products[worst]), 1.0))):.4g} degrees apart, too far for "
                "interpolation; give more attitudes, at most 90 degrees apart"
            )
        rates = None if rate is None else numbers("rates", rate, "rad/s")
        if rates is not None and rates.shape != (times.size, 3):
            raise InputError(
                f"rates of a sampled reference are three numbers (rad/s) for each of {times.size} times; got shape "
                f"{rates.shape}"
            )
        signs = np.cumprod(np.concatenate(([1.0], np.where(products < 0.0, -1.0, 1.0))))
        object.__setattr__(self, "t", read_only(times))
        object.__setattr__(self, "attitude", read_only(e / norm[:, None] * signs[:, None]))
        object.__setattr__(self, "rate", None if rates is None else read_only(rates))

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: number of pieces, their start times, and their polynomials."""
        from scipy import interpolate

        spline: Any
        if self.rate is None:
            spline = interpolate.CubicSpline(self.t, self.attitude)
        else:
            spline = interpolate.CubicHermiteSpline(self.t, self.attitude, kinematic_rates(self.attitude, self.rate))
        pieces = np.moveaxis(spline.c, 1, 0).reshape(len(self.t) - 1, 16)
        return read_only(np.concatenate(([len(pieces)], self.t, pieces.ravel())))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return sampled_kernel


def kinematic_rates(e: Array, rate: Array) -> Array:
    """Return e' = e o (0, omega)/2 for attitudes e (n, 4) and body rates omega (n, 3)."""
    return 0.5 * quaternion_product(e, np.column_stack((np.zeros(len(e)), rate)))
