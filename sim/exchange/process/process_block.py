"""Sensors, actuators or other sampled blocks in another process."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block
from ....plant import DesignError, InputError
from ....plant.checks import of_kind
from .answers import Answers
from .port import Port
from .terms import Terms

__all__ = ["process_block"]

Array = NDArray[np.float64]


def process_block(
    process: Answers,
    *,
    reads: Sequence[Port],
    writes: Sequence[Port],
    sample: float,
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "process",
    torque: str = "",
    on: str | Sequence[str] = (),
) -> Block:
    """Return a block whose outputs come from a process, in lock step: a sensor, a filter, an actuator.

    The run waits for each answer. The dynamics of the process are unknown, so the margins of a loop with it are
    refused.

    Parameters
    ----------
    process : Process or FMU
        The program or FMU.
    reads, writes : sequence of Port
        Signals (see `polhode.controllers.Block`) with their sizes and units, in the order of the messages.
    sample : float
        Period, s.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its outputs act, s.
    name : str
        Its name in messages.
    torque : str
        The output that is an external torque on the craft; see `polhode.controllers.Block`.
    on : str or sequence of str
        Coordinates of elements on which this torque acts instead of the body; see `polhode.controllers.Block`.

    Returns
    -------
    Block
        A block for `simulate(blocks=...)`; each run starts the process.

    Raises
    ------
    InputError
        When an argument is out of range, there are no inputs or outputs, or a signal occurs twice.

    Examples
    --------
    >>> from polhode.sim import Port, Process
    >>> rate, gyro = Port("rate", 3, unit="rad/s"), Port("gyro", 3, unit="rad/s")
    >>> block = process_block(Process(command=["./gyro"]), reads=[rate], writes=[gyro], sample=0.1)
    >>> block.reads, dict(block.writes)
    (('rate',), {'gyro': 3})
    """
    of_kind("process", process, Answers, such_as='Process(command=["./gyro"])')
    for what, ports in (("reads", reads), ("writes", writes)):
        for port in ports:
            of_kind(f"each of {what}", port, Port, such_as='Port("rate", 3, unit="rad/s")')

    return Block(
        _InProcess(process, tuple(reads), tuple(writes)),
        reads=[port.name for port in reads],
        writes={port.name: port.size for port in writes},
        units={port.name: port.unit for port in writes},
        sample=sample,
        offset=offset,
        delay=delay,
        name=name,
        compiled=False,
        linear=partial(_refuse, name),
        torque=torque,
        on=on,
    )


def _refuse(name: str, _: Array) -> NoReturn:
    raise DesignError(f"what the block {name!r} does in another process is not known here, so its loop has no margins")


@dataclass(frozen=True)
class _InProcess:
    """The function of such a block: it answers within a run."""

    process: Answers
    reads: tuple[Port, ...]
    writes: tuple[Port, ...]

    def __call__(self, t: float, y: Array) -> Any:
        raise InputError("it is in another process, which answers only while it is opened, as a run does")

    @contextmanager
    def opened(self, block: Block, *, seed: int | None, run: int) -> Generator[Any]:
        """What answers in one run."""
        # a block that flies for the record may write under other names than those that its process knows
        terms = Terms(
            name=block.name, role="block", reads=self.reads, writes=self.writes, sample=block.sample,
            offset=block.offset, delay=block.delay, seed=seed, run=run,
        )  # fmt: skip
        with self.process.opened(terms) as ask:

            def answer(t: float, y: Array) -> list[float]:
                return ask(t, y.tolist())

            yield answer
