"""Cache of the sampled loops of a spacecraft, which margins and warnings share."""

from collections.abc import Hashable, Sequence
from dataclasses import fields
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...plant import LinearModel, Spacecraft, TorqueBasis
from ..contracts.block import Block
from ..contracts.law import Law
from ..contracts.law_defaults import with_defaults
from .sampled_loop import SampledLoop

KEPT = 4  # cached combinations of model and blocks for each law

_Loops = dict[Hashable, SampledLoop]
_known: WeakKeyDictionary[Spacecraft, WeakKeyDictionary[Any, _Loops]] = WeakKeyDictionary()


def shared_loop(craft: Spacecraft, law: Law, model: LinearModel, blocks: Sequence[Block] = ()) -> SampledLoop:
    """Return the sampled loop of a law with blocks, from a cache for each spacecraft.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft; the cached loop is dropped when this object is deleted.
    law : Law
        The law.
    model : LinearModel
        The linear model of the plant; models are compared bitwise.
    blocks : sequence of Block
        Blocks of the loop.

    Returns
    -------
    SampledLoop
        The loop that `Law.loop` returns; it is shared, so do not modify it.

    Raises
    ------
    InputError, DesignError
        For the same reasons as in `Law.loop`.
    """
    try:
        loops = _known.setdefault(craft, WeakKeyDictionary()).setdefault(law, {})
    except TypeError:  # a custom law that is not hashable
        loops = _Loops()
    compiled = getattr(law, "compiled", True) and all(block.compiled for block in blocks)
    if not compiled:  # plain Python may have internal state, so it is evaluated in every analysis
        return with_defaults(law).loop(model, blocks=blocks)
    key = (*blocks, *(_key(getattr(model, each.name)) for each in fields(model)))
    loop = loops.get(key)
    if loop is None:
        loop = with_defaults(law).loop(model, blocks=blocks)
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
