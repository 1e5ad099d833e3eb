"""The linear model of a wheel-controlled spacecraft, in states that an attitude law can control.

A motor changes the momentum p of its rotor and leaves the total momentum h unchanged. The command changes the momentum
m = h - S p of everything else, with S (3, k) the axes of the k commanded rotors; body rate and elements depend on m.
In the states (delta, m, p) the command acts on m like an external torque, and on p. Without friction p affects no other
state. Friction D(p / I - a . omega) acts on m and p, and thus makes p part of the loop.

At rest and without external torque the total momentum is constant in inertial space: the deviation of h + delta x h0 is
constant, with h0 the total momentum at the operating point. Under an external torque proportional to a rate, such as
drag, a different linear combination of h and delta is constant. No law can change this constant. Its deviation from the
operating point is therefore set to zero, and three components of p follow from delta and m.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .attitude_model import ATTITUDE_STATES, MOMENTUM_UNITS, scaled, state_scale

if TYPE_CHECKING:
    from ...plant import LinearModel

Array = NDArray[np.float64]

CANCELS = 1e-12  # relative to the terms of a sum: a smaller result is rounding
LEADING = 0.7  # fraction of the largest pivot; the first pivot above it is used, so that rounding has no effect


def driven_momenta(model: "LinearModel") -> list[int]:
    """Return the indices of the momenta of elements that the command changes."""
    return [
        n
        for n, (name, unit) in enumerate(zip(model.states, model.state_units, strict=True))
        if name not in ATTITUDE_STATES and unit in MOMENTUM_UNITS and model.B[n].any()
    ]


def with_body_momentum(model: "LinearModel", rate: Array) -> "LinearModel":
    """Return the model with m instead of h as its momentum states.

    The outputs of the new model include h and p, with the names of the states of `model`.

    model: a model at rest whose torque comes from wheels, with the attitude states; rate (3, n): body rate as rows over
    its states.
    """
    at = [model.states.index(name) for name in ATTITUDE_STATES[3:]]
    driven = driven_momenta(model)
    S = -np.linalg.solve(rate[:, at], rate[:, driven])
    outside = model.torques.outside()
    on_body = np.column_stack([outside.to_body(unit, model.operating_point[3:7]) for unit in np.eye(3)])
    pushed = -S @ model.B[driven]
    exact = np.abs(pushed - on_body).max() <= CANCELS * np.abs(on_body).max()
    A, C = np.array(model.A), np.vstack((model.C, np.eye(len(model.states))[[*at, *driven]]))
    for matrix in (A, C):
        _add(matrix, np.s_[:, driven], matrix[:, at] @ S, np.abs(matrix[:, at]) @ np.abs(S))
    _add(A, np.s_[at], -S @ A[driven], np.abs(S) @ np.abs(A[driven]))
    B = np.array(model.B)
    B[at] = on_body if exact else pushed
    names = tuple(model.states[n] for n in (*at, *driven))
    return replace(
        model,
        A=A,
        B=B,
        C=C,
        D=np.vstack((model.D, np.zeros((len(names), model.D.shape[1])))),
        outputs=(*model.outputs, *names),
        output_units=(*model.output_units, *(model.state_units[n] for n in (*at, *driven))),
        torques=outside,
    )


def from_outside(model: "LinearModel") -> "LinearModel":
    """Return a model whose control torque acts on the body externally instead of through wheels.

    Attitude and rate respond as in the original model, apart from friction due to changed wheel rates. The model with
    all elements locked is derived from this model.

    model: a model with the attitude states -> the new model; the same model if its torque is already external.
    """
    if not model.torques.internal:
        return model
    at = [model.states.index(name) for name in ATTITUDE_STATES[3:]]
    outside = model.torques.outside()
    B = np.zeros_like(model.B)
    B[at] = np.column_stack([outside.to_body(unit, model.operating_point[3:7]) for unit in np.eye(3)])
    return replace(model, B=B, torques=outside)


def without_total_momentum(model: "LinearModel", *, attitude: bool = True) -> "LinearModel":
    """Return the model without deviations of the total momentum that are constant in inertial space.

    Along axes about which a field exerts a torque, the total momentum is not constant and remains a state.

    model: from `with_body_momentum`; attitude: whether the attitude is among the relevant states; if it is not, only
    a momentum whose direction does not change under a rotation is removed.
    """
    turn = [model.states.index(name) for name in ATTITUDE_STATES[:3]]
    driven = driven_momenta(model)
    of_total = model.C[[_last(model.outputs, name) for name in ATTITUDE_STATES[3:]]]
    rates, _, T, _ = scaled(model)
    rows = of_total * T / state_scale(model.inertia)
    # solve h' = X delta' as far as possible, because h - X delta is then constant
    X = np.linalg.lstsq(rates[turn].T, (rows @ rates).T, rcond=None)[0].T
    X[np.abs(X) <= CANCELS * np.abs(X).max()] = 0.0
    rows[:, turn] -= X
    rows = _left_null(rows @ rates, np.abs(rows) @ np.abs(rates)).T @ rows
    if not attitude:
        rows = _left_null(rows[:, turn], np.abs(rows[:, turn])).T @ rows
    rows = _solvable(rows, driven)
    if not len(rows):
        return model
    places = [driven[n] for n in _pivots(rows[:, driven])]
    keep = [n for n in range(len(model.states)) if n not in places]
    back = np.zeros((len(model.states), len(keep)))
    back[keep] = np.eye(len(keep))
    solved = np.linalg.lstsq(rows[:, places], -rows[:, keep], rcond=None)[0]
    solved[np.abs(solved) <= CANCELS * np.abs(solved).max(initial=0.0)] = 0.0
    back[places] = solved
    back = T[:, None] * back / T[keep]
    through = back[places]
    kept: list[Array] = []
    for whole in (model.A[keep], model.C):
        matrix = np.array(whole[:, keep])
        _add(matrix, np.s_[:, :], whole[:, places] @ through, np.abs(whole[:, places]) @ np.abs(through))
        kept.append(matrix)
    return replace(
        model,
        A=kept[0],
        B=model.B[keep],
        C=kept[1],
        states=tuple(model.states[n] for n in keep),
        state_units=tuple(model.state_units[n] for n in keep),
    )


def without_idle_momenta(model: "LinearModel") -> "LinearModel":
    """Return the model without combinations of driven momenta that remain constant.

    More than three wheels have combinations of momenta whose torques cancel on the body. Without friction these are
    constants of the motion; their deviation from the operating point is set to zero, as for the total momentum.

    model: from `with_body_momentum`.
    """
    driven = driven_momenta(model)
    rows = _idle(model, driven)
    if not len(rows):
        return model
    places = _pivots(rows)
    keep = [n for n in range(len(model.states)) if n not in [driven[k] for k in places]]
    back = np.zeros((len(model.states), len(keep)))
    back[keep] = np.eye(len(keep))
    rest = [k for k in range(len(driven)) if k not in places]
    solved = np.linalg.solve(rows[:, places], -rows[:, rest])
    solved[np.abs(solved) <= CANCELS * np.abs(solved).max(initial=0.0)] = 0.0
    back[np.ix_([driven[k] for k in places], [keep.index(driven[k]) for k in rest])] = solved
    return replace(
        model,
        A=model.A[keep] @ back,
        B=model.B[keep],
        C=model.C @ back,
        states=tuple(model.states[n] for n in keep),
        state_units=tuple(model.state_units[n] for n in keep),
    )


def _idle(model: "LinearModel", driven: list[int]) -> Array:
    """Return the combinations (r, k) of k driven momenta that neither the command nor any state changes."""
    if len(driven) <= 3:
        return np.zeros((0, len(driven)))
    A, B, _, _ = scaled(model)
    rates = np.where(np.abs(A) > CANCELS * np.abs(A).max(), A, 0.0)[driven]
    parts = [each / (np.abs(each).max() or 1.0) for each in (rates, B[driven])]
    return _left_null(np.hstack(parts), np.ones(1)).T


def field_momenta(model: "LinearModel", states: Sequence[str]) -> bool:
    """Return whether a field builds up wheel momentum that acts on the attitude through friction.

    model: `craft.linearize(...)`; states: states of its loop, without those that follow from the total momentum.
    """
    driven = driven_momenta(model) if model.torques.internal else []
    return sum(model.states[n] in states for n in driven) > max(len(driven) - 3 - len(_idle(model, driven)), 0)


def _add(matrix: Array, where: Any, more: Array, size: Array) -> None:
    """Add to part of a matrix in place, and set cancelled entries to zero; size: magnitude of the terms."""
    part = matrix[where]
    found = part + more
    found[(np.abs(found) <= CANCELS * (np.abs(part) + size)) & (size > 0.0)] = 0.0
    matrix[where] = found


def _left_null(rows: Array, size: Array) -> Array:
    """Return the combinations U (r, c) of rows with U' rows = 0; size: magnitude of the terms."""
    if not rows.any():  # also for an empty matrix
        return np.eye(len(rows))
    left, values, _ = np.linalg.svd(rows)
    values = np.concatenate((values, np.zeros(len(rows) - len(values))))
    null = values <= CANCELS * float(size.max())
    return np.eye(len(rows)) if null.all() else left[:, null]


def _solvable(rows: Array, columns: list[int]) -> Array:
    """Return the row combinations that can be solved for given columns: all if these have full rank."""
    if not len(rows):
        return rows
    left, values, _ = np.linalg.svd(rows[:, columns])
    there = int((values > CANCELS * values.max(initial=0.0)).sum())
    return rows if there == len(rows) else left[:, :there].T @ rows


def _pivots(rows: Array) -> list[int]:
    """Return as many pivot columns as rows; among nearly equal pivots the first column is taken."""
    left, found = np.array(rows), list[int]()
    for _ in range(len(rows)):
        sizes = np.linalg.norm(left, axis=0)
        found.append(int(np.argmax(sizes >= LEADING * sizes.max())))
        unit = left[:, found[-1]] / sizes[found[-1]]
        left = left - np.outer(unit, unit @ left)
        left[:, found] = 0.0
    return found


def _last(names: tuple[str, ...], name: str) -> int:
    return len(names) - 1 - names[::-1].index(name)
