# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Several torques on the hub, each constant or a raised cosine between two times; those that overlap add."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from ...plant.checks import choice, non_negative, positive, vector
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernel import kernel
from .torque import HubTorque

__all__ = ["HubPulse", "pulses_torque"]

SHAPES = {"constant": 0.0, "raised-cosine": 1.0}


@kernel
def pulses(t, q, u):
    """q[0] pulses of six numbers each: from, to, shape, components at the peak."""
    for k in range(3):
        u[k] = 0.0
    for n in range(int(q[0])):
        b = 1 + 6 * n
        if q[b] <= t < q[b + 1]:
            size = 1.0
            if q[b + 2] > 0.5:
                size = 0.5 * (1.0 - math.cos(2.0 * math.pi * (t - q[b]) / (q[b + 1] - q[b])))
            for k in range(3):
                u[k] += q[b + 3 + k] * size


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class HubPulse:
    """A torque on the hub, in hub axes, that acts for start <= t < stop.

    Parameters
    ----------
    components : array_like, shape (3,)
        At the peak of the shape, N m.
    start, stop : float
        s.
    shape : str
        "constant", or "raised-cosine": half of 1 - cos(2 pi (t - start) / (stop - start)), as 003 (116).

    Raises
    ------
    InputError
        When it stops before it starts, or the shape is unknown.

    Examples
    --------
    >>> HubPulse(components=(0, 15, 0), start=0.0, stop=1.0, shape="raised-cosine").stop
    1.0
    """

    components: ArrayLike
    start: float
    stop: float
    shape: str = "constant"

    def __post_init__(self) -> None:
        vector("torque components", self.components, unit="N m")
        choice("shape", self.shape, SHAPES)
        start, stop = non_negative("start", self.start, "s"), positive("stop", self.stop, "s")
        if stop <= start:
            raise InputError(f"a torque must stop after it starts: stop {stop:g} s, start {start:g} s")


def pulses_torque(given: Sequence[HubPulse]) -> HubTorque:
    """Return the sum of pulses as one torque of time.

    Parameters
    ----------
    given : sequence of HubPulse
        May be empty, and may overlap.

    Returns
    -------
    HubTorque
        For `simulate_flexible`; steps end where a pulse starts or stops.

    Examples
    --------
    >>> pulses_torque([HubPulse(components=(0, 1, 0), start=1.0, stop=2.0)]).breakpoints
    (1.0, 2.0)
    """
    numbers = [float(len(given))]
    for each in given:
        numbers += [each.start, each.stop, SHAPES[each.shape], *vector("torque components", each.components)]
    edges = sorted({edge for each in given for edge in (float(each.start), float(each.stop))})
    return HubTorque(function=pulses, parameters=tuple(numbers), breakpoints=tuple(edges))
