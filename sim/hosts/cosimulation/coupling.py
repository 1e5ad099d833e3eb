"""Coupling of FMUs: stepping order, and extrapolation of the inputs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError
from ....plant.frozen import frozen_results
from .joined import Joined
from .member import Member

Array = NDArray[np.float64]

SWEEPS = 100
SETTLED = 1e-13
"""Relative change below which an output counts as constant during initialisation."""

ITERATED = 1e-11
"""Relative change of the outputs below which the iteration of a step has converged."""


@dataclass(frozen=True)
class Coupling:
    """Settings of the coupling.

    jacobi: True if all FMUs step in parallel; otherwise they step one after the other, and each uses the new outputs of
    earlier FMUs. linear: True if inputs vary linearly over a step (extrapolated, or interpolated where the output at
    the end of the step is already known); otherwise they are held. iterated: True if each step is repeated until its
    outputs no longer change.
    """

    jacobi: bool
    linear: bool
    iterated: bool


@frozen_results
@dataclass(frozen=True)
class Known:
    """Outputs y at t (s), and their mean derivatives over the last step."""

    t: float
    y: Array
    slopes: Array


def coupled_start(members: Sequence[Member], system: Joined, t: float) -> Array:
    """Initialise the FMUs together, and return all outputs.

    Outputs are passed to inputs until no output changes. Raises InputError when the outputs do not converge.
    """
    y = moved = np.zeros(len(system.labels))
    for each in members:
        y[system.places[each.face.name]] = each.begin(t)
    for _ in range(SWEEPS):
        before = y.copy()
        for each in members:
            if each.inlet.terminals:
                y[system.places[each.face.name]] = each.tried(t, _inputs(each, y))
        moved = np.abs(y - before)
        if (moved <= SETTLED * np.abs(y)).all():
            break
    else:
        worst = system.labels[int(np.argmax(moved / np.maximum(np.abs(y), 1e-300)))]
        raise InputError(
            f"the start values do not converge: {worst} still changes after they were exchanged {SWEEPS} times. It is "
            "in an algebraic loop; break it with a delay in one of the FMUs"
        )
    for each in members:
        y[system.places[each.face.name]] = each.start(t)
    return y


def coupled_step(members: Sequence[Member], system: Joined, known: Known, h: float, coupling: Coupling) -> Array:
    """Take one step of h (s), and return all outputs at its end.

    If the coupling is iterated, the states are saved first and restored before each further sweep.
    """
    if not coupling.iterated:
        return _pass(members, system, known, h, coupling, None)
    for each in members:
        each.keep(known.t, 0)
    guess = known.y + h * known.slopes if coupling.linear else known.y
    y = moved = guess
    for n in range(SWEEPS):
        if n:
            for each in members:
                each.back(known.t, 0)
        y = _pass(members, system, known, h, coupling, guess)
        moved = np.abs(y - guess)
        if n and (moved <= ITERATED * np.maximum(np.abs(y), np.abs(known.y))).all():
            return y
        guess = y
    worst = system.labels[int(np.argmax(moved / np.maximum(np.abs(y), 1e-300)))]
    raise InputError(
        f"the step from t = {known.t:.9g} s does not converge: {worst} still changes after {SWEEPS} iterations; reduce "
        "the step, or break its loop with a delay in one of the FMUs"
    )


def _pass(
    members: Sequence[Member], system: Joined, known: Known, h: float, coupling: Coupling, guess: Array | None
) -> Array:
    """Step all FMUs once. guess: estimated outputs at the end of an iterated step; otherwise None."""
    y = known.y.copy()
    held, slopes = known.y.copy(), known.slopes.copy()
    if guess is not None:
        # discrete outputs change at the end of the step
        held, slopes = np.where(system.continuous, guess, known.y), (guess - known.y) / h
    for each in members:
        each.step(known.t, h, *_course(each, known.y, held, slopes, linear=coupling.linear), back=guess is not None)
        if not coupling.jacobi:
            mine = system.places[each.face.name]
            y[mine] = held[mine] = each.taken()
            slopes[mine] = (y[mine] - known.y[mine]) / h
    if coupling.jacobi:
        for each in members:
            y[system.places[each.face.name]] = each.taken()
    return y


def _inputs(each: Member, y: Array) -> Array:
    inlet = each.inlet
    return inlet.factor * y[inlet.source] + inlet.offset


def _course(each: Member, y: Array, held: Array, slopes: Array, *, linear: bool) -> tuple[Array, Array]:
    """Return inputs at the start of a step and their derivatives, which are zero for discrete inputs."""
    inlet = each.inlet
    runs = inlet.continuous if linear else np.zeros_like(inlet.continuous)
    value = np.where(runs, y[inlet.source], held[inlet.source])
    slope = np.where(runs, slopes[inlet.source], 0.0)
    return inlet.factor * value + inlet.offset, inlet.factor * slope
