"""User-defined torques and forces without a potential."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite
from ..errors import InputError
from ..frozen import frozen_arrays


@frozen_arrays
@dataclass(frozen=True, eq=False)
class UserForce:
    """Non-potential torque and force, given by a function (Shivarama & Fahrenthold 2004, (27)).

    Parameters
    ----------
    function : callable
        f(t, e, omega, c, v) returns six numbers: torque (body components, N m) and force (inertial components, N).
        t: time, s. e (4): Euler parameters. omega (3): body rate, rad/s. c and v (3): inertial position and
        velocity of the hub's mass centre, without elements; the force acts there, and the torque refers to this
        point. If the spacecraft is pivoted, c = R b and v = R (omega x b), with b from the pivot to the hub's mass
        centre, and the force exerts the torque b x R'f. If it is neither pivoted nor translating, c and v are not
        computed, and a function that uses them is rejected. A force that does not use them still acts on the elements:
        thrust makes a pendulum swing. The motion of the mass centre is then omitted. The function must not write to its
        arguments. It is compiled to C at first use. If this is not possible (try, dict, a source typed at a prompt),
        the function runs as plain Python, which is far slower; the reason is written to stderr.
    breakpoints : array_like, shape (n,)
        Times (s) of jumps or kinks of the function; integration steps end there.

    Raises
    ------
    InputError
        When a breakpoint is not finite, or the function does not return six numbers.

    Examples
    --------
    >>> drag = UserForce(lambda t, e, omega, c, v: (-0.1 * omega[0], -0.1 * omega[1], 0.0, 0.0, 0.0, 0.0))
    """

    function: Callable[[Any, Any, Any, Any, Any], Sequence[Any]]
    breakpoints: ArrayLike = ()

    def __post_init__(self) -> None:
        times: NDArray[np.float64] = np.array(sorted(finite("breakpoint", b, "s") for b in np.ravel(self.breakpoints)))
        object.__setattr__(self, "breakpoints", times)
        attitude, zero = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
        attitude.flags.writeable = zero.flags.writeable = False
        try:
            value = self.function(0.0, attitude, zero, zero, zero)
        except Exception as error:
            raise InputError(f"the user force failed at t = 0 ({type(error).__name__}: {error})") from error
        if np.shape(value) != (6,):
            raise InputError(f"a user force must return 6 numbers, torque and force; got shape {np.shape(value)}")
        if np.asarray(value).dtype.kind not in "iuf":
            raise InputError(f"a user force must return 6 numbers, torque and force; got {value!r}")
