"""Conversion of a block to a discrete system of python-control."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import choice
from ...plant.errors import InputError
from .block import Block
from .kernel_call import call_code
from .sampled_system import called_twice, sampled_system, whole_samples
from .signal_labels import LABELS, labels

Array = NDArray[np.float64]

SIZES = {name: len(each) for name, each in LABELS.items()} | {"applied": 3}


def block_system(
    block: Block, remap: Mapping[str, str], sizes: Mapping[str, int], *, seed: int | None, run_index: int, name: str
) -> Any:
    """Return a block as a control.NonlinearIOSystem; arguments and errors are those of `Block.to_nlsys`."""
    who = f"the block {block.name!r}"
    _refuse_unsuitable(block, who, seed)
    late = whole_samples(who, block.clock.period, block.clock.delay, "take one that is")
    known = {**SIZES, **{each: size for each, size in block.widths.items() if size}, **sizes}
    for each in (*block.reads, *block.writes):
        if each not in known:
            raise InputError(f"the width of {each!r}, a signal of {who}, is unknown; give sizes={{{each!r}: 3}}")
    for each in remap:
        choice(f"signal that {who} reads:", each, block.reads)
    inputs = [label for each in block.reads for label in labels(remap.get(each, each), known[each])]
    outputs = [label for each in block.writes for label in labels(each, known[each])]
    ready = block.seeded(seed=seed or 0, run_index=run_index)
    numbers = np.array(ready.parameters, dtype=np.float64)
    kept = [(place, function) for place, _, function in ready.calls]
    for place, function in kept:
        numbers[place] = call_code(function)

    def kernel(t: float, y: Array, z: Array, v: Array) -> None:
        assert kept is not None  # noqa: S101 # keeps the functions alive: the parameters hold their ids
        ready.kernel(t, y, numbers, z, v)

    call = kernel if ready.compiled else called_twice(kernel, who)

    def answer(t: float, z: Array, y: Array) -> Array:
        v = np.full(len(outputs), np.nan)
        call(t, y, z, v)
        return v

    return sampled_system(
        who,
        answer,
        memory=ready.memory.size,
        inputs=inputs,
        outputs=outputs,
        sample=block.clock.period,
        late=late,
        name=name,
    )


def _refuse_unsuitable(block: Block, who: str, seed: int | None) -> None:
    """Raise InputError if a block cannot be a discrete system of python-control."""
    if block.runs_outside:
        raise InputError(f"{who} runs in a process that exists only during a run: python-control cannot evaluate it")
    if block.clock.offset:
        raise InputError(
            f"{who} takes its first sample at {block.clock.offset:g} s, but discrete systems of python-control "
            "begin at zero; give offset=0.0"
        )
    there = next((each for each in block.writes if each in LABELS), None)
    if there is not None:
        raise InputError(
            f"{who} writes {there!r}, which exists already: python-control would add both; use "
            f'block.as_monitor({{"{there}": "{there}_{block.name}"}}), and connect its reader: '
            f'law.to_nlsys(remap={{"{there}": "{there}_{block.name}"}})'
        )
    if block.random and seed is None:
        raise InputError(f"no seed for the random numbers of {block.name!r}; give to_nlsys(seed=1)")
