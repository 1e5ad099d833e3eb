"""A law or a block as something that is asked at its samples: what it reads, what it writes, what it goes by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law
from ....controllers.laws.called import Called
from ....controllers.laws.law_layout import REFERENCE, SEEN
from ....controllers.laws.limited import limit_numbers, require_ports
from ....controllers.loop.routes import COMMAND, OF_PORT, commands_of, routes, shown_by
from ....plant import InputError, Spacecraft, TorqueBasis
from ....plant.frozen import frozen_arrays
from ....plant.loads.user_loads import function_name

__all__ = ["REFERENCE_WORDS", "Sampled", "sampled_block", "sampled_law"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Sampled:
    """What is written as C.

    reads, writes: what each number is and its unit. limits: where the engine cuts off each command of three numbers,
    none where it does not. follows: whether a reference comes with each sample. words: what it is, in a line. calls:
    the kernels it calls.
    """

    kernel: Callable[..., Any]
    parameters: Array
    memory: Array
    sample: float
    delay: float
    reads: tuple[tuple[str, str], ...]
    writes: tuple[tuple[str, str], ...]
    follows: bool
    limits: tuple[Array, ...]
    words: str
    calls: tuple[Called, ...] = ()


def sampled_law(craft: Spacecraft, law: Law, blocks: Sequence[Block]) -> Sampled:
    """Return a law; its command is cut off at the limits of the craft where no block stands behind it.

    Raises InputError when it is plain Python.
    """
    if not getattr(law, "compiled", True):
        name = function_name(getattr(law, "function", law))
        raise InputError(
            f"the law {name!r} is plain Python and has no C; write it as a kernel function(t, y, r, q, z, u) on "
            "scalars and give CustomLaw(function, sample=...) without compiled=False"
        )
    names, units = craft.layout.names, craft.layout.units
    seen = [*zip(names[: SEEN.rate], units, strict=False), *((f"rate_{axis}", "rad/s") for axis in "xyz")]
    seen += zip(names[SEEN.rate :], units[SEEN.rate :], strict=True)
    further = tuple(getattr(law, "reads", ()))
    found = routes(shown_by(craft), blocks, further, commands=commands_of(law))
    ports = {port: craft.ports[port] for port in require_ports(law, craft)} or {"": craft.torques}
    free = TorqueBasis().saturation()
    cut = {port: found.commands[OF_PORT.get(port, COMMAND)].by < 0 for port in ports}
    seen += [(f"{name}[{k}]", "") for name in further for k in range(found.law_reads[name].width)]
    words = getattr(law, "words", type(law).__name__)
    numbers = np.array(law.parameters, dtype=np.float64)
    limit_numbers(law, craft, blocks, numbers)
    return Sampled(
        kernel=law.kernel,
        parameters=numbers,
        memory=np.asarray(law.memory, dtype=np.float64),
        sample=law.sample,
        delay=law.delay,
        reads=tuple(seen),
        writes=tuple(
            (f"{port}{'_' if port else ''}torque_{n + 1}", f"N m, {basis.name} basis")
            for port, basis in ports.items()
            for n in range(3)
        ),
        follows=True,
        limits=tuple(basis.saturation() if cut[port] else free for port, basis in ports.items())
        if any(cut.values())
        else (),
        words=str(words),
        calls=tuple(getattr(law, "calls", ())),
    )


def sampled_block(craft: Spacecraft, law: Law, block: Block, blocks: Sequence[Block]) -> Sampled:
    """Return a block beside that law. Raises InputError when it is plain Python or draws random numbers."""
    if not block.compiled:
        raise InputError(
            f"the block {block.name!r} is plain Python and has no C; write it as a kernel function(t, y, q, z, v) on "
            "scalars and give it without compiled=False"
        )
    if block.random:
        raise InputError(
            f"the block {block.name!r} draws random numbers: it models hardware, which flight code does not; export "
            "the law, an estimator or a filter"
        )
    shown = shown_by(craft)
    found = routes(shown, blocks, tuple(getattr(law, "reads", ())), commands=commands_of(law))
    n = list(blocks).index(block)
    return Sampled(
        kernel=block.kernel,
        parameters=np.asarray(block.parameters, dtype=np.float64),
        memory=np.asarray(block.memory, dtype=np.float64),
        sample=block.sample,
        delay=block.delay,
        reads=tuple((f"{each.name}[{k}]", "") for each in found.reads[n] for k in range(each.width)),
        writes=tuple(
            (f"{each.name}[{k}]", block.units.get(each.name, "N m" if each.name == COMMAND else ""))
            for each in found.writes[n]
            for k in range(each.width)
        ),
        follows=False,
        limits=(),
        words=f"the block {block.name!r}",
        calls=block.calls,
    )


REFERENCE_WORDS = tuple(
    [(f"attitude_{n}", "1") for n in range(REFERENCE.rate)]
    + [(f"rate_{axis}", "rad/s") for axis in "xyz"]
    + [(f"acceleration_{axis}", "rad/s^2") for axis in "xyz"]
)
"""What a reference says, and in which units."""
