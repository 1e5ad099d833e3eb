"""Sensors, actuators and other sampled blocks that run in a separate process or an FMU."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Clock, Signal
from ....plant import DesignError, InputError
from ....plant.checks import of_kind
from ....plant.frozen import frozen_arrays
from .answers import Answers
from .port import Port, ports_of
from .terms import Terms

Array = NDArray[np.float64]


@frozen_arrays
class ExternalBlock(Block):
    """Block in a process or an FMU that runs in lock step: a sensor, a filter, an actuator or a torque.

    Each run starts the program, and waits for its answer at each sample. The dynamics of the program are unknown, so
    that a loop with this block has no margins. For a law in a separate process use `ExternalLaw`.

    Parameters
    ----------
    program : Process or FMU
        The program or FMU.
    reads, writes : mapping of str to Signal
        Signals (see `polhode.controllers.Block`) with width and unit, in the order of the messages, such as
        {"rate": Signal(3, "rad/s")}. A signal without a unit gets the unit "1". A torque has the role "torque".
    clock : Clock
        Period, offset and delay.
    name : str
        Name of the block in messages.
    pulsed : bool
        Whether the block switches a torque on and off. Metrics of the command then require a recorded row in every
        period.

    Raises
    ------
    InputError
        When an argument is out of range, there are no inputs or outputs, or a signal has no width.

    Examples
    --------
    >>> from polhode.controllers import Clock, Signal
    >>> from polhode.sim import Process
    >>> gyro = Process(command=["./gyro"])
    >>> rate, output = Signal(3, "rad/s"), Signal(3, "rad/s")
    >>> block = ExternalBlock(gyro, reads={"rate": rate}, writes={"gyro": output}, clock=Clock(0.1))
    >>> block.reads, block.widths
    (('rate',), {'gyro': 3})
    """

    def __init__(
        self,
        program: Answers,
        *,
        reads: Mapping[str, Signal],
        writes: Mapping[str, Signal],
        clock: Clock,
        name: str = "external",
        pulsed: bool = False,
    ) -> None:
        of_kind("program", program, Answers, such_as='Process(command=["./gyro"])')
        for what, signals in (("reads", reads), ("writes", writes)):
            of_kind(what, signals, Mapping, such_as='{"rate": Signal(3, "rad/s")}')
            for signal in signals.values():
                of_kind(f"each of {what}", signal, Signal, such_as='Signal(3, "rad/s")')
        super().__init__(
            _Outside(program, ports_of(reads), ports_of(writes)),
            reads=tuple(reads),
            writes=writes,
            clock=clock,
            name=name,
            compiled=False,
            pulsed=pulsed,
            linear=partial(_refuse, name),
        )


def _refuse(name: str, _: Array) -> NoReturn:
    raise DesignError(
        f"the dynamics of the block {name!r} in its external process are unknown, so its loop has no margins"
    )


@dataclass(frozen=True)
class _Outside:
    """Function of an external block, which can be called only within a run."""

    program: Answers
    reads: tuple[Port, ...]
    writes: tuple[Port, ...]

    def __call__(self, t: float, y: Array) -> Any:
        raise InputError("it runs in an external process, which can be called only within a run")

    @contextmanager
    def opened(self, block: Block, *, seed: int | None, run_index: int) -> Generator[Any]:
        """Open the connection for one run."""
        # the terms use the program's signal names, since a monitor may write under different names
        terms = Terms(
            name=block.name, role="block", reads=self.reads, writes=self.writes, sample=block.clock.period,
            offset=block.clock.offset, delay=block.clock.delay, seed=seed, run=run_index,
        )  # fmt: skip
        with self.program.opened(terms) as respond:

            def answer(t: float, y: Array) -> list[float]:
                return respond(t, y.tolist())

            yield answer
