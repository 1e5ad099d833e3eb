"""Coordinates without stiffness whose momentum changes in proportion to their rate, such as a driven gimbal at rest.

A coordinate s with the momentum p and p' = -k s', unaffected by a command, has the constant c = p + k s. A gimbal's
rate loop, or just viscous friction, gives such a pair. In the states (c, p) instead of (s, p), c is a constant of the
motion, which the loop omits like other constants; s becomes an output.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...plant import LinearModel

EXACT = 1e-12  # largest deviation from p' = -k s', relative to the magnitude of p'


def with_coasting_constants(model: "LinearModel") -> "LinearModel":
    """Return the model with c replacing each coasting coordinate s, and s as an output; unchanged if there are none.

    The state c has the name of the coordinate and the unit of the momentum; its row is zero.
    """
    A, B, shown = np.array(model.A), np.array(model.B), np.array(model.C)
    units, names, added = list(model.state_units), list(model.outputs), list(model.output_units)
    found = False
    for s, name in enumerate(model.states):
        momentum = f"{name}_momentum"
        if momentum not in model.states:
            continue
        p = model.states.index(momentum)
        rate, force = np.concatenate((A[s], B[s])), np.concatenate((A[p], B[p]))
        size = float(np.linalg.norm(force))
        if size == 0.0 or not rate.any():
            continue
        k = -float(force @ rate) / float(rate @ rate)
        if k <= 0.0 or float(np.abs(force + k * rate).max()) > EXACT * size:
            continue
        found = True
        if name not in names:
            row = np.zeros((1, len(A)))
            row[0, s] = 1.0
            shown = np.vstack((shown, row))
            names.append(name)
            added.append(units[s])
        for matrix in (A, shown):  # s = (c - p)/k
            matrix[:, p] -= matrix[:, s] / k
            matrix[:, s] /= k
        A[s], B[s] = 0.0, 0.0
        units[s] = units[p]
    if not found:
        return model
    through = np.zeros((len(shown), B.shape[1]))
    through[: len(model.D)] = model.D
    return replace(
        model,
        A=A,
        B=B,
        C=shown,
        D=through,
        state_units=tuple(units),
        outputs=tuple(names),
        output_units=tuple(added),
    )
