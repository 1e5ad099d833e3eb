"""Torques and forces of the user's own that come from no potential."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite
from ..errors import InputError
from ..frozen import frozen_arrays

__all__ = ["Effort"]


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Effort:
    """A non-potential torque and force given as a function (Shivarama & Fahrenthold 2004, (27)).

    Parameters
    ----------
    function : callable
        f(t, e, omega, c, v) returning six numbers: torque (body components, N m) and force (inertial
        components, N). t in s; e (4) Euler parameters; omega (3) body rate, rad/s; c and v (3) position and
        velocity, inertial components, of the hub's own mass centre (without its elements), where the force acts and
        about which the torque is. With a pivot c = R b and v = R (omega x b), b from the pivot to that point, and the
        force turns the craft by b x R'f. With neither pivot nor translation c and v are not followed: a function that
        uses them is refused. A force that does not depend on them then acts on the elements (a thrust makes a pendulum
        swing), and the motion of the mass centre it causes is left out. The function must not write into its arguments.
        It is compiled to C at first use, or run as plain Python where it has none (try, dict, a source typed at a
        prompt), far slower; stderr says why.
    breakpoints : array_like, shape (n,)
        Times (s) at which the function jumps or kinks; integration is split there.

    Raises
    ------
    InputError
        When a breakpoint is not finite, or the function does not return six numbers.

    Examples
    --------
    >>> drag = Effort(lambda t, e, omega, c, v: (-0.1 * omega[0], -0.1 * omega[1], 0.0, 0.0, 0.0, 0.0))
    """

    function: Callable[[Any, Any, Any, Any, Any], Sequence[Any]]
    breakpoints: ArrayLike = ()

    def __post_init__(self) -> None:
        times: NDArray[np.float64] = np.array(sorted(finite("breakpoint", b, "s") for b in np.ravel(self.breakpoints)))
        object.__setattr__(self, "breakpoints", times)
        attitude, zero = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
        attitude.flags.writeable = zero.flags.writeable = False
        try:
            got = self.function(0.0, attitude, zero, zero, zero)
        except Exception as error:
            raise InputError(f"the effort failed at t = 0 ({type(error).__name__}: {error})") from error
        if np.shape(got) != (6,):
            raise InputError(f"an effort must return 6 numbers, torque and force; got shape {np.shape(got)}")
        if np.asarray(got).dtype.kind not in "iuf":
            raise InputError(f"an effort must return 6 numbers, torque and force; got {got!r}")
