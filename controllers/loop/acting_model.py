"""The part of a linear model that acts on the attitude, and the outputs that a law can measure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.errors import DesignError, InputError
from .attitude_model import ATTITUDE_STATES, MOMENTUM_UNITS, check_model, scaled
from .coasting import with_coasting_constants
from .wheel_torque import driven_momenta, with_body_momentum, without_idle_momenta, without_total_momentum

Array = NDArray[np.float64]

ROUNDING = 1e-13  # relative to the largest entry, in units of the mean inertia: a smaller entry counts as zero
STILL = 1e-13  # rad/s, one rotation in two million years: rounding error where element momenta cancel
_RATES = ("rate_x", "rate_y", "rate_z")
RATE_OF = "_rate"
"""Suffix of the name of the rate of an internal coordinate."""

_known: WeakKeyDictionary[LinearModel, dict[tuple[object, ...], LinearModel | None]] = WeakKeyDictionary()
"""Cache of the acting part of each model, by the call's arguments; None stands for the model itself."""


def acting_model(
    model: LinearModel,
    *,
    constants: bool = False,
    seen: Sequence[str] = (),
    total_momentum: bool = False,
    attitude: bool = True,
) -> LinearModel:
    """Return the model without the states that do not act on the attitude.

    Constants of the motion are omitted because nothing drives them and their deviation stays zero, for example the
    axial momentum of a wheel without friction or motor; see also `coasting`. Then all states that act neither on
    attitude nor on rate are omitted, such as the position of a free spacecraft.

    If wheels provide the torque and the spacecraft does not rotate, the momentum state excludes the momentum of these
    wheels, and the torque acts on it like an external torque; see `wheel_torque`. The model includes the wheel
    friction. If there are four or more wheels, combinations of their momenta that nothing changes are constants too.

    constants: whether to keep the constants of the motion that act on the attitude or rate.
    seen: states measured by a law. Unless they are constants, they act on the attitude through the law.
    total_momentum: whether the total momentum of a wheel-controlled spacecraft may deviate, initially or due to an
        external torque. Wheel torque cannot change the total momentum.
    attitude: whether the attitude is among the relevant states.
    -> the same model, or a reduced one; attitude error and momentum come first.
    Raises DesignError when an attitude state is missing.
    """
    check_model(model)
    key = constants, tuple(seen), total_momentum, attitude
    parts = _known.setdefault(model, {})
    if key not in parts:
        part = _acting_part(model, constants=constants, seen=seen, total_momentum=total_momentum, attitude=attitude)
        parts[key] = None if part is model else part
    return parts[key] or model


def _acting_part(
    model: LinearModel, *, constants: bool, seen: Sequence[str], total_momentum: bool, attitude: bool
) -> LinearModel:
    missing = [name for name in ATTITUDE_STATES if name not in model.states]
    if missing:
        raise DesignError(
            f"an attitude law needs the states {', '.join(ATTITUDE_STATES)}; the model lacks {', '.join(missing)}"
        )
    if _on_wheels(model):
        model = with_body_momentum(model, measurement(model)[3:])
        if not constants:
            model = without_idle_momenta(model)
        if not total_momentum:
            model = without_total_momentum(model, attitude=attitude)
    if not constants:
        model = with_coasting_constants(model)
    inner = [model.states.index(name) for name in ATTITUDE_STATES]
    A, B, T, _ = scaled(model)
    couples = np.abs(A) > ROUNDING * float(np.abs(A).max())
    driven = (np.abs(B) > ROUNDING * float(np.abs(B).max())).any(axis=1)
    moves = np.asarray(couples.any(axis=1) | driven | constants, dtype=bool)
    moves[inner] = True
    acts = np.zeros(len(model.states), dtype=bool)
    acts[inner] = True
    acts |= moves & (state_rows(model, seen) != 0.0).any(axis=0)
    rows = [model.outputs.index(name) for name in _RATES if name in model.outputs]
    turns = np.abs(model.C[rows] * T)
    acts |= moves & (turns > ROUNDING * turns.max(initial=0.0)).any(axis=0)
    while True:
        more = acts | (moves & couples[acts].any(axis=0))
        if (more == acts).all():
            break
        acts = more
    if acts.all() and tuple(model.states[:6]) == ATTITUDE_STATES:
        return model
    keep = [*inner, *(n for n, flag in enumerate(acts.tolist()) if flag and n not in inner)]
    return with_states(model, keep)


def with_states(model: LinearModel, keep: Sequence[int]) -> LinearModel:
    """Return the model reduced to the states with the indices `keep`, in that order."""
    return replace(
        model,
        A=model.A[np.ix_(keep, keep)],
        B=model.B[keep],
        C=model.C[:, keep],
        states=tuple(model.states[n] for n in keep),
        state_units=tuple(model.state_units[n] for n in keep),
    )


def _on_wheels(model: LinearModel) -> bool:
    return model.torques.internal and not operating_rate(model).any()


def body_momentum(model: LinearModel, deviations: Mapping[str, float]) -> Array:
    """Return the deviation of the momentum state of an acting model, N m s.

    model: `craft.linearize(...)`; deviations: deviations of plant states by name, which must include all momenta ->
    (3,): deviation of the total momentum, minus the deviation of the momentum of the wheels that provide the torque.
    """
    total = np.array([deviations[name] for name in ATTITUDE_STATES[3:]])
    if not _on_wheels(model):
        return total
    whole = with_body_momentum(model, measurement(model)[3:])
    rows, driven = state_rows(whole, ATTITUDE_STATES[3:]), driven_momenta(whole)
    return total - rows[:, driven] @ np.array([deviations[whole.states[n]] for n in driven])


def state_rows(model: LinearModel, names: Sequence[str]) -> Array:
    """Return the rows that express named plant states in terms of the states of a model.

    If wheels provide the torque, the states of the model differ from the plant's states; the plant states are then
    outputs of the model.

    model: from `acting_model`; names: names of momenta and internal states, or of the rates of internal coordinates,
    such as mode_1_rate -> (names, n): rows; zero for a constant of the motion.
    """
    rows = np.zeros((len(names), len(model.states)))
    for row, name in zip(rows, names, strict=True):
        if shown_as_output(model, name):
            row[:] = model.C[len(model.outputs) - 1 - model.outputs[::-1].index(name)]
        elif name in model.states:
            row[model.states.index(name)] = 1.0
        elif name.endswith(RATE_OF) and (coordinate := name.removesuffix(RATE_OF)) in model.states:
            row[:] = model.A[model.states.index(coordinate)]  # no torque acts on the derivative of a coordinate
    return rows


def shown_as_output(model: LinearModel, name: str) -> bool:
    """Return whether a momentum of the plant, or a coordinate that is not a state, is an output of a model."""
    if name not in model.outputs:
        return False
    return name not in model.states or model.output_units[model.outputs.index(name)] in MOMENTUM_UNITS


def internal_states(model: LinearModel) -> tuple[str, ...]:
    """Return the names of the states other than attitude error and momentum.

    model: from `acting_model` -> names; empty for a rigid spacecraft.
    """
    return tuple(name for name in model.states if name not in ATTITUDE_STATES)


def measurement(model: LinearModel, measured: Sequence[str] = ()) -> Array:
    """Return the output matrix of a law's measurement: attitude error, rate, measured internal states.

    model: from `acting_model`; measured: names of internal states that the law measures -> (6 + e, n): rows of
    [delta; omega deviation; internal deviations]. Raises DesignError when a name is not a state, or when torque feeds
    through directly to a measurement, because the law would then close an algebraic loop.
    """
    n = len(model.states)
    C = np.zeros((6 + len(measured), n))
    for name in measured:
        if name not in model.states and not shown_as_output(model, name):
            raise DesignError(
                f"the law measures {name!r}, which is not a state of the model ({', '.join(model.states)})"
            )
    C[:3, [model.states.index(name) for name in ATTITUDE_STATES[:3]]] = np.eye(3)
    C[6:] = state_rows(model, measured)
    if all(name in model.outputs for name in _RATES):
        rows = [model.outputs.index(name) for name in _RATES]
        if np.any(model.D[rows]):
            raise DesignError(
                "algebraic loop: in this model the torque feeds straight through to the measured rate, which the law "
                "would need before it can compute the torque; add the actuator lag to the model"
            )
        C[3:6] = model.C[rows]
    else:  # from the model: delta' = - omega0 x delta + rate deviation
        at = [model.states.index(name) for name in ATTITUDE_STATES[:3]]
        C[3:6] = model.A[at]
        C[3:6, at] = 0.0
    return C


def is_rigid(model: LinearModel) -> bool:
    """Return whether a model has six states and its momentum is the locked inertia times the rate.

    model: from `acting_model` -> False when elements take part in the motion.
    """
    if tuple(model.states) != ATTITUDE_STATES:
        return False
    rate = measurement(model)[3:]
    return not rate[:, :3].any() and bool(np.allclose(rate[:, 3:] @ model.inertia, np.eye(3), rtol=0, atol=1e-9))


def operating_rate(model: LinearModel) -> Array:
    """Return the body rate of the operating point, rad/s.

    The rate follows from the model: delta' = - omega0 x delta + rate deviation.

    model: a model with the attitude states -> (3,): components that are only rounding error of the elements' momentum
    are zero.
    """
    at = [model.states.index(name) for name in ATTITUDE_STATES[:3]]
    turn = model.A[np.ix_(at, at)]
    rate = 0.5 * np.array([turn[1, 2] - turn[2, 1], turn[2, 0] - turn[0, 2], turn[0, 1] - turn[1, 0]])
    if not rate.any():
        return np.zeros(3)
    noise = 1e-13 * float(np.abs(model.operating_point[:3]).max()) / float(np.linalg.eigvalsh(model.inertia).min())
    return np.where(np.abs(rate) > max(noise, STILL), rate, 0.0)


def seen_at(model: LinearModel, measured: Sequence[str]) -> tuple[Array, Array]:
    """Return the indices of measured internal states, and their values at the operating point.

    model: the model as `linearize` returned it; measured: names of internal states -> indices (e,) in the law's
    measurement y; values (e,), to which deviations are relative. Raises InputError when a name is unknown, or when
    states were removed from the model, because the indices are then undefined.
    """
    if not measured:
        return np.zeros(0), np.zeros(0)
    names = seen_names(model)
    if len(model.operating_point) != 7 + len(names):
        raise InputError("a law that measures internal states needs the model as returned by craft.linearize")
    for name in measured:
        if name not in names:
            raise InputError(f"internal state {name!r} is unknown; there are {', '.join(names)}")
    places = np.array([10 + names.index(name) for name in measured], dtype=np.float64)
    return places, np.array([model.operating_point[int(place) - 3] for place in places])


def seen_names(model: LinearModel) -> list[str]:
    """Return the names of a law's measurements after momentum, attitude and rate, in the order of y."""
    linear = tuple(f"linear_momentum_{axis}" for axis in "xyz")
    free = [f"position_{axis}" for axis in "xyz"] if "position_x" in model.states else []
    beyond = [name for name in model.states if name not in ATTITUDE_STATES]
    momenta = [name for name in beyond if name.endswith("_momentum")]
    return [*(name.removesuffix("_momentum") for name in momenta), *momenta, *free, *(linear if free else ())]
