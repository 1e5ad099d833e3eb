"""Sampled loops of a spacecraft, built once for its margins and its warnings."""

from collections.abc import Hashable, Sequence
from dataclasses import fields
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...plant import LinearModel, Spacecraft, TorqueBasis
from ..contracts.block import Block
from ..contracts.law import Law, asked
from .sampled_loop import SampledLoop

KEPT = 4  # models and sets of blocks for each law

_Loops = dict[Hashable, SampledLoop]
_known: WeakKeyDictionary[Spacecraft, WeakKeyDictionary[Any, _Loops]] = WeakKeyDictionary()


def shared_loop(craft: Spacecraft, law: Law, model: LinearModel, blocks: Sequence[Block] = ()) -> SampledLoop:
    """Return the sampled loop of a law with blocks, from a cache for each spacecraft.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft with whose lifetime the cached loop ends.
    law : Law
        The law.
    model : LinearModel
        The linear model of the plant; models are compared to the bit.
    blocks : sequence of Block
        Blocks of the loop.

    Returns
    -------
    SampledLoop
        That of `Law.loop`, to be read only.

    Raises
    ------
    InputError, DesignError
        As `Law.loop`.
    """
    try:
        loops = _known.setdefault(craft, WeakKeyDictionary()).setdefault(law, {})
    except TypeError:  # a custom law that cannot be a key
        loops = _Loops()
    compiled = getattr(law, "compiled", True) and all(block.compiled for block in blocks)
    if not compiled:  # plain Python may have internal state, so it is evaluated in every analysis
        return asked(law).loop(model, blocks=blocks)
    key = (*blocks, *(_key(getattr(model, each.name)) for each in fields(model)))
    loop = loops.get(key)
    if loop is None:
        loop = asked(law).loop(model, blocks=blocks)
        if len(loops) >= KEPT:
            loops.clear()
        loops[key] = loop
    return loop


def _key(value: Any) -> Hashable:
    if isinstance(value, np.ndarray):
        array: Any = value  # pyright: ignore[reportUnknownVariableType]
        return array.shape, array.tobytes()
    if isinstance(value, TorqueBasis):
        return value.code, *value.axes, value.internal
    return tuple(sorted(value.items())) if isinstance(value, dict) else value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
