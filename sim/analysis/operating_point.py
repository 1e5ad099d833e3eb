"""Operating point of a law on a spacecraft, and initial states near it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Law
from ...plant import LinearModel, Spacecraft
from ...plant.attitude import from_rotation_vector, quaternion_product
from ...plant.checks import of_kind, vector
from ...plant.linear.own_chart import turned

Array = NDArray[np.float64]


def operating_point(craft: Spacecraft, law: Law, state: ArrayLike | None = None) -> Array:
    """Return the operating point of a law on a spacecraft.

    state: the operating point; by default the operating point of the law's model, if that model has the same states as
    this spacecraft, otherwise rest in (1, 0, 0, 0).
    """
    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    if state is not None:
        return vector("state", state, craft.layout.size)
    model = getattr(law, "model", None)
    if isinstance(model, LinearModel) and model.operating_point.size == craft.layout.size:
        return np.array(model.operating_point, dtype=np.float64)
    return craft.at_rest()


def moved(craft: Spacecraft, state: Array, error: Array, rate: Array) -> Array:
    """Return a state rotated by a rotation vector, with a changed body rate.

    state: original state.
    error (3,): rotation vector, rad, body components.
    rate (3,): change of the body rate, rad/s; elements keep their coordinates and rates relative to the body.
    """
    e = quaternion_product(state[3:7], from_rotation_vector(error))
    layout = craft.layout
    if not rate.any():
        return np.concatenate((state[:3], e, state[7 : layout.own.start], turned(craft, state, e)))
    moves = bool(layout.coordinates)  # a rigid spacecraft has no internal coordinates
    parts = {"internal": state[layout.internal], "internal_rate": craft.internal_rates(state)} if moves else {}
    whole = craft.state(attitude=e, rate=craft.rate(state) + rate, **parts)
    n = layout.position.start
    own = slice(layout.own.start, layout.levels.start)
    return np.concatenate((whole[:n], state[n : own.start], whole[own], state[layout.levels]))
