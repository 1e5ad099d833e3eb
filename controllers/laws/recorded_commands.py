"""Playback of recorded commands, for example from telemetry, in open loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import numbers
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import check_timing, read_only

Array = NDArray[np.float64]

RECORD = fields(period=1, count=1)
"""Head of q: period and number of commands. The commands follow, three values each."""


@kernel
def recorded_commands_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Write the recorded command of the sample at t into u; the last command remains in force."""
    k = int(t / q[RECORD.period] + 0.5)
    last = int(q[RECORD.count]) - 1
    if k > last:
        k = last
    for n in range(3):
        u[n] = q[RECORD.size + 3 * k + n]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class RecordedCommands(AttitudeLaw):
    """Open-loop law that plays back recorded commands, each held from its sample to the next.

    The law uses no measurements, so the motion depends only on the plant, as required for output-error identification.
    The torque limits of the spacecraft still apply to the commands.

    Parameters
    ----------
    commands : array_like, shape (n, 3)
        Command k starts at t = k `sample`, in the torque basis of the spacecraft, N m. The last command remains in
        force.
    sample : float
        Sampling period, s.

    Raises
    ------
    InputError
        When there is no command, the shape is wrong, or the period is not positive.

    Examples
    --------
    >>> law = RecordedCommands([(1, 0, 0), (0, 2, 0)], sample=0.5)
    >>> u = np.zeros(3)
    >>> law.kernel(0.5, np.zeros(10), np.zeros(10), law.parameters, law.memory, u)
    >>> u
    array([0., 2., 0.])
    """

    pulsed = True  # any recorded command may jump at each sample

    commands: Array
    sample: float
    delay: float

    def __init__(self, commands: ArrayLike, *, sample: float) -> None:
        rows = numbers("commands", commands, "N m")
        if rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
            raise InputError(f"commands must have three numbers per sample, n x 3 (N m); got shape {rows.shape}")
        period, delay = check_timing(sample, 0.0)
        object.__setattr__(self, "commands", read_only(rows))
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", delay)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return recorded_commands_kernel

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: period, number of commands, and the commands row by row."""
        return read_only(np.concatenate(((self.sample, len(self.commands)), self.commands.ravel())))

    @property
    def memory(self) -> Array:
        """Empty: this law has no memory."""
        return read_only(np.zeros(0))

    @property
    def no_margins(self) -> str:
        """Reason why the law has no margins: it operates in open loop."""
        return "recorded commands are an open loop, which has no margins; analyse the law that produced them"

    @property
    def summary(self) -> str:
        """Description of the law."""
        return f"{len(self.commands)} recorded commands, one each {self.sample:g} s"
