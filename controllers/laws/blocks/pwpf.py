# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Pulse-width pulse-frequency modulator, and its static characteristic in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from ....plant.errors import InputError
from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.quantity import NUMBER, ONE_OR_SEVERAL, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from .signals import per_component, read_write

AT = fields(through=1, gain=1, decay=1, on=1, off=1)
"""Parameters: whether the input passes unchanged; Km; exp(-sample / Tm); thresholds; then each component's torque."""

COARSE = 0.5  # largest ratio of sampling period to shortest pulse


@kernel
def pwpf_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write -torque, 0 or torque for each component into v; z: outputs of filter and Schmitt trigger."""
    size = v.size
    for n in range(size):
        torque, now = q[AT.size + n], z[size + n]
        level = z[n]
        side = 1.0 if level >= 0.0 else -1.0
        if now != 0.0 and level * now <= q[AT.off]:
            now = 0.0
        if now == 0.0 and level * side >= q[AT.on]:
            now = side
        target = q[AT.gain] * (y[n] / torque - now)
        z[n] = target + (level - target) * q[AT.decay]
        z[size + n] = now
        v[n] = y[n] if q[AT.through] != 0.0 else torque * now


@check_arguments
def pwpf(
    torque: Annotated[
        ArrayLike,
        of_argument("N m", shape=ONE_OR_SEVERAL, positive=True, doc="torque of the thrusters about each axis"),
    ],
    *,
    gain: Annotated[float, of_argument(shape=NUMBER, positive=True, doc="Km, gain of the filter")],
    time_constant: Annotated[float, of_argument("s", shape=NUMBER, positive=True, doc="Tm, of the filter")],
    on: Annotated[float, of_argument(shape=NUMBER, positive=True, doc="threshold at which a pulse begins")],
    off: Annotated[float, of_argument(shape=NUMBER, non_negative=True, doc="threshold at which it ends, below on")],
    reads: str = "command",
    sample: float,
    writes: str | None = None,
    width: int | None = None,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "pwpf",
    unit: str = "N m",
) -> Block:
    """Return a block that converts a torque to pulses by pulse-width pulse-frequency modulation.

        Tm f' + f = Km (E - u),  u = 1 from f >= on until f <= off,  likewise -1,  E = input / torque

    For constant E below one the mean output exceeds E - on/Km and grows in proportion to E (Bryson, Control of
    Spacecraft and Aircraft, 1994; Wie, Space Vehicle Dynamics and Control, 2008). No pulse occurs for |E| below on/Km.
    The filter is exact for a held input. Pulses begin and end at samples, so the sampling period is the time resolution
    of the valves.

    Parameters
    ----------
    torque : float or array_like
        Torque of the thrusters about each axis, N m.
    gain : float
        Gain Km of the filter.
    time_constant : float
        Time constant Tm of the filter, s.
    on, off : float
        Thresholds of the Schmitt trigger.
    reads : str
        Name of the command signal.
    sample : float
        Sampling period, s, at most half the shortest pulse -Tm ln(1 - (on - off)/Km).
    writes : str, optional
        Name of the output signal; by default the name of the input.
    width : int, optional
        Number of components of the input; needed only for user-defined signals.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its output takes effect, s.
    name : str
        Name of the block.
    unit : str
        Unit of the output signal.

    Returns
    -------
    Block
        The block; margins treat it as unity gain.

    Raises
    ------
    InputError
        When a value is out of range, `off` is not below `on`, `gain` is too small to reach the threshold `on`, or the
        sampling period is too long for the shortest pulse.

    Examples
    --------
    >>> pwpf(0.5, gain=4.5, time_constant=0.15, on=0.45, off=0.15, sample=0.001).widths
    {'command': 3}
    """
    found = pulse_characteristic(gain=gain, time_constant=time_constant, on=on, off=off)
    if sample > COARSE * found.least_pulse * (1.0 + 1e-9):
        raise InputError(
            f"sample {sample:g} s is too long for the shortest pulse of the modulator, {found.least_pulse:.4g} s; use "
            f"{COARSE * found.least_pulse:.3g} s or less"
        )
    names, written, size = read_write(reads, writes, width, unit=unit)
    levels = per_component("torque", torque, size)
    numbers = np.array((0.0, gain, math.exp(-sample / time_constant), on, off, *levels))
    straight = numbers.copy()
    straight[AT.through] = 1.0
    memory = np.zeros(2 * size)
    return Block(
        pwpf_block,
        reads=names,
        writes=written,
        clock=Clock(sample, offset=offset, delay=delay),
        parameters=numbers,
        memory=memory,
        linear=BlockForm(D=np.eye(size), words=f"pulses of {name} are treated as unity gain", noise=()),
        noise_free=lambda _: (straight, memory),
        name=name,
        pulsed=True,
    )


@dataclass(frozen=True, kw_only=True)
class PulseCharacteristic:
    """Static characteristic of a pulse-width pulse-frequency modulator with Km, Tm, on, off.

    Attributes
    ----------
    gain, time_constant, on, off : float
        Filter gain Km, filter time constant Tm (s) and thresholds.
    """

    gain: float
    time_constant: float
    on: float
    off: float

    @property
    def deadband(self) -> float:
        """Input below which no pulse occurs, relative to the torque: on/Km."""
        return self.on / self.gain

    @property
    def saturation(self) -> float:
        """Input above which the output is always on, relative to the torque: 1 + off/Km."""
        return 1.0 + self.off / self.gain

    @property
    def least_pulse(self) -> float:
        """Shortest pulse, at the deadband, s: -Tm ln(1 - (on - off)/Km)."""
        return -self.time_constant * math.log1p(-(self.on - self.off) / self.gain)

    def pulse(self, level: float) -> tuple[float, float]:
        """Return on-time and off-time for a constant input.

        Parameters
        ----------
        level : float
            Input relative to the torque, E, between deadband and saturation.

        Returns
        -------
        tuple of float
            On-time and off-time, s.

        Raises
        ------
        InputError
            When this input produces no pulses.
        """
        if not self.deadband < level < self.saturation:
            raise InputError(
                f"pulses occur between {self.deadband:.4g} and {self.saturation:.4g} of the torque; got {level:g}"
            )
        h = self.on - self.off
        on = -self.time_constant * math.log1p(-h / (self.on - self.gain * (level - 1.0)))
        off = -self.time_constant * math.log1p(-h / (self.gain * level - self.off))
        return on, off

    def duty(self, level: float) -> float:
        """Return the fraction of time that the output is on for a constant input.

        Parameters
        ----------
        level : float
            Input relative to the torque.

        Returns
        -------
        float
            Duty ratio from 0 to 1; negative for a negative input.
        """
        if abs(level) <= self.deadband:
            return 0.0
        if abs(level) >= self.saturation:
            return math.copysign(1.0, level)
        on, off = self.pulse(abs(level))
        return math.copysign(on / (on + off), level)


def pulse_characteristic(*, gain: float, time_constant: float, on: float, off: float) -> PulseCharacteristic:
    """Return the static characteristic of a pulse-width pulse-frequency modulator, in closed form.

    Parameters
    ----------
    gain : float
        Gain Km of the filter.
    time_constant : float
        Time constant Tm of the filter, s.
    on, off : float
        Thresholds of the Schmitt trigger.

    Returns
    -------
    PulseCharacteristic
        Deadband, saturation, shortest pulse, and pulses for a constant input.

    Raises
    ------
    InputError
        When `off` is not below `on`, or `gain` is too small to reach the threshold `on`.

    Examples
    --------
    >>> found = pulse_characteristic(gain=4.5, time_constant=0.15, on=0.45, off=0.15)
    >>> round(1e3 * found.least_pulse, 5), round(found.saturation, 5)
    (10.34893, 1.03333)
    """
    if not 0.0 <= off < on:
        raise InputError(f"the threshold off must be below the threshold on; got on {on:g}, off {off:g}")
    if gain <= on:
        raise InputError(
            f"with the gain {gain:g} no input below the torque reaches the threshold on = {on:g}; raise the gain"
        )
    return PulseCharacteristic(gain=gain, time_constant=time_constant, on=on, off=off)
