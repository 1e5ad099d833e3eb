"""Instability of a loop whose wheels absorb momentum from a field."""

import numpy as np
from numpy.typing import NDArray

from .sampled_loop import ROUNDING, SampledLoop
from .wheel_torque import driven_momenta, field_momenta, from_outside

NEUTRAL = 1e-10  # distance from |z| = 1 within which a pole may belong to a constant, given rounding


def left_in_wheels(loop: SampledLoop, poles: NDArray[np.complex128]) -> str:
    """Return an explanation if a loop is unstable because its wheels absorb momentum from a field.

    poles: poles of the loop, largest modulus first -> clause for an error message; empty if the loop is stable or
    unstable for another reason.
    """
    model = loop.model
    pole = complex(poles[0])
    if abs(pole) < 1.0 - NEUTRAL or not loop.uses_attitude or not field_momenta(model, loop.states):
        return ""
    names = ", ".join(model.states[n].removesuffix("_momentum") for n in driven_momenta(model))
    why = f"the wheels ({names}) take up the momentum of a field that turns the craft, their friction acts on it, and"
    if abs(pole) < 1.0 + NEUTRAL:
        return (
            f"a closed-loop pole lies at z = 1: {why} integral action holds the attitude at any momentum; take a "
            "law without integral action, or a torque from outside"
        )
    if loop.with_model(from_outside(model)).radius() >= 1.0 - ROUNDING:
        return ""
    return f"a closed-loop pole lies at z = {pole:.6g}: {why} no gain holds it; take a torque from outside"
