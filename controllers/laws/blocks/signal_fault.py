# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Faults of a sensor or command signal between two times: biased, scaled, frozen or dropped."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.checks import choice, finite, of_kind
from ....plant.errors import InputError
from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.signal import TIMESTAMPED, Signal
from .signals import WIDTHS, per_component

SIGNAL_FAULTS = ("biased", "scaled", "frozen", "dropped")
"""Kinds of fault of a signal."""

SLACK = 1e-12  # relative tolerance: a sample at the start of a fault is faulty, however k T is rounded
LATEST = 1e150  # s: stop time of a fault that never ends
STAMP = 2  # components: validity flag and time at the end of a message

AT = fields(kind=1, start=1, stop=1, width=1, attitude=1)
"""Parameters: kind (index in SIGNAL_FAULTS), times (s), number of components except validity flag and time, and whether
the signal is an attitude; biases or factors follow."""


@kernel
def signal_fault_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Copy y to v, with the fault in q while it is active; z: last healthy components, and whether they exist."""
    now = t + SLACK * abs(t)
    acts = q[AT.start] <= now < q[AT.stop]
    kind, width = int(q[AT.kind]), int(q[AT.width])
    for n in range(v.size):
        v[n] = y[n]
    if not acts or z[width] == 0.0:
        for n in range(width):
            z[n] = y[n]
        z[width] = 1.0
    if not acts:
        return
    if kind == 0 and q[AT.attitude] != 0.0:
        a0, a1, a2 = q[AT.size], q[AT.size + 1], q[AT.size + 2]
        size = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        share = math.sin(0.5 * size) / size if size > 0.0 else 0.5
        v[0], v[1], v[2], v[3] = compose(
            y[0], y[1], y[2], y[3], math.cos(0.5 * size), share * a0, share * a1, share * a2
        )
    elif kind == 0:
        for n in range(width):
            v[n] = y[n] + q[AT.size + n]
    elif kind == 1:
        for n in range(width):
            v[n] = y[n] * q[AT.size + n]
    else:
        for n in range(width):
            v[n] = z[n]
        if kind == 3 and v.size > width:
            v[width] = 0.0


@kernel
def health_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write 1 to each output, or 0 during a fault; q: output index, start and end of each fault."""
    for n in range(v.size):
        v[n] = 1.0
    now = t + SLACK * abs(t)
    for k in range(q.size // 3):
        n = int(q[3 * k])
        if q[3 * k + 1] <= now < q[3 * k + 2]:
            v[n] = 0.0


def signal_fault(
    kind: str,
    *,
    reads: str,
    sample: float,
    start: float,
    stop: float | None = None,
    value: ArrayLike | None = None,
    width: int | None = None,
    message: bool = False,
    offset: float = 0.0,
    name: str = "fault",
    unit: str = "",
) -> Block:
    """Return a block that copies a signal, with a fault from `start` to `stop`.

    "biased" adds `value`, "scaled" multiplies by `value`, and "frozen" holds the last healthy value (the first value if
    the fault starts before the first sample). "dropped" does the same and also clears the validity flag of a message. A
    frozen message stays valid and its time is updated at each sample; only its values do not change. On "command",
    "scaled" models an actuator that is off (factor 0), weak (0.5) or of wrong polarity (-1), and "frozen" an actuator
    that is stuck, such as a thruster that stays open.

    Parameters
    ----------
    kind : str
        "biased", "scaled", "frozen" or "dropped".
    reads : str
        Name of the signal, which the block both reads and writes.
    sample : float
        Sampling period of the sensor or law, s.
    start : float
        Time from which samples are faulty, s.
    stop : float, optional
        Time until which samples are faulty, s; None for the end of the run.
    value : float or array_like, optional
        Bias in the unit of the signal, or factor; a scalar applies to all components. The bias of an attitude is a
        rotation vector in body axes, rad.
    width : int, optional
        Number of components, including validity flag and time if the signal is a message; needed for user-defined
        signals only.
    message : bool
        Whether the signal is the message of a sensor, with validity flag and time at its end.
    offset : float
        Time of the first sample, s.
    name : str
        Name of the block.
    unit : str
        Unit of the signal.

    Returns
    -------
    Block
        The block; margins treat it as unity gain, because faults occur only in runs.

    Raises
    ------
    InputError
        When an argument is missing, out of range, or does not apply to the kind of fault, or an attitude is scaled.

    Examples
    --------
    >>> signal_fault("biased", reads="rate", sample=0.1, start=10.0, value=(0.0, 0.0, 1e-3)).widths
    {'rate': 3}
    """
    choice("kind of signal fault", kind, SIGNAL_FAULTS)
    of_kind("signal of a fault", reads, str, such_as='the name of a signal, "rate"')
    whole = WIDTHS.get(reads) if width is None else width
    if whole is None:
        raise InputError(f"the width of {reads!r} is unknown; give width")
    size = whole - (STAMP if message else 0)
    if size < 1:
        raise InputError(f"{reads!r} has {whole} components, too few for the message of a sensor; use message=False")
    attitude = size == WIDTHS["attitude"]
    needs = kind in ("biased", "scaled")
    if needs == (value is None):
        raise InputError(
            f"a {kind} signal needs a value: a bias in the unit of {reads!r}, or a factor"
            if needs
            else f"a {kind} signal has no value; omit it"
        )
    if attitude and kind == "scaled":
        raise InputError(f"the attitude {reads!r} cannot be scaled; give a bias, a rotation vector in rad")
    numbers = np.zeros(0)
    if value is not None:
        if attitude and np.ndim(value) == 0:
            raise InputError(f"the bias of the attitude {reads!r} is a rotation vector of three numbers, rad")
        numbers = per_component(f"bias or factor of {reads}", value, 3 if attitude else size)
        for each in numbers.tolist():
            finite(f"bias or factor of {reads}", each, unit)
    begin, end = _interval(reads, start, stop)
    memory = np.zeros(size + 1)
    block = Block(
        signal_fault_block,
        reads=reads,
        writes={reads: Signal(whole, unit, role=TIMESTAMPED) if message else Signal(whole, unit)},
        clock=Clock(sample, offset=offset),
        parameters=(float(SIGNAL_FAULTS.index(kind)), begin, end, float(size), float(attitude), *numbers),
        memory=memory,
        linear=BlockForm(D=np.eye(whole), words=f"the fault {name} is not in the margins", noise=()),
        noise_free=lambda _: ((0.0, LATEST, LATEST, float(size), 0.0), memory),
        name=name,
    )
    return block.as_monitor() if message else block  # a message may be left unread


def _interval(of: str, start: float, stop: float | None) -> tuple[float, float]:
    """Return start and end of a fault, s. Raises InputError when the end precedes the start."""
    begin = finite(f"start of the fault of {of}", start, "s")
    end = LATEST if stop is None else finite(f"end of the fault of {of}", stop, "s")
    if not begin < end:
        raise InputError(f"the fault of {of} must end after it starts; got start {begin:g} s, stop {end:g} s")
    return begin, end


def health(
    times: dict[str, list[tuple[float, float | None]]], *, sample: float, offset: float = 0.0, name: str = "health"
) -> Block:
    """Return a block that writes a health signal for each part: 1, or 0 while a fault is detected.

    Use the block in place of a model of fault detection. For example, a mode may be left when "wheel_2_health" is below
    0.5.

    Parameters
    ----------
    times : dict
        For each part, such as "wheel_2", the intervals (from, to) in which a fault is detected, s; None as an end means
        the end of the run.
    sample : float
        Sampling period, s.
    offset : float
        Time of the first sample, s.
    name : str
        Name of the block.

    Returns
    -------
    Block
        The block; it writes "<part>_health" for each part, even if no block reads the signal.

    Raises
    ------
    InputError
        When there are no parts, or an interval ends before it begins.

    Examples
    --------
    >>> health({"wheel_2": [(100.0, None)]}, sample=0.1).widths
    {'wheel_2_health': 1}
    """
    if not times:
        raise InputError("health signals need at least one part; give times")
    rows = [
        (float(n), *_interval(part, begin, end))
        for n, (part, intervals) in enumerate(times.items())
        for begin, end in intervals
    ]
    parts = len(times)
    return Block(
        health_block,
        reads="rate",
        writes={f"{part}_health": Signal(1, "1") for part in times},
        clock=Clock(sample, offset=offset),
        parameters=np.array(rows, dtype=np.float64).ravel(),
        linear=BlockForm(D=np.zeros((parts, 3)), rests=np.ones(parts), noise=()),
        noise_free=lambda _: ((), ()),
        name=name,
    ).as_monitor()


def fault_of_block(block: Block) -> tuple[str, float, float] | None:
    """Return a description of the fault of a block, and its times; None if the block is not a fault.

    Parameters
    ----------
    block : Block
        Any block.

    Returns
    -------
    tuple of str, float and float, or None
        Description such as "rate frozen", start and end, s.
    """
    if block.kernel is not signal_fault_block:
        return None
    kind, begin, end = block.parameters[:3].tolist()
    signal = next(iter(block.writes))
    return f"{signal} {SIGNAL_FAULTS[int(kind)]}", begin, math.inf if end == LATEST else end
