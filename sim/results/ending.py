"""End of a run: status, reason, warnings and counters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.contracts.law_defaults import with_defaults
from ...plant import TorquePulse
from ...plant.loads.faults import TOO_LARGE
from ..engine import indices as at
from ..engine.extremes import INTEGRAL, PEAK, SQUARES, counters_of
from ..engine.loop import Loop
from .fault_words import answer_fault, command_fault, load_fault
from .known_faults import known_faults
from .near_singularity import near_singularity
from .unmonitored_motors import unmonitored_motors

COUNTER = "attitude_accuracy_rad"
"""Counter of the attitude accuracy that was reached, rad: see `polhode.sim.simulate_to_accuracy`."""

WORTH_A_WORD = 10.0  # amplification from which a warning is given
LARGE_DRIFT = 1e-4  # deviation of |e|^2 in a step from which a warning is given
OFTEN = 0.02  # fraction of halved steps from which a warning is given


@dataclass(frozen=True)
class Ending:
    """End of a run.

    status: "completed", "singular", "failed" or "stopped".
    reason: a sentence; empty for a completed run.
    warnings: findings that the user should know about although the run continued.
    counters: number of steps and of rejected steps (for an implicit method: halved), longest step of dop853 (s),
    shortest implicit step if some were halved (s), number of samples, largest drift of |e|^2 in a step, time of the
    end (s), nearest singular pose. For each signal of the elements: its peak and the integral of its square over all
    steps, and its integral if the signal is `integrated`; for a limit, the time at the limit (s). The number of faults
    that began, if any; for a run in real time also
    `RealTime.counters`.
    looked: whether the finished run was checked and the warnings are complete; if not, the warnings are those of the
    engine.
    """

    status: str
    reason: str
    warnings: tuple[str, ...]
    counters: dict[str, float]
    looked: bool = False


def ending(loop: Loop, status: int, pulses: Sequence[TorquePulse]) -> Ending:
    """Return status, reason, warnings and counters of a run that has ended.

    loop: the loop of the run; status: last status of the engine; pulses: scheduled torques of the run.
    """
    words, reason = ("completed", "") if status == at.DONE else _reason(loop, status, pulses)
    arrays, craft, view = loop.arrays, loop.craft, loop.view
    clock: list[float] = arrays.clock.tolist()
    count: list[int] = arrays.count.tolist()
    counters: dict[str, float] = {
        "steps": count[at.STEPS],
        "rejected_steps": count[at.REJECTED],
        "longest_adaptive_step": clock[at.LONGEST],
        "samples": count[at.KS],
        "norm_drift_per_step": clock[at.NORM_DRIFT],
        "end_time": clock[at.T],
    }
    if view is not None and view.sequence is not None:
        counters["nearest_gimbal_lock_rad"] = math.asin(min(clock[at.CLOSEST_LOCK], 1.0))
    if craft.torques.sequence is not None or any(pulse.basis.sequence is not None for pulse in pulses):
        counters["largest_amplification"] = 1.0 / min(max(clock[at.CLOSEST_HARD], 1e-300), 1.0)
    for (label, signal), row in zip(loop.signals, counters_of(arrays.tally) if loop.signals else (), strict=True):
        prefix = f"{label}_{signal.whole_name}"
        if signal.flag:
            counters[f"{prefix}_s"] = float(row[INTEGRAL])
        else:
            counters[f"{prefix}_peak"] = float(row[PEAK])
            counters[f"{prefix}_square_integral"] = float(row[SQUARES])
            if signal.integrated:
                counters[f"{prefix}_integral"] = float(row[INTEGRAL])
    if clock[at.SHORTEST] > 0.0:
        counters["shortest_implicit_step"] = clock[at.SHORTEST]
    found = _warnings(clock, words) + _halved(clock, count) + unmonitored_motors(loop) + near_singularity(loop)
    if loop.law is not None and count[at.KS]:
        found += with_defaults(loop.law).end_warnings(arrays.z)
    faults = [each for start, each in known_faults(loop, pulses) if start <= clock[at.T]]
    if faults:
        counters["faults"] = len(faults)
        found += (f"the run has {'a fault' if len(faults) == 1 else 'faults'}: {'; '.join(faults)}",)
    if loop.real_time is not None:
        counters |= loop.real_time.counters()
        found += (loop.real_time.words(),) * bool(loop.real_time.overruns)
    return Ending(words, reason, found, counters)


def _halved(clock: Sequence[float], count: Sequence[int]) -> tuple[str, ...]:
    """Return a sentence about halved implicit steps if there were many."""
    halved = count[at.REJECTED]
    if clock[at.SHORTEST] == 0.0 or halved <= OFTEN * count[at.STEPS]:
        return ()
    words = (
        f"{halved} implicit steps had no solution and were halved, from {clock[at.STEP]:.4g} s down to "
        f"{clock[at.SHORTEST]:.4g} s: a motion is faster than the step can resolve; a shorter step is more accurate, "
        "and may take less time"
    )
    return (words,)


def _port(loop: Loop, pulses: Sequence[TorquePulse]) -> str:
    port, several = int(loop.arrays.count[at.EVENT_PORT]), loop.craft.external is not None
    if port <= several:
        return "control torque"
    return f"scheduled torque {port - several} of {len(pulses)}"


def _reason(loop: Loop, status: int, pulses: Sequence[TorquePulse]) -> tuple[str, str]:
    clock, count = loop.arrays.clock, loop.arrays.count
    t = float(clock[at.T])
    if status == at.PAUSED:
        return "stopped", f"stopped by the user at t = {t:.9g} s"
    if status == at.SINGULAR and count[at.EVENT_KIND] == at.LOCK and loop.view is not None:
        name, limit = loop.view.name, 1.0 / float(clock[at.POSE_LIMIT])
        return "singular", (
            f"at t = {t:.12g} s formulation {name!r} reached gimbal lock of {loop.view.sequence!r}: its Euler rates "
            f"are amplified {limit:g} times (the set limit), or the next step could miss the pose; Euler "
            "parameters have no such pose, and a different sequence has it at a different attitude"
        )
    if status == at.SINGULAR and count[at.EVENT_KIND] == at.SOFT:
        return "singular", (
            f"at t = {t:.12g} s the {_port(loop, pulses)} reached the singular pose of its Euler sequence: its "
            "component along the second vector is undefined there, and is reversed beyond the pose, so "
            "that it may drive the spacecraft back for ever (Choi 2014, section 2.1); a torque about a body axis, or "
            "a different sequence, has no such pose"
        )
    if status == at.SINGULAR:
        limit = 1.0 / float(clock[at.POSE_LIMIT])
        return "singular", (
            f"at t = {t:.12g} s the {_port(loop, pulses)}, given in a dual Euler basis, reached its singular pose: "
            f"a unit component along the first or third dual vector causes {limit:g} times as much torque there (the "
            "set limit), and an unbounded torque at the pose itself (Choi 2014, Theorem 4, C2); the torque of a motor "
            "about that axis, an Euler basis, or a different sequence has no such pose"
        )
    if status == at.NOT_FINITE:
        fault = load_fault(loop, t)
        lost = "could not be followed" if TOO_LARGE in fault else "was no longer finite"
        return "failed", f"the state {lost} after t = {t:.9g} s: " + (
            fault or "the step may be too large for the motion, or a torque or potential is not defined there"
        )
    if status == at.NOT_CONVERGED:
        from .no_solution import no_solution

        return "failed", no_solution(loop, pulses)
    if status == at.STEP_COLLAPSE:
        return "failed", f"the step decreased to the resolution of t = {t:.9g} s without meeting the tolerance: " + (
            load_fault(loop, t)
            or "a load is not smooth there (state its time as a breakpoint), or rtol is below the "
            "precision of the arithmetic"
        )
    if status == at.STEP_LIMIT:
        most = int(count[at.MAX_STEPS])
        return "failed", f"max_steps = {most} was reached at t = {t:.9g} s; allow more, or longer steps"
    if status == at.BAD_ANSWER:
        return "failed", answer_fault(loop, t)
    return "failed", loop.complaint or command_fault(loop, t)


def worth_a_word(clock: NDArray[np.float64], count: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of the completed runs whose clock or counters cause a warning of `ending`.

    clock (runs, n), count (runs, m): clock and counters of each run at its end.
    """
    halved = (clock[:, at.SHORTEST] > 0.0) & (count[:, at.REJECTED] > OFTEN * count[:, at.STEPS])
    near = np.minimum(clock[:, at.CLOSEST_HARD], clock[:, at.CLOSEST_SOFT]) * WORTH_A_WORD < 1.0
    return near | (clock[:, at.NORM_DRIFT] > LARGE_DRIFT) | halved


def _warnings(clock: Sequence[float], words: str) -> tuple[str, ...]:
    found: list[str] = []
    hard = clock[at.CLOSEST_HARD]
    if words != "singular" and hard * WORTH_A_WORD < 1.0:
        found.append(
            f"a torque in a dual Euler basis was amplified {1.0 / hard:.3g} times "
            f"at t = {clock[at.T_CLOSEST_HARD]:.6g} s, {math.degrees(math.asin(hard)):.3g} deg from the singular pose"
        )
    soft = clock[at.CLOSEST_SOFT]
    if words != "singular" and soft * WORTH_A_WORD < 1.0:
        found.append(
            f"at t = {clock[at.T_CLOSEST_SOFT]:.6g} s the motion passed {math.degrees(math.asin(soft)):.3g} deg from "
            "the singular pose of an Euler sequence: the torque along its second vector stayed bounded but rotated "
            "quickly there, and is undefined at the pose itself"
        )
    drift = clock[at.NORM_DRIFT]
    if drift > LARGE_DRIFT:
        found.append(
            f"a step changed |e|^2 by {drift:.2g} before normalisation: the step is too large for this rate; shorten it"
        )
    return tuple(found)
