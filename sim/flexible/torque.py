# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Torques on the hub as functions of time."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ...plant.brief import brief
from ...plant.checks import finite, positive, vector
from ...plant.frozen import frozen_arrays
from ...plant.kernel import kernel

__all__ = ["HubTorque", "no_torque", "raised_cosine", "raised_cosine_torque"]


@kernel
def no_torque(t, q, u):
    """No torque."""
    u[0] = 0.0
    u[1] = 0.0
    u[2] = 0.0


@kernel
def raised_cosine(t, q, u):
    """q[0..2] (1 - cos(2 pi (t - q[3]) / q[4])) from q[3] for q[4] seconds: 003 (116)."""
    size = 0.0
    since = t - q[3]
    if 0.0 <= since < q[4]:
        size = 1.0 - math.cos(2.0 * math.pi * since / q[4])
    for k in range(3):
        u[k] = q[k] * size


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class HubTorque:
    """A torque on the hub, in hub axes, as a function of time.

    Parameters
    ----------
    function : callable
        torque(t, q, u) writes three components (N m) into u at time t (s); numba must be able to compile it, unless the
        run is asked for in plain Python.
    parameters : array_like, shape (n,)
        What it gets as q.
    breakpoints : tuple of float
        Times (s) where it is not smooth; steps end there.
    """

    function: Callable[..., Any]
    parameters: ArrayLike = (0.0,)
    breakpoints: tuple[float, ...] = ()

    __repr__ = brief


def raised_cosine_torque(amplitude: ArrayLike, *, start: float = 0.0, duration: float) -> HubTorque:
    """Return the pulse of 003 (116): amplitude (1 - cos(2 pi (t - start) / duration)), zero outside.

    003 prints tau0/2 (sin(2 pi t/T - pi/2) + 1) with tau0 = 15 N m, which is the same with an amplitude of 7.5 N m.

    Parameters
    ----------
    amplitude : array_like, shape (3,)
        Half the peak, hub axes, N m.
    start, duration : float
        s.

    Returns
    -------
    HubTorque
        For `simulate_flexible`.

    Examples
    --------
    >>> pulse = raised_cosine_torque((0, 7.5, 0), duration=1.0)
    >>> pulse.breakpoints
    (0.0, 1.0)
    """
    a = vector("torque amplitude", amplitude, unit="N m")
    begin, span = finite("start", start, "s"), positive("duration", duration, "s")
    return HubTorque(function=raised_cosine, parameters=(*a, begin, span), breakpoints=(begin, begin + span))
