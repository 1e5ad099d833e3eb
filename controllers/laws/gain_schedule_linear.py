"""Linear form of a gain schedule at an operating point, and interpolation of its laws."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.errors import DesignError
from ..loop.acting_model import operating_rate
from ..loop.small_signal import SmallSignal, small_signal
from .compensator import Compensator
from .linear_feedback import LinearFeedback

if TYPE_CHECKING:
    from .gain_schedule import GainSchedule

Array = NDArray[np.float64]

COUPLED = 1e-9  # change of the command over one interval, relative to its size, that counts as zero


class _Frozen(NamedTuple):
    """A law with fixed kernel parameters, for its linear form."""

    kernel: Callable[..., Any]
    parameters: Array
    memory: Array


def small_signal_of(schedule: "GainSchedule", model: LinearModel) -> SmallSignal:
    """Return the linear form of a schedule; see `GainSchedule.small_signal`."""
    value = schedule.value_at(model)
    low, share = schedule.share(value)
    first = schedule.laws[low]
    if isinstance(first, LinearFeedback):
        found = SmallSignal(
            interpolated_compensator(first.compensator, schedule.laws[low + 1].compensator, share), first.measured
        )
    else:
        found = small_signal(_Frozen(first.kernel, schedule.interpolated(value), first.memory), model)
    if schedule.variable in ("reference-rate", "parameter") or not schedule.values[0] <= value <= schedule.values[-1]:
        return found
    command, memory = _slope(schedule, model, low, share)
    if not (command.any() or memory.any()):
        return found
    if schedule.variable == "momentum":
        raise DesignError(
            "the command at the operating point changes along this schedule over momentum, so its linear form "
            "would measure the momentum of the elements; schedule over a parameter, or give all laws the "
            "same feed-forward"
        )
    c = found.compensator
    B, D = np.array(c.B), np.array(c.D)
    D[:, 3:6] += np.outer(command, schedule.axis)
    B[:, 3:6] += np.outer(memory, schedule.axis)
    return found._replace(compensator=replace(c, B=B, D=D))


def _slope(schedule: "GainSchedule", model: LinearModel, low: int, share: float) -> tuple[Array, Array]:
    """Return the derivatives of command (3,) and memory (n,) with respect to the variable.

    model: model at the operating point; low, share: see `share`.
    """
    x0 = np.asarray(model.operating_point, dtype=np.float64)
    rate = operating_rate(model)
    y = np.concatenate((x0[:7], rate, x0[7:]))
    r = np.concatenate((x0[3:7], rate, np.zeros(3)))
    width = float(schedule.values[low + 1] - schedule.values[low])
    ends: list[tuple[Array, Array]] = []
    for k in (low, low + 1):
        u, z = np.zeros(3), np.array(schedule.laws[k].memory, dtype=np.float64)
        schedule.laws[k].kernel(0.0, y, r, np.asarray(schedule.laws[k].parameters, dtype=np.float64), z, u)
        order = schedule.laws[k].compensator.order if isinstance(schedule.laws[k], LinearFeedback) else len(z)
        ends.append((u, z[:order]))
    (u, z), (v, w) = ends
    size = max(float(np.abs(u).max()), float(np.abs(v).max()))
    command = (v - u) / width if np.abs(v - u).max() > COUPLED * size else np.zeros(3)
    memory = (w - z) / width if w.size and np.abs(w - z).max() > 0.0 else np.zeros(len(z))
    return command, memory


def interpolated_compensator(one: Compensator, other: Compensator, share: float) -> Compensator:
    """Return the compensator with interpolated matrices."""
    found: dict[str, Array] = {}
    for name in ("A", "B", "C", "D", "tracking"):
        a, b = (np.asarray(getattr(each, name), dtype=np.float64) for each in (one, other))
        found[name] = np.where(a == b, a, (1.0 - share) * a + share * b)
    return Compensator(**found)
