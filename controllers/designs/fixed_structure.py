"""Laws whose matrices or gains are given instead of designed: state space and state feedback."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.checks import choice, numbers
from ...plant.errors import InputError
from ..contracts.checks import check_timing
from ..contracts.past_commands import with_past_commands
from ..laws.compensator import Compensator
from ..laws.linear_feedback import LinearFeedback
from ..loop.sampled_plant import commands_under_way
from .anti_windup import automatic_tracking, check_tracking
from .discretize import METHODS, sampled

Array = NDArray[np.float64]


def state_space_law(
    A: ArrayLike,
    B: ArrayLike,
    *,
    C: ArrayLike,
    D: ArrayLike,
    model: LinearModel,
    sample: float,
    delay: float = 0.0,
    method: str | None = None,
    saturation: str = "component",
    tracking: ArrayLike | None = None,
) -> LinearFeedback:
    """Return the law x[k+1] = A x + B e, u = -(C x + D e) with the error e = [attitude; rate].

    If the matrices have one command and two inputs, they describe one axis, and the same law acts about each axis.

    Parameters
    ----------
    A, B, C, D : array_like, shapes (n, n), (n, m), (p, n), (p, m)
        Matrices with m = 6 inputs (attitude error, rad; rate error, rad/s) and p = 3 torques (N m), or m = 2 and p = 1.
        Empty A, B and C give a static law.
    model : LinearModel
        `craft.linearize(...)` of the plant to control.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    method : str, optional
        Discretisation of continuous matrices, "tustin" or "zoh"; by default the matrices are discrete.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.
    tracking : array_like, shape (n, p), optional
        Anti-windup gain T of the discrete law, x[k+1] = A x + B e + T (limited u - u), 1/(N m). By default, states that
        do not decay follow the saturated command, and T is zero if all decay.

    Returns
    -------
    LinearFeedback
        The law.

    Raises
    ------
    InputError
        When the shapes do not match.
    DesignError
        When a state that does not decay is unobservable in the command, and tracking is not given; or when states grow
        under saturation with the given tracking.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> law = state_space_law([], [], C=[], D=[[0.3, 3.0]], model=craft.linearize(craft.at_rest()), sample=0.1)
    >>> (-law.compensator.D[0]).tolist()
    [0.3, 0.0, 0.0, 3.0, 0.0, 0.0]
    """
    period, lag = check_timing(sample, delay)
    direct = numbers("D", D)
    if direct.shape not in {(1, 2), (3, 6)}:
        raise InputError(f"D must be 3 x 6, or 1 x 2 for the same law about each axis; got shape {direct.shape}")
    p, m = direct.shape
    a = numbers("A", A)
    n = len(a) if a.ndim == 2 else 0
    shapes = {"A": (n, n), "B": (n, m), "C": (p, n), "tracking": (n, p)}
    parts: list[Array] = []
    for (name, shape), value in zip(shapes.items(), (A, B, C, tracking), strict=True):
        if value is None:
            continue
        matrix = numbers(name, value)
        if matrix.size == 0 and 0 in shape:
            matrix = np.zeros(shape)
        if matrix.shape != shape:
            raise InputError(f"{name} must be {shape[0]} x {shape[1]} for {n} states and D of {p} x {m}; got "
                             f"shape {matrix.shape}")  # fmt: skip
        parts.append(matrix)
    follow = None if tracking is None else parts.pop()
    system: Any = (*parts, direct)
    if method is not None:
        system = sampled(system, period, method=choice("method", method, METHODS))
    flow, enter, out, through = _of_three_axes(*system) if p == 1 else system
    if follow is None:
        follow = automatic_tracking(flow, enter, -out, D=-through)
    elif p == 1:
        follow = np.kron(np.eye(3), follow).astype(np.float64)
    check_tracking(flow, -out, tracking=follow)
    return LinearFeedback(
        Compensator(A=flow, B=enter, C=-out, D=-through, tracking=follow),
        model,
        sample=period,
        delay=lag,
        saturation=saturation,
        design={"kind": "state space", "order": len(flow), "discretisation": method or "none"},
    )  # fmt: skip


def _of_three_axes(A: Array, B: Array, C: Array, D: Array) -> tuple[Array, Array, Array, Array]:
    """Return the matrices of three axes, each with the law of one axis."""
    eye = np.eye(3)
    spread = [np.hstack((np.kron(eye, matrix[:, :1]), np.kron(eye, matrix[:, 1:]))) for matrix in (B, D)]
    parts: Any = (np.kron(eye, A), spread[0], np.kron(eye, C), spread[1])
    return parts


def state_feedback(
    model: LinearModel,
    *,
    attitude_gain: ArrayLike,
    rate_gain: ArrayLike,
    command_gain: ArrayLike | None = None,
    sample: float,
    delay: float = 0.0,
    saturation: str = "component",
) -> LinearFeedback:
    """Return the state feedback u = -(Ka attitude error + Kr rate error + Kc commands not yet in effect).

    In a loop with delay, the commands that have not yet taken effect are part of the state.

    Parameters
    ----------
    model : LinearModel
        `craft.linearize(...)` of the plant to control.
    attitude_gain, rate_gain : array_like, shape (), (3,) or (3, 3)
        Ka, N m/rad, and Kr, N m s/rad: one gain, one per axis, or a matrix.
    command_gain : array_like, shape (), (3,), or (3, 3 k), optional
        Kc: one gain or one per axis, on the newest command, or a matrix for the k commands (newest first). Here k is
        the delay in samples, rounded up.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    saturation : str
        "component" or "direction"; see `LinearFeedback`.

    Returns
    -------
    LinearFeedback
        The law. Its states are the past commands if it has a command gain.

    Raises
    ------
    InputError
        When a shape does not match, or a command gain is given for a loop without delay.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((8, 8, 8)))
    >>> law = state_feedback(craft.linearize(craft.at_rest()), attitude_gain=0.3, rate_gain=3.0, sample=0.1)
    >>> (-law.compensator.D[1]).tolist()
    [0.0, 0.3, 0.0, 0.0, 3.0, 0.0]
    """
    period, lag = check_timing(sample, delay)
    on_error = np.hstack((_matrix("attitude_gain", attitude_gain), _matrix("rate_gain", rate_gain)))
    count = commands_under_way(period, lag)
    compensator = Compensator.static(-on_error)
    if command_gain is not None:
        if not count:
            raise InputError(
                "command_gain needs a delay: if there is none, every command takes effect before the next sample"
            )
        past = numbers("command_gain", command_gain)
        if past.ndim < 2:
            past = np.hstack((_matrix("command_gain", past), np.zeros((3, 3 * count - 3))))
        elif past.shape != (3, 3 * count):
            raise InputError(
                f"command_gain must be 3 x {3 * count} for the {count} commands not yet in effect; got shape "
                f"{past.shape}"
            )
        compensator = with_past_commands(-on_error, -past)
    return LinearFeedback(
        compensator, model, sample=period, delay=lag, saturation=saturation, design={"kind": "state feedback"}
    )


def _matrix(name: str, gain: ArrayLike) -> Array:
    value = numbers(name, gain)
    if value.shape not in {(), (3,), (3, 3)}:
        raise InputError(f"{name} must be one gain, three, or 3 x 3; got shape {value.shape}")
    return value if value.ndim == 2 else np.diag(np.broadcast_to(value, 3)).astype(np.float64)
