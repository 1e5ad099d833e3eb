"""Metrics of the torque command and its limits."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....sim.results.limit_times import command_limit_times, rate_excess
from ....sim.results.missed_pulses import missed_pulses
from ....sim.results.row_norms import row_norms, row_squares
from ....sim.results.shared_rows import spans
from .kind import DoesNotApplyError, MetricSettings, MissingPartError, NoValueError, largest, metric

if TYPE_CHECKING:
    from ....sim import Run

STEERED = "steered_torque"
"""Torque demanded of control moment gyros."""


def _require_law(run: "Run") -> None:
    if run.law is None:
        raise MissingPartError("the case has no [controller]")


def _require_pulses(run: "Run") -> None:
    """Raise NoValueError if the command is pulsed between the rows."""
    _require_law(run)
    if reason := missed_pulses(run):
        raise NoValueError(reason)


def _commands(run: "Run") -> list[str]:
    """Return the names of the commanded torques; two control torques stay separate, since they may cancel.

    Control moment gyros take over the command, so that the external command is zero.
    """
    if STEERED in run.names:
        return [STEERED]
    return [name for name in ("command_wheels", "command_external") if name in run.names] or ["command"]


def _held(run: "Run", name: str, size: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> float:
    """Return the time integral of the magnitude of a command, held between output rows."""
    total, row = 0.0, 0
    for u in run.pieces(name):
        total += float(size(u) @ spans(run)[row : row + len(u)])
        row += len(u)
    return total


@metric("largest magnitude of a commanded component in the torque basis")
def peak_torque_N_m(run: "Run", _: MetricSettings) -> float:
    _require_pulses(run)
    return max(largest(run, name, np.abs) for name in _commands(run))


@metric("integral of |u|^2, u the command in the torque basis, held between outputs")
def effort_N2_m2_s(run: "Run", _: MetricSettings) -> float:
    _require_pulses(run)
    return sum(_held(run, name, row_squares) for name in _commands(run))


@metric("integral of |u|, u the external control torque, held between outputs: a measure of thruster use")
def external_impulse_N_m_s(run: "Run", _: MetricSettings) -> float:
    _require_law(run)
    if "external" not in run.craft.ports:
        raise MissingPartError("the law commands only wheels")
    if STEERED in run.names:
        raise MissingPartError("control moment gyros produce the torque of the law")
    _require_pulses(run)
    return _held(run, _commands(run)[-1], row_norms)


@metric(
    "longest time that a control torque was at its limit, in a component or on the envelope of the thrusters or "
    "wheels, held between outputs"
)
def time_at_command_limit_s(run: "Run", _: MetricSettings) -> float:
    _require_law(run)
    times = command_limit_times(run)
    if not times:
        raise DoesNotApplyError("the case has no limit on a control torque")
    _require_pulses(run)
    return max(times.values())


@metric(
    "time during which the body rate exceeded the rate limit of its reference by more than 1 %, at the resolution "
    "of the output"
)
def time_above_rate_limit_s(run: "Run", _: MetricSettings) -> float:
    excess = rate_excess(run)
    if excess is None:
        raise DoesNotApplyError("no reference of the case has a rate limit")
    return excess.time
