"""Description of a law or block for code generation: kernel, inputs, outputs, parameters, limits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law
from ....controllers.contracts.kernel_call import KernelCall
from ....controllers.laws.limited import limit_numbers, require_ports
from ....controllers.loop.routes import COMMAND, OF_PORT, REFERENCE_SIGNAL, Source, commands_of, routes, shown_by
from ....plant import InputError, Spacecraft, TorqueBasis
from ....plant.frozen import frozen_arrays
from ....plant.loads.user_loads import function_name
from .numbers import Attitude, Number, attitudes_of, command_numbers, reference_numbers, signal_numbers

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Sampled:
    """Description of a law or block for the C code generator.

    reads, writes: inputs and outputs, in order. attitudes: positions of unit quaternions in the inputs. limits: limits
    at which the engine saturates each three-axis command; empty if there are no limits. follows: whether each sample
    has a reference. words: description in one line. calls: the kernels that it calls.
    """

    kernel: Callable[..., Any]
    parameters: Array
    memory: Array
    sample: float
    delay: float
    reads: tuple[Number, ...]
    writes: tuple[Number, ...]
    attitudes: tuple[Attitude, ...]
    follows: bool
    limits: tuple[Array, ...]
    words: str
    calls: tuple[KernelCall, ...] = ()

    @property
    def reference(self) -> tuple[Number, ...]:
        """The numbers of the reference, if each sample has a reference."""
        return tuple(reference_numbers())


def sampled_law(craft: Spacecraft, law: Law, blocks: Sequence[Block]) -> Sampled:
    """Return the description of a law, saturated at the spacecraft's limits if no block follows.

    Raises InputError when the law is plain Python.
    """
    if not getattr(law, "compiled", True):
        name = function_name(getattr(law, "function", law))
        raise InputError(
            f"the law {name!r} is plain Python, which cannot be exported; write it as a kernel function(t, y, r, q, z, "
            "u) on scalars and pass CustomLaw(function, sample=...) without compiled=False"
        )
    further = tuple(getattr(law, "reads", ()))
    found = routes(shown_by(craft), blocks, further, commands=commands_of(law))
    ports = {port: craft.ports[port] for port in require_ports(law, craft)} or {"": craft.torques}
    free = TorqueBasis().saturation()
    cut = {port: found.commands[OF_PORT.get(port, COMMAND)].by < 0 for port in ports}
    seen = [source for name, source in found.law_reads.items() if name != REFERENCE_SIGNAL]
    words = getattr(law, "summary", type(law).__name__)
    numbers = np.array(law.parameters, dtype=np.float64)
    limit_numbers(law, craft, blocks, numbers)
    return Sampled(
        kernel=law.kernel,
        parameters=numbers,
        memory=np.asarray(law.memory, dtype=np.float64),
        sample=law.sample,
        delay=law.delay,
        reads=_numbers(craft, seen, blocks),
        writes=tuple(number for port in ports for number in command_numbers(craft, port)),
        attitudes=tuple(attitudes_of(seen, blocks)),
        follows=True,
        limits=tuple(basis.saturation() if cut[port] else free for port, basis in ports.items())
        if any(cut.values())
        else (),
        words=f"Attitude law: {words}",
        calls=tuple(getattr(law, "calls", ())),
    )


def sampled_block(craft: Spacecraft, law: Law, block: Block, blocks: Sequence[Block]) -> Sampled:
    """Return the description of a block. Raises InputError if it is plain Python or draws random numbers."""
    if not block.compiled:
        raise InputError(
            f"the block {block.name!r} is plain Python, which cannot be exported; write it as a kernel function(t, y, "
            "q, z, v) on scalars and pass it without compiled=False"
        )
    if block.random:
        raise InputError(
            f"the block {block.name!r} draws random numbers: it models hardware, which is not part of flight code; "
            "export the law, an estimator or a filter"
        )
    shown = shown_by(craft)
    found = routes(shown, blocks, tuple(getattr(law, "reads", ())), commands=commands_of(law))
    n = list(blocks).index(block)
    return Sampled(
        kernel=block.kernel,
        parameters=np.asarray(block.parameters, dtype=np.float64),
        memory=np.asarray(block.memory, dtype=np.float64),
        sample=block.clock.period,
        delay=block.clock.delay,
        reads=_numbers(craft, found.reads[n], blocks),
        writes=_numbers(craft, found.writes[n], blocks),
        attitudes=tuple(attitudes_of(found.reads[n], blocks)),
        follows=False,
        limits=(),
        words=f"Block {block.name!r}",
        calls=block.calls,
    )


def _numbers(craft: Spacecraft, sources: Sequence[Source], blocks: Sequence[Block]) -> tuple[Number, ...]:
    return tuple(number for source in sources for number in signal_numbers(craft, source, blocks))
