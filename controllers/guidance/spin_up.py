"""Spin-up from rest to a constant spin about one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ...plant.kernels.fields import filled
from ...plant.quantity import (
    DERIVED_NUMBER,
    NUMBER,
    OPTIONAL_NUMBER,
    QUATERNION,
    VECTOR,
    check_fields,
    declared,
    one_of,
    quantity,
)
from ..contracts.checks import read_only
from ..contracts.kernel_reference import KernelReference
from .turn_kernels import SPIN_UP, spin_up_kernel
from .turn_limits import QUINTIC_RATE

Array = NDArray[np.float64]
RAMP, SMOOTH = "ramp", "smooth"


@declared
class SpinUp(KernelReference):
    """Spin-up from rest about an axis fixed in the body and in space, followed by a constant spin.

    e_ref = attitude o (cos(theta/2), a sin(theta/2)) with a = rate/|rate|. Let x = (t - begin)/duration. The rate
    theta' is |rate| x for "ramp" (constant acceleration), and |rate| (10 x^3 - 15 x^4 + 6 x^5) for "smooth", whose
    acceleration is continuous and peaks at 15/8 |rate|/duration. With both profiles, the rotation angle of the spin-up
    is |rate| duration/2.

    Parameters
    ----------
    attitude : array_like, shape (4,)
        Initial attitude, Euler parameters, scalar first.
    rate : array_like, shape (3,)
        Final angular velocity, in components of the reference body frame, rad/s.
    begin : float
        Start time, s.
    acceleration : float, optional
        Largest angular acceleration, rad/s^2. Give this or the duration.
    duration : float, optional
        Duration of the spin-up, s.
    profile : {"ramp", "smooth"}
        Time profile of the rate.

    Raises
    ------
    InputError
        When the attitude is not of unit norm, the rate is zero, acceleration or duration is not positive, or both or
        neither of acceleration and duration are given.

    Examples
    --------
    >>> start = SpinUp(rate=(0, 0, 0.5), acceleration=0.01)
    >>> start.duration
    50.0
    >>> start.at(25.0)[4:].tolist()  # half of the rate at half of the duration
    [0.0, 0.0, 0.25, 0.0, 0.0, 0.01]
    """

    manoeuvre: ClassVar[str] = "spin-up"

    attitude: Array = quantity(
        converter=QUATERNION, case=None, kw_only=False, default=(1.0, 0.0, 0.0, 0.0),
        doc="attitude at rest, Euler parameters",
    )  # fmt: skip
    rate: Array = quantity("rad/s", converter=VECTOR, case=None, doc="final angular velocity, body axes")
    begin: float = quantity("s", converter=NUMBER, default=0.0, case="=from_s", doc="start time")
    acceleration: float | None = quantity(
        "rad/s^2", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None, case="deg/s^2 or rad/s^2",
        doc="largest acceleration",
    )  # fmt: skip
    duration: float = quantity(
        "s", converter=DERIVED_NUMBER, positive=True, optional=True, default=None, case="=ramp_s",
        doc="duration of the spin-up",
    )  # fmt: skip
    profile: str = quantity(converter=one_of(RAMP, SMOOTH), default=RAMP, doc="constant acceleration, or smooth")

    def __post_init__(self) -> None:
        check_fields(self, of="spin-up")
        size = float(np.linalg.norm(self.rate))
        if size == 0.0:
            raise InputError("spin-up rate must not be zero (rad/s); hold an attitude with FixedReference")
        if (self.acceleration is None) == (self.duration is None):  # pyright: ignore[reportUnnecessaryComparison] # before the next lines
            raise InputError("spin-up: give one of acceleration (rad/s^2) and duration (s)")
        if self.acceleration is not None:
            peak = 1.0 if self.profile == RAMP else QUINTIC_RATE
            object.__setattr__(self, "duration", peak * size / self.acceleration)

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: attitude, axis, begin, magnitude of the rate, duration, whether smooth."""
        size = float(np.linalg.norm(self.rate))
        given = {"begin": self.begin, "rate": size, "duration": self.duration, "smooth": self.profile == SMOOTH}
        return read_only(np.array(filled(SPIN_UP, start=self.attitude, axis=self.rate / size, **given)))

    @property
    def steady(self) -> tuple[Array, Array]:
        """Attitude and rate (rad/s) of the final spin, at one time during the spin."""
        return self.attitude, self.rate

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return spin_up_kernel
