# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""On-off thrusters with pulse-width modulation, shortest pulse, ramps, propellant and thruster faults."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import choice, each_positive, finite, non_negative, of_kind, positive
from ....plant.elements.propulsion import GRAVITY, Propulsion
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.signal import Signal
from ...guidance.allocation.thruster_allocation import ThrusterAllocation
from .valve_ramp import level_after, mean_level

Array = NDArray[np.float64]

NEVER = 1e150  # s
SAME = 1e-9  # difference of two gains that is only rounding

THRUSTER_FAULTS = ("off", "weak", "open")
"""Kinds of fault of a thruster."""

AT = fields(
    through=1, thrusters=1, cones=1, ticks=1, tick=1, least=1, fires=1, drops=1, flow=1, longer=1, rise=1, fall=1,
    taps=1, late=1, gain=9, tank=1, moves=1,
)  # fmt: skip
"""Parameters: whether the command passes unchanged; numbers of thrusters and cones; ticks in a period; tick, s;
shortest pulse, s; fractions of the shortest pulse at which a thruster starts and stops firing shortest pulses;
1/(g0 Isp), s/m; closing less opening delay, rise time and fall time, s; of the linear form: ticks by which the command
is delayed, fraction of the last of them, and gain matrix by rows; propellant of the tank, kg, or 0 for any amount;
whether the thrusts are an output. Then ROW for each thruster, and for each cone
its form (3) and forces (3 for each thruster)."""

ROW = fields(torque=3, limit=1, assumed=1, plume=1, factor=1, since=1, until=1, open=1)
"""Parameters of a thruster: torque per newton, m; force, and the force that the allocation assumes, N; plume factor;
force factor, times (s) and open flag of a fault."""

OF = fields(left=1, firing=1, on=1, time=1, pulses=1, level=1, force=1)
"""Memory of a thruster: remaining time until its valve closes, s; whether it fires shortest pulses; whether its valve
is open; total on-time, s; number of pulses; fraction of the full force; mean force in the tick, N."""


@dataclass(frozen=True, kw_only=True)
class ThrusterFault:
    """Fault of one thruster from `start` to `stop`.

    Parameters
    ----------
    thruster : int
        Number of the thruster, from 1.
    kind : str
        "off": the thruster produces no force. "weak": force and mass flow are `factor` times the healthy values.
        "open": the thruster fires permanently, regardless of the command.
    start : float
        Time at which the fault begins, s.
    stop : float
        Time at which the fault ends, s.
    factor : float
        Force factor from 0 to 1, only for "weak".

    Raises
    ------
    InputError
        When a value is out of range.

    Examples
    --------
    >>> ThrusterFault(thruster=3, kind="open", start=100.0).kind
    'open'
    """

    thruster: int
    kind: str
    start: float
    stop: float = NEVER
    factor: float = 0.0

    def __post_init__(self) -> None:
        choice("kind of thruster fault", self.kind, THRUSTER_FAULTS)
        if not finite("start of the fault of a thruster", self.start, "s") < finite("its end", self.stop, "s"):
            raise InputError(
                f"the fault of thruster {self.thruster} must end after it starts; got start {self.start:g} s, stop "
                f"{self.stop:g} s"
            )
        if not 0.0 <= finite("factor of a weak thruster", self.factor) <= 1.0:
            raise InputError(f"factor of thruster {self.thruster} must be 0 to 1; got {self.factor:g}")


@kernel
def _forces(y: Any, q: Any, f: Any) -> None:
    """Write the forces of least sum that produce the torque y, scaled down if a thruster is at its limit."""
    m, k = int(q[AT.thrusters]), int(q[AT.cones])
    first, size = AT.size + ROW.size * m, 3 + 3 * m
    highest = 0.0
    for c in range(k):
        n = first + size * c
        highest = max(highest, q[n] * y[0] + q[n + 1] * y[1] + q[n + 2] * y[2])
    best, chosen = -1e300, -1
    for c in range(k):  # cones can share a form; choose the cone whose forces are nonnegative
        n = first + size * c
        cost = q[n] * y[0] + q[n + 1] * y[1] + q[n + 2] * y[2]
        if highest > 0.0 and cost >= highest * (1.0 - 1e-9):
            lowest = 1e300
            for j in range(m):
                i = n + 3 + 3 * j
                lowest = min(lowest, q[i] * y[0] + q[i + 1] * y[1] + q[i + 2] * y[2])
            if lowest > best:
                best, chosen = lowest, c
    share = 1.0
    for j in range(m):
        f[j] = 0.0
        if chosen >= 0:
            i = first + size * chosen + 3 + 3 * j
            f[j] = max(q[i] * y[0] + q[i + 1] * y[1] + q[i + 2] * y[2], 0.0)
            limit = q[AT.size + ROW.size * j + ROW.assumed]
            if f[j] * share > limit:
                share = limit / f[j]
    for j in range(m):
        f[j] = share * f[j]


@kernel
def _linear_torque(y: Any, q: Any, z: Any, v: Any) -> None:
    """Write the torque of the linear form: gain times command, with the mean delay of the pulse edges."""
    m = int(q[AT.thrusters])
    taps, late, first = int(q[AT.taps]), q[AT.late], 2 + m + OF.size * m
    for n in range(3):
        g = AT.gain + 3 * n
        torque = q[g] * y[0] + q[g + 1] * y[1] + q[g + 2] * y[2]
        v[n] = torque
        if taps > 0:
            end = first + 3 * (taps - 1) + n
            newer = z[end - 3] if taps > 1 else torque
            v[n] = late * z[end] + (1.0 - late) * newer
            for k in range(taps - 1):
                z[end - 3 * k] = z[end - 3 * k - 3]
            z[first + n] = torque


@kernel
def thruster_pulses_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write the torque of the next tick, total on-times, pulses and propellant; z: count, propellant, forces, OF."""
    m, ticks, tick = int(q[AT.thrusters]), int(q[AT.ticks]), q[AT.tick]
    now = t + 1e-12 * abs(t)
    forces = z[2 : 2 + m]
    if int(z[0]) % ticks == 0:
        _forces(y, q, forces)
        for j in range(m):
            of, row = 2 + m + OF.size * j, AT.size + ROW.size * j
            time = forces[j] / q[row + ROW.assumed] * ticks * tick
            least = q[AT.least]
            if time < least:  # Schmitt trigger for shortest pulses
                if time >= q[AT.fires] * least:
                    z[of + OF.firing] = 1.0
                elif time <= q[AT.drops] * least:
                    z[of + OF.firing] = 0.0
                time = least if z[of + OF.firing] != 0.0 and time > 0.0 else 0.0
            if time > 0.5 * tick:
                time += q[AT.longer]
            z[of + OF.left] = max(time, z[of + OF.left])
    for n in range(3):
        v[n] = 0.0
    for j in range(m):
        of, row = 2 + m + OF.size * j, AT.size + ROW.size * j
        v[3 + j] = z[of + OF.time]
        v[3 + m + j] = z[of + OF.pulses]
    v[3 + 2 * m] = z[1]
    use = 0.0
    for j in range(m):
        of, row = 2 + m + OF.size * j, AT.size + ROW.size * j
        on = z[of + OF.left] > 0.5 * tick
        factor = 1.0
        if q[row + ROW.since] <= now < q[row + ROW.until]:
            factor = q[row + ROW.factor]
            on = on or q[row + ROW.open] != 0.0
        level = z[of + OF.level]
        force = factor * q[row + ROW.limit] * mean_level(level, on, tick, q[AT.rise], q[AT.fall])
        z[of + OF.level] = level_after(level, on, tick, q[AT.rise], q[AT.fall])
        z[of + OF.force] = force
        use += force * tick * q[AT.flow]
        if on:
            z[of + OF.time] += tick
            if z[of + OF.on] == 0.0:
                z[of + OF.pulses] += 1.0
        z[of + OF.on] = 1.0 if on else 0.0
        z[of + OF.left] -= tick
    share = 1.0
    if q[AT.tank] > 0.0 and z[1] + use > q[AT.tank]:  # the tank becomes empty within the tick
        share = (q[AT.tank] - z[1]) / use
        z[1] = q[AT.tank]
    else:
        z[1] += use
    for j in range(m):
        of, row = 2 + m + OF.size * j, AT.size + ROW.size * j
        force = share * z[of + OF.force]
        for n in range(3):
            v[n] += q[row + ROW.plume] * force * q[row + ROW.torque + n]
        if q[AT.moves] != 0.0:
            v[4 + 2 * m + j] = force if q[AT.through] == 0.0 else 0.0
    if q[AT.through] != 0.0:
        _linear_torque(y, q, z, v)
    z[0] += 1.0


def thruster_pulses(
    thrusters: ThrusterAllocation,
    *,
    sample: float,
    tick: float,
    least_pulse: float = 0.0,
    fires_at: float = 0.5,
    drops_at: float = 0.5,
    specific_impulse: float | None = None,
    faults: Sequence[ThrusterFault] = (),
    reads: str = "command",
    offset: float = 0.0,
    delay: float = 0.0,
    closing_delay: float | None = None,
    rise_time: float = 0.0,
    fall_time: float = 0.0,
    plume_factor: ArrayLike = 1.0,
    assumed: ThrusterAllocation | None = None,
    propulsion: Propulsion | None = None,
    propulsion_label: str = "thruster",
    name: str = "thruster_pulses",
) -> Block:
    """Return a block of on-off thrusters that produce the torque commanded by a law.

    At each sample of the law the torque is allocated to the thrusters with the least total force (see
    `ThrusterAllocation`). By pulse-width modulation, each thruster fires once, from the start of the period, for the
    time that gives its mean force. A torque that the thrusters cannot reach is scaled down in its direction. The valves
    have a resolution of one tick, to which on-times are rounded. A request below the shortest pulse becomes a shortest
    pulse if it is at least the fraction `fires_at` of that pulse, and is suppressed if it is below the fraction
    `drops_at`. Between the two fractions, the last decision is kept.

    The block writes the torque to "command" (or `reads`). It also writes totals since the start: on-time and number of
    pulses of each thruster, "thruster_on_time" (s) and "thruster_pulses", and "propellant" (kg), the force times
    on-time over g0 Isp.

    If `propulsion`, an element of the spacecraft, is given, the block also writes "thrust", the force of each thruster
    (N), by which this element moves the spacecraft and reduces its mass. The thrust ends when the tank is empty.
    If it is not given, the net force does not act, and the mass does not decrease; a run warns if the propellant
    exceeds 1 % of this mass.

    After its valve opens, a force rises linearly within `rise_time`, and falls within `fall_time` after the valve
    closes. A pulse that reaches the full force has the impulse F (t_on + (fall_time - rise_time)/2), where t_on is the
    time for which the valve is open: the pulse duration plus `closing_delay` minus `delay`. The torque within a tick is
    its mean, so that the angular impulse is exact. The law and the allocation use the force without delays, ramps and
    plume losses.

    Margins treat the pulses as a gain and a delay. The gain accounts for plume losses and for thrusters that
    differ from the assumed ones; if it depends on the direction of the torque, it is the mean over both directions of
    each body axis. The delay is the sum of the clock delay and the mean additional delay of the two edges of a pulse,
    (closing_delay - delay)/2 + (rise_time + fall_time)/4. The margins report what they neglect, such as impulse that
    does not depend on the command.

    Parameters
    ----------
    thrusters : ThrusterAllocation
        Positions, directions and forces.
    sample : float
        Period of the law, s, a multiple of the tick.
    tick : float
        Resolution of the valves, s.
    least_pulse : float
        Shortest pulse, s, a multiple of the tick and at most the sampling period; 0 for one tick.
    fires_at, drops_at : float
        Fractions of the shortest pulse, from 0 to 1: a request is raised to a shortest pulse at or above `fires_at`,
        and suppressed below `drops_at`.
    specific_impulse : float, optional
        Specific impulse Isp, s; if None, propellant is not computed.
    faults : sequence of ThrusterFault
        Faults, at most one for each thruster.
    reads : str
        Name of the command signal, which the block both reads and writes.
    offset : float
        Time of the first tick, s; normally the delay of the law.
    delay : float
        Time from a valve command until the force changes, s.
    closing_delay : float, optional
        Corresponding delay for closing, s: `delay`, which is the default, plus a multiple of the tick.
    rise_time, fall_time : float
        Duration of the linear rise and fall of a force, s.
    plume_factor : float or array_like, shape (m,)
        Fraction of the force, above 0 and at most 1, that remains when the plume hits the spacecraft; propellant is
        computed for the full force.
    assumed : ThrusterAllocation, optional
        Thrusters that the allocation assumes, one for each actual thruster, if their positions, directions or forces
        differ from those of the actual thrusters. By default `thrusters`.
    propulsion : Propulsion, optional
        Element with the same thrusters, plume factors and specific impulse, and with `applies_torque=False`.
    propulsion_label : str
        Label of this element in the spacecraft, with which the names of its states begin: "thruster", or "thruster_1"
        and so on if the spacecraft has several such elements.
    name : str
        Name of the block.

    Returns
    -------
    Block
        The block.

    Raises
    ------
    InputError
        When a value is out of range, a time is not a multiple of the tick, the thruster of a fault does not exist, or
        `propulsion` has different thrusters.

    Examples
    --------
    >>> six = [np.eye(3)[k] for k in (0, 0, 1, 1, 2, 2)]
    >>> pushes = [side * np.eye(3)[(k + 1) % 3] for k in range(3) for side in (1, -1)]
    >>> block = thruster_pulses(ThrusterAllocation(six, pushes, limit=0.5), sample=0.5, tick=0.01)
    >>> block.widths
    {'command': 3, 'thruster_on_time': 6, 'thruster_pulses': 6, 'propellant': 1}
    """
    of_kind("thrusters", thrusters, ThrusterAllocation, such_as="a ThrusterAllocation")
    period, step = positive("sample", sample, "s"), positive("tick", tick, "s")
    ticks = _whole_ticks("sample", period, step)
    least = non_negative("least pulse", least_pulse, "s") or step
    _whole_ticks("least pulse", least, step)
    if least > period * (1.0 + 1e-9):
        raise InputError(f"least pulse {least:g} s is longer than the period of the law, {period:g} s; shorten it")
    for what, value in (("fires_at", fires_at), ("drops_at", drops_at)):
        if not 0.0 <= finite(what, value) <= 1.0:
            raise InputError(f"{what} must be a fraction of the shortest pulse, 0 to 1; got {value:g}")
    if drops_at > fires_at:
        raise InputError(f"drops_at = {drops_at:g} must be at most fires_at = {fires_at:g}; exchange the values")
    flow = 0.0 if specific_impulse is None else 1.0 / (GRAVITY * positive("specific impulse", specific_impulse, "s"))
    rise, fall = non_negative("rise time", rise_time, "s"), non_negative("fall time", fall_time, "s")
    longer = 0.0 if closing_delay is None else non_negative("closing delay", closing_delay, "s") - delay
    if longer < 0.0:
        raise InputError(
            f"closing delay {closing_delay:g} s must be at least the delay, {delay:g} s: a pulse of a whole period "
            "could not end early; use the mean of both as the delay"
        )
    if longer and abs(longer / step - round(longer / step)) > 1e-9 * max(1.0, abs(longer / step)):
        raise InputError(
            f"closing delay {closing_delay:g} s must differ from the delay, {delay:g} s, by a multiple of the tick of "
            f"the valves, {step:g} s"
        )
    m = len(thrusters.limit)
    plumes = each_positive("plume factor", plume_factor, m)
    if (plumes > 1.0).any():
        raise InputError(f"plume factor must be above 0 and at most 1; got {float(plumes.max()):g}")
    if propulsion is not None:
        _check_propulsion(propulsion, thrusters, plumes, flow)
    rows = np.zeros((m, ROW.size))
    known = thrusters if assumed is None else assumed
    of_kind("assumed", known, ThrusterAllocation, such_as="a ThrusterAllocation")
    if len(known.limit) != m:
        raise InputError(f"{m} thrusters need as many assumed thrusters; got {len(known.limit)}")
    rows[:, ROW.plume], rows[:, ROW.assumed] = plumes, known.limit
    rows[:, ROW.torque : ROW.torque + 3], rows[:, ROW.limit] = thrusters.torques, thrusters.limit
    rows[:, ROW.since] = rows[:, ROW.until] = NEVER
    for fault in faults:
        of_kind("each of faults", fault, ThrusterFault, such_as="a ThrusterFault")
        if not 1 <= fault.thruster <= m:
            raise InputError(f"there is no thruster {fault.thruster}; they are numbered 1 to {m}")
        row = rows[fault.thruster - 1]
        if row[ROW.since] < NEVER:
            raise InputError(f"thruster {fault.thruster} has two faults; keep one")
        row[ROW.factor], row[ROW.open] = 1.0 if fault.kind == "open" else fault.factor, fault.kind == "open"
        row[ROW.since], row[ROW.until] = fault.start, fault.stop
    forms, cones = known.cones
    table = np.concatenate([np.concatenate((form, cone.ravel())) for form, cone in zip(forms, cones, strict=True)])
    gain, words = _gain(known, (plumes * thrusters.limit / known.limit)[:, None] * thrusters.torques)
    late = (0.5 * longer + 0.25 * (rise + fall)) / step
    taps = math.ceil(late - 1e-9)
    head = filled(
        AT, through=0.0, thrusters=float(m), cones=float(len(forms)), ticks=float(ticks), tick=step, least=least,
        fires=fires_at, drops=drops_at, flow=flow, longer=longer, rise=rise, fall=fall,
        taps=float(taps), late=late - (taps - 1) if taps else 0.0, gain=gain.ravel(),
        tank=0.0 if propulsion is None else propulsion.propellant, moves=float(propulsion is not None),
    )  # fmt: skip
    numbers = np.concatenate((head, rows.ravel(), table))
    memory = np.zeros(2 + m + OF.size * m + 3 * taps)
    outputs = 4 + (2 if propulsion is None else 3) * m
    levels = () if propulsion is None else propulsion.levels
    inputs = tuple(level.replace("thruster", propulsion_label, 1) for level in levels)
    thrust = {} if propulsion is None else {"thrust": Signal(role="torque", coordinates=inputs)}
    straight = numbers.copy()
    straight[AT.through] = 1.0
    return Block(
        thruster_pulses_block,
        reads=reads,
        writes={
            reads: Signal(3, "N m"),
            "thruster_on_time": Signal(m, "s"),
            "thruster_pulses": Signal(m, "1"),
            "propellant": Signal(1, "kg"),
            **thrust,
        },
        clock=Clock(step, offset=offset, delay=delay),
        parameters=numbers,
        memory=memory,
        pulsed=True,
        linear=_form(
            gain,
            outputs,
            late,
            taps,
            "; ".join((words, *_edges(step, late * step, longer + 0.5 * (fall - rise), rise))),
        ),
        noise_free=lambda _: (straight, memory),
        name=name,
    )


def _check_propulsion(propulsion: Propulsion, thrusters: ThrusterAllocation, plumes: Array, flow: float) -> None:
    """Raise InputError unless the element has the block's thrusters and does not apply their torque."""
    of_kind("propulsion", propulsion, Propulsion, such_as="plant.Propulsion(positions, directions, ...)")
    if propulsion.applies_torque:
        raise InputError(
            "propulsion applies the torque of the thrusters, which the block already commands; give the element "
            "applies_torque=False"
        )
    for what, element, block in (
        ("arms x directions (m)", np.cross(propulsion.positions, propulsion.directions), thrusters.torques),
        ("directions", propulsion.directions, thrusters.directions),
        ("plume factors", propulsion.plume_factor, plumes),
        ("propellant per impulse (s/m)", propulsion.flow, flow),
    ):
        if np.shape(element) != np.shape(block) or not np.allclose(element, block, rtol=1e-12, atol=1e-12 * flow):
            raise InputError(
                f"{what} differ between the propulsion element and the block: {np.asarray(element).tolist()} and "
                f"{np.asarray(block).tolist()}; give both the same"
            )


def _gain(assumed: ThrusterAllocation, torques: Array) -> tuple[Array, str]:
    """Return the gain (3, 3) from commanded to thruster torque, and a note that says what it neglects.

    assumed: allocation of the command; torques (m, 3): torque of each thruster per newton that the allocation requests.
    """
    _, cones = assumed.cones
    each = np.einsum("jn,cjk->cnk", torques, cones)  # in each cone of torques the thrusters have a constant gain
    small = 1e-6 / float(np.abs(assumed.envelope).max())
    ends = assumed.forces(small * np.vstack((np.eye(3), -np.eye(3)))) @ torques / small
    gain = 0.5 * (ends[:3] - ends[3:]).T
    if np.abs(each - np.eye(3)).max() < SAME:
        return np.eye(3), "thruster pulses are treated as unity gain"
    words = "thruster pulses are treated as a gain that includes plume losses and thruster errors"
    if np.abs(each - gain).max() > SAME:
        words += ", the mean of both directions of each body axis"
    return gain, words


def _edges(tick: float, delay: float, longer: float, rise: float) -> list[str]:
    """Return notes that say how delayed pulse edges are treated, and what is neglected.

    tick, delay: duration of a tick, and of the delay in the linear form, s; longer: time by which a full pulse is
    longer than commanded, s; rise: rise time, s.
    """
    words = [f"delayed edges of their pulses as a delay of {delay:g} s"] if delay else []
    if abs(longer) > 1e-9 * tick:
        words.append(f"each pulse gives {longer:g} s more impulse than commanded, which is neglected")
    if rise:
        words.append(f"pulses shorter than the rise time of {rise:g} s give less impulse, which is neglected")
    return words


def _form(gain: Array, outputs: int, late: float, taps: int, words: str) -> BlockForm:
    """Return the linear form: a gain, and a delay of `late` ticks, averaged over each tick, with `taps` past inputs."""
    n = 3 * taps
    A, B, C, D = np.zeros((n, n)), np.zeros((n, 3)), np.zeros((outputs, n)), np.zeros((outputs, 3))
    part = late - (taps - 1)
    if taps == 0:
        D[:3] = gain
    else:
        B[:3] = gain
        A[3:, :-3] = np.eye(3 * (taps - 1))
        C[:3, -3:] = part * np.eye(3)
        if taps == 1:
            D[:3] = (1.0 - part) * gain
        else:
            C[:3, -6:-3] = (1.0 - part) * np.eye(3)
    return BlockForm(A=A, B=B, C=C, D=D, rests=np.zeros(outputs), words=words, noise=())


def _whole_ticks(what: str, time: float, tick: float) -> int:
    """Return a time as a number of ticks. Raises InputError when it is not a whole number."""
    ticks = round(time / tick)
    if ticks < 1 or abs(ticks * tick - time) > 1e-9 * time:
        raise InputError(f"{what} {time:g} s must be a multiple of the tick of the valves, {tick:g} s")
    return ticks


def thruster_faults_of(block: Block) -> list[tuple[str, float, float]]:
    """Return the thruster faults of a block.

    Parameters
    ----------
    block : Block
        Any block.

    Returns
    -------
    list of tuple
        Description such as "thruster 3: open", start and end, s; empty if the block has no thrusters.
    """
    if block.kernel is not thruster_pulses_block:
        return []
    m = int(block.parameters[AT.thrusters])
    rows = block.parameters[AT.size : AT.size + ROW.size * m].reshape(m, ROW.size)
    found: list[tuple[str, float, float]] = []
    for number, row in enumerate(rows.tolist(), 1):
        if row[ROW.since] < NEVER:
            what = "open" if row[ROW.open] else f"force times {row[ROW.factor]:g}"
            found.append((f"thruster {number}: {what}", row[ROW.since], row[ROW.until]))
    return found
