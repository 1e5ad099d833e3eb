"""Stability check of a design on the sampled loop, with delay and all states of the plant."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError
from ..loop.sampled_loop import SampledLoop
from ..loop.wheel_instability import left_in_wheels


class _LinearLaw(Protocol):
    @property
    def sample(self) -> float: ...

    @property
    def delay(self) -> float: ...

    def closed_loop_poles(self) -> NDArray[np.complex128]: ...

    def loop(self) -> SampledLoop: ...


Law = TypeVar("Law", bound=_LinearLaw)

MOST_SAMPLES = 100.0  # longest delay in sampling periods


def require_stable(law: Law, *, what: str, at: Callable[[float], Law] | None = None, advice: str = "") -> Law:
    """Return the law if its sampled loop is stable; otherwise raise DesignError.

    law: the designed law.
    what: name of the law in messages.
    at: function from a sampling period (s) to the same design at that period. If given, the message names the longest
    stable period.
    advice: further remedies for the message.

    Raises DesignError when a pole is on or outside the unit circle.
    """
    loop = law.loop()
    poles = loop.poles()
    left = left_in_wheels(loop, poles)
    if left:
        raise DesignError(f"{what} does not stabilise the sampled loop with every state of the plant: {left}")
    radius = float(abs(poles[0]))
    if loop.stable:
        return law
    timing = f"sample {law.sample:g} s with delay {law.delay:g} s"
    bound = None if at is None else _longest(law.sample, at, delay=law.delay)
    if bound is not None:
        raise DesignError(
            f"{timing} is too slow for {what}: the sampled loop has a pole of modulus {radius:.6g}; with this delay "
            f"it is stable for samples below {bound:.3g} s: sample faster, or make the design slower"
        )
    if at is not None:
        no_help = "no faster sampling helps" if law.delay == 0.0 else "with this delay no faster sampling helps"
        advice = f"{no_help}: {'' if law.delay == 0.0 else 'shorten it, or '}make the design slower"
    raise DesignError(
        f"{what} does not stabilise the sampled loop with every state of the plant: pole modulus {radius:.9g} at "
        f"{timing}" + (f"; {advice}" if advice else "")
    )


def _radius(law: _LinearLaw) -> float:
    return float(abs(law.closed_loop_poles()[0]))


def _longest(sample: float, at: Callable[[float], _LinearLaw], *, delay: float) -> float | None:
    """Return the longest stable period below an unstable one, to 3 digits; None if the delay is too long."""
    high, low = sample, 0.5 * sample
    for _ in range(24):
        if delay > MOST_SAMPLES * low:  # compared with such a delay, the hold is negligible
            return None
        if _radius(at(low)) < 1.0:
            break
        high, low = low, 0.5 * low
    else:
        return None
    while high - low > 2e-4 * high:
        middle = 0.5 * (low + high)
        if _radius(at(middle)) < 1.0:
            low = middle
        else:
            high = middle
    return low
