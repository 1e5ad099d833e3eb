"""Process-wide cache of linear models, shared by a design and its analysis."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .deviations import deviations
from .model import LinearModel
from .outputs import Output

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

KEPT = 16
_lock = Lock()
_known: dict[Hashable, tuple[LinearModel, bool]] = {}
"""Models, each with a flag whether its state was checked to be steady; the most recently used is last."""


def cached_model(
    craft: "Spacecraft",
    x: NDArray[np.float64],
    outputs: Sequence[Output],
    *,
    coordinates: tuple[str, ...],
    steady: bool,
    find: Callable[[], LinearModel],
) -> LinearModel:
    """Return the cached model for an equal spacecraft and state, or compute it with `find`.

    coordinates: coordinates with their own inputs; steady: whether the state must be steady; find: computes the model.

    Parameters do not identify a spacecraft with user-defined functions, so its model is never cached.
    """
    if craft.user_potentials or craft.user_forces:
        return find()
    names, _, _ = deviations(craft)
    key = (
        craft.pack().tobytes(),
        x.tobytes(),
        craft.layout.names,
        names,
        coordinates,
        tuple(output.names for output in outputs),
    )
    model, checked = _known.get(key, (None, False))
    if model is None or (steady and not checked):
        model, checked = find(), steady
    with _lock:
        _known.pop(key, None)
        _known[key] = model, checked
        if len(_known) > KEPT:
            del _known[next(iter(_known))]
    return replace(model, torques=craft.torques)
