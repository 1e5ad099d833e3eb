"""Linear form of a block about an operating point, and a block whose behaviour equals that form."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.errors import DesignError, InputError
from .block import Block
from .block_draws import draw_words
from .block_form import BlockForm, form_of_kernel
from .checks import packed, read_only
from .copy_block import copy_block

Array = NDArray[np.float64]


def small_signal(block: Block, y0: ArrayLike, width: int) -> BlockForm:
    """Return the linear form of a block; arguments and errors are those of `Block.small_signal`."""
    at = np.asarray(y0, dtype=np.float64).ravel()
    if block.linear is None and block.random:
        raise DesignError(
            f"the block {block.name!r} draws random numbers, so it has no derivable linear form; give "
            "Block(linear=...), the form without random numbers"
        )
    if block.linear is None:
        return form_of_kernel(
            block.kernel, at, parameters=block.parameters, memory=block.memory, width=width, times=block.clock.period,
            name=f"the block {block.name!r}", exact=block.compiled,
        )  # fmt: skip
    form = block.linear if isinstance(block.linear, BlockForm) else block.linear(at)
    if not isinstance(form, BlockForm) or np.shape(form.D) != (width, at.size):  # pyright: ignore[reportUnnecessaryIsInstance] # user function
        shape = f"D of shape {np.shape(form.D)}" if isinstance(form, BlockForm) else repr(form)  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            f"the linear form of the block {block.name!r} must be a BlockForm with D of {width} x {at.size}, "
            f"outputs by inputs; got {shape}"
        )
    return form


def linear_equivalent(block: Block, y0: ArrayLike) -> dict[str, Any]:
    """Return the block fields to replace to obtain its linear equivalent; see `Block.linear_equivalent`."""
    form = block.linear
    if block.noise_free is not None:
        numbers, memory = block.noise_free(np.asarray(y0, dtype=np.float64).ravel())
        parameters = packed("block parameters", numbers)
        if block.random:
            parameters = read_only(np.concatenate((draw_words(block.name, seed=0, run_index=0), parameters)))
        return {"random": False, "parameters": parameters, "memory": packed("block memory", memory)}
    if isinstance(form, BlockForm) and form.words and not form.order and _is_one(np.asarray(form.D)):
        nothing = read_only(np.zeros(0))
        return {"kernel": copy_block, "parameters": nothing, "memory": nothing, "compiled": True, "random": False}
    if block.random:
        raise DesignError(
            f"the errors of the block {block.name!r} never decay, so no simulation can verify a margin; give "
            "Block(noise_free=...), its parameters without noise, or omit the block or its noise"
        )
    if isinstance(form, BlockForm) and form.words:
        raise DesignError(
            f"the block {block.name!r} differs from its linear form in the margins ({form.words}), so no "
            "simulation can verify the margins; give a block that equals its linear form"
        )
    return {}


def _is_one(D: Array) -> bool:
    return np.array_equal(D, np.eye(len(D)))
