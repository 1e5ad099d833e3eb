"""Assignment of a linear python-control system's inputs and outputs to law signals, by name or number."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.checks import choice
from ...plant.checks import numbers as numbers_of
from ...plant.errors import InputError
from ..contracts.signal_labels import LABELS
from ..laws.system_law import ERRORS, RATE_ERRORS
from ..loop.acting_model import acting_model, internal_states, measurement, seen_names
from ..loop.attitude_model import ATTITUDE_STATES

Array = NDArray[np.float64]
Matrices = tuple[Array, Array, Array, Array]


def known_signals(model: LinearModel) -> tuple[str, ...]:
    """Return the names of all signals that a linear law may measure."""
    return (*ERRORS, *LABELS["rate"], *RATE_ERRORS, *seen_names(model))


def on_states(gain: Any, model: LinearModel) -> tuple[Array, tuple[str, ...]]:
    """Convert a gain on model states to a gain (3, 6 + e) on the measurement.

    Also return the names of the e internal states in the measurement.
    """
    K = numbers_of("gain", gain)
    if K.shape != (3, len(model.states)):
        raise InputError(
            f"a gain must be 3 x {len(model.states)}, on the states of the model ({', '.join(model.states)}); got "
            f"shape {K.shape}: for other signals give control.ss([], [], [], D)"
        )
    inner = acting_model(model)
    unused = [n for n, name in enumerate(model.states) if name not in inner.states and K[:, n].any()]
    if unused:
        raise InputError(
            f"the gain acts on {model.states[unused[0]]!r}, which does not affect the attitude or never "
            "changes; make its column zero"
        )
    measured = internal_states(inner)
    on_inner = K[:, [model.states.index(name) for name in inner.states]]
    return np.asarray(np.linalg.solve(measurement(inner, measured).T, on_inner.T).T, dtype=np.float64), measured


def by_name(
    found: Matrices, inputs: tuple[str, ...], outputs: tuple[str, ...], model: LinearModel
) -> tuple[Array, Array, Array, Array, tuple[str, ...]]:
    """Convert a system with named signals to a system on the law's measurement.

    Also return the names of the measured states other than attitude and rate.
    """
    a, b, c, d = found
    inputs, b, d = _without_unused(inputs, model, b, D=d)
    read, measured = _read(inputs, model)
    if len(np.unique(read, axis=0)) < len(read):
        raise InputError(f"two inputs of the system are the same signal: {', '.join(inputs)}")
    if not outputs and len(c) != 3:
        raise InputError(
            f"the inputs of the system are named after signals ({', '.join(inputs)}) but its {len(c)} outputs are not: "
            f"name them after torques of the plant, {', '.join(model.inputs)}"
        )
    rows = _torques(outputs, model) or [0, 1, 2]
    C, D = np.zeros((3, len(a))), np.zeros((3, 6 + len(measured)))
    C[rows], D[rows] = c, d @ read
    return a, b @ read, C, D, measured


def _without_unused(
    inputs: tuple[str, ...], model: LinearModel, B: Array, *, D: Array
) -> tuple[tuple[str, ...], Array, Array]:
    """Remove inputs that do not affect the attitude. Raises InputError if the system uses one of them."""
    acting = {*acting_model(model).states, *known_signals(model)}
    unused = [n for n, name in enumerate(inputs) if name in model.states and name not in acting]
    weighed = [n for n in unused if B[:, n].any() or D[:, n].any()]
    if weighed:
        raise InputError(
            f"the system acts on {inputs[weighed[0]]!r}, which does not affect the attitude or never changes; "
            "omit that input"
        )
    kept = [n for n in range(len(inputs)) if n not in unused]
    return tuple(inputs[n] for n in kept), B[:, kept], D[:, kept]


def _read(inputs: tuple[str, ...], model: LinearModel) -> tuple[Array, tuple[str, ...]]:
    """Return the matrix (inputs, 6 + e) from a law's measurement to the inputs of a system.

    Also return the names of the e measured states other than attitude and rate.
    Momenta are computed from the rates and the internal states, with the inertia of the model.
    """
    signals = (*known_signals(model), *ATTITUDE_STATES[3:])
    for name in inputs:
        choice("signal of the system's input:", name, signals)
    inner = acting_model(model)
    momenta = any(name in ATTITUDE_STATES[3:] for name in inputs)
    first = {name: n for group in (ERRORS, LABELS["rate"]) for n, name in enumerate(group, 3 * (group != ERRORS))}
    first |= {name: 3 + n for n, name in enumerate(RATE_ERRORS)}
    named = tuple(name for name in inputs if name not in first and name not in ATTITUDE_STATES[3:])
    measured = tuple(dict.fromkeys((*internal_states(inner), *named))) if momenta else named
    places = first | {name: 6 + n for n, name in enumerate(measured)}
    read = np.zeros((len(inputs), 6 + len(measured)))
    for row, name in zip(read, inputs, strict=True):
        if name in places:
            row[places[name]] = 1.0
    if momenta:
        known = internal_states(inner)
        of_states = np.linalg.inv(measurement(inner, known))
        for row, name in zip(read, inputs, strict=True):
            if name not in places:
                row[[*range(6), *(places[each] for each in known)]] = of_states[inner.states.index(name)]
    return read, measured


def by_number(found: Matrices, outputs: tuple[str, ...], model: LinearModel) -> Matrices:
    """Convert a system with unnamed inputs to one that takes attitude and rate errors; named outputs are sorted."""
    a, b, c, d = found
    shape = (b.shape[1], c.shape[0])
    if set(outputs) & set(model.inputs):
        rows = _torques(outputs, model)
        if len(rows) != 3:
            raise InputError(
                f"the outputs of the system are named after torques ({', '.join(outputs)}) but its inputs are not: "
                "name them after signals, attitude_error_x, rate_x"
            )
        c, d = c[np.argsort(rows)], d[np.argsort(rows)]
    if shape in {(1, 1), (2, 1)}:
        a, b, c, d = _on_each_axis(a, b, c, D=d)
        share = np.linalg.inv(acting_model(model).B[3:6])  # from body torque to components of the basis
        c, d = share @ c, share @ d
    elif shape not in {(3, 3), (6, 3)}:
        raise InputError(
            f"a system with {shape[0]} inputs and {shape[1]} outputs is not an attitude law: give 6 inputs (attitude "
            "error, rate error) or 3 (attitude error) and 3 outputs, or 2 or 1 inputs and 1 output for the same law on "
            "every axis, or name its signals attitude_error_x, rate_x, torque_1"
        )
    if b.shape[1] == 3:
        b, d = np.hstack((b, np.zeros_like(b))), np.hstack((d, np.zeros_like(d)))
    return a, b, c, d


def _torques(outputs: tuple[str, ...], model: LinearModel) -> list[int]:
    rows = [model.inputs.index(choice("output of the system:", name, model.inputs)) for name in outputs]
    if len(set(rows)) < len(rows):
        raise InputError(f"two outputs of the system are the same torque: {', '.join(outputs)}")
    return rows


def _on_each_axis(A: Array, B: Array, C: Array, *, D: Array) -> tuple[Array, Array, Array, Array]:
    """Combine three copies of a one-axis system, with inputs attitude error (3), then rate error (3)."""
    eye = np.eye(3)
    inputs = B.shape[1]
    order = [axis * inputs + signal for signal in range(inputs) for axis in range(3)]
    one = cast("Any", np.kron)
    return one(eye, A), one(eye, B)[:, order], one(eye, C), one(eye, D)[:, order]
