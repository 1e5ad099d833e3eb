"""A sensor, an actuator or anything else on the clock beside the law, in another process."""

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
    """Return a block that a process answers, in lock step: a sensor, a filter, an actuator.

    The run waits for each answer. Nothing is known of how it answers, so the margins of a loop with it are refused.

    Parameters
    ----------
    process : Process or FMU
        What answers.
    reads, writes : sequence of Port
        Signals (see `polhode.controllers.Block`) with their sizes and units, in the order in which they stand in the
        messages.
    sample : float
        Period, s.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample to the moment its answer counts, s.
    name : str
        What it is called in messages.
    torque : str
        Of what it writes, the signal that is a torque on the craft from outside; see `polhode.controllers.Block`.
    on : str or sequence of str
        Coordinates of elements that this acts on in place of the body; likewise.

    Returns
    -------
    Block
        For `simulate(blocks=...)`; each run begins with the process as it starts.

    Raises
    ------
    InputError
        When something is out of range, reads or writes nothing, or names a signal twice.

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
