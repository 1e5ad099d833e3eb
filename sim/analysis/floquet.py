"""Floquet multipliers of a spacecraft along an orbit, compared with the nonlinear simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.loop.orbit_loop import FreeOrbit, OrbitLoop
from ...controllers.loop.wheel_torque import from_outside
from ...plant import LinearModel, Spacecraft
from ...plant.checks import of_kind, positive
from ...plant.environment.budget import orbital_period
from ...plant.errors import InputError
from ...plant.linear import linearize_at
from .floquet_result import Floquet
from .orbit_map import FORGOTTEN, distance_from_reference, map_difference
from .orbit_margins import orbit_margins

Array = NDArray[np.float64]

CLOSED = 1e-4
"""Difference between the ends of the orbit, relative to the variation along it, that counts as periodic."""
DIFFERENT, ASIDE = 1e-3, 1e-4
"""Difference of the orbit map above which the analysis looks for a cause, and the angle from the reference, rad, that
is one."""


def floquet(
    craft: Spacecraft,
    law: Law | None = None,
    *,
    reference: Reference,
    period: float | None = None,
    blocks: Sequence[Block] = (),
    simulated: bool = True,
    hold_wheel_momentum: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Floquet:
    """Return the Floquet multipliers of a spacecraft that follows a reference along an orbit.

    The equations of motion are linearised along the reference, and the transition matrix over one orbit, the monodromy
    matrix, is computed from these models. Its eigenvalues are the multipliers: the motion is stable if all are inside
    the unit circle. With a law, the matrix is the product of the closed-loop matrices over the samples of one orbit.

    The reference need not be a motion of the spacecraft: the models are evaluated on the reference, so a static error
    of the loop is neglected. The environment is periodic only for a field that does not rotate relative to the orbit,
    such as `AxialDipoleField`; for others, the result describes this one orbit, and `words` states the mismatch.

    Parameters
    ----------
    craft : Spacecraft
        The plant, with magnetorquers as part of its environment, if any.
    law : Law, optional
        A sampled law.
    reference : Reference
        Motion along the orbit, such as `OrbitPointing` or `NadirPointing`.
    period : float, optional
        Period, s; by default that of the prescribed orbit.
    blocks : sequence of Block
        Blocks in addition to the law.
    simulated : bool
        Whether the matrix and the margins are compared with nonlinear simulations.
    hold_wheel_momentum : bool
        Whether the momentum stored in wheels is held constant, as in a design about an orbit. Otherwise the total
        momentum is among the states; its multipliers are 1 unless magnetorquers or a gravity gradient act on it.
    progress : callable, optional
        Called with the completed fraction of the margins.

    Returns
    -------
    Floquet
        Multipliers, monodromy matrix, margins.

    Raises
    ------
    InputError
        When the spacecraft has no orbit and `period` is not given, or the fields do not cover one orbit.
    DesignError
        When the law has no linear form, or a block has a period other than the law's.

    References
    ----------
    Bittanti & Colaneri, Periodic Systems, 2009, chapter 3.
    """
    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    of_kind("reference", reference, Reference, such_as="OrbitPointing(...)")
    T = _period(craft, period)
    for potential in craft.potentials:
        potential.check_duration(T if law is None else max(T, max(round(T / law.sample), 1) * law.sample))
    held = craft.torques.internal and hold_wheel_momentum and law is not None

    def start(t: float) -> Array:
        r = reference.at(t)
        return craft.state(attitude=r[:4] / np.linalg.norm(r[:4]), rate=r[4:7])

    def model_at(t: float) -> LinearModel:
        model = linearize_at(craft, start(t), t=t)
        return from_outside(model) if held else model

    if law is None:
        free = FreeOrbit(model_at, T)
        found, states, units, samples, words = free.monodromy(), free.states, free.T, 0, list[str]()
        error, closure = free.error, free.closure
        loop = None
    else:
        loop = OrbitLoop(model_at, law, period=T, blocks=blocks)
        found, states, units, samples = loop.monodromy(), loop.states, loop.T, loop.samples
        words, error, closure = list(loop.words), loop.error, loop.closure
        if abs(samples * loop.sample - T) > 1e-9 * T:
            words.append(f"the orbit takes {T / loop.sample:.6g} samples of the law; the multipliers are for {samples}")
    k = len(states)
    whole = np.asarray(found.matrix[:k, :k] * np.exp(found.log_scale), dtype=np.float64)
    words += _environment_words(error, closure)
    result = Floquet(
        period=T,
        samples=samples,
        multipliers=found.multipliers(),
        log_largest=found.largest(),
        monodromy=whole * units[:, None] / units,
        states=states,
    )
    if held:
        words.append(
            "the momentum stored in the wheels is held constant: its change acts through the orbital rate as a slow "
            "disturbance, which no wheel torque can remove"
        )
    if simulated:
        if law is None or loop is None:
            result = replace(result, difference=map_difference(craft, None, reference, result, (), start))
        else:
            if not held:
                result = replace(result, difference=map_difference(craft, law, reference, result, blocks, start))
            rows, missing = orbit_margins(craft, loop, law, reference, blocks, start, progress)
            words += missing
            result = replace(result, margins=tuple(rows))
        if isfinite(result.difference) and result.difference > DIFFERENT:
            stop = result.period if law is None or loop is None else loop.span
            away = distance_from_reference(craft, law, reference, stop, blocks, start)
            if away > ASIDE:
                words.append(
                    "the reference is not a motion of the spacecraft: a run that starts on it is "
                    f"{np.degrees(away):.3g} deg away after the orbit, so the simulated map is not that of the "
                    "reference"
                )
        if not isfinite(result.difference):
            words.append(f"the multipliers were not compared with a simulated orbit: {_not_compared(craft, held)}")
    return replace(result, words=tuple(words))


def _period(craft: Spacecraft, period: float | None) -> float:
    if period is not None:
        return positive("period", period, "s")
    own = orbital_period(craft)
    if not isfinite(own):
        raise InputError(
            "the spacecraft has no closed orbit whose period could be used; give the environment along an orbit, a "
            "gravity gradient with a position, or the period"
        )
    return own


def _not_compared(craft: Spacecraft, held: bool) -> str:
    """Return why a result was not compared with a simulated orbit."""
    if held:
        return "its runs would include the changing momentum of the wheels"
    if len(craft.layout.names) > craft.layout.own.start:
        return "the linear model has other coordinates for the flexible arms"
    return (
        f"a deviation decays within the orbit to less than {FORGOTTEN:g}, where finite differences show only round-off"
    )


def _environment_words(error: float, closure: float) -> list[str]:
    words: list[str] = []
    if closure > CLOSED:
        words.append(
            f"the environment is not periodic: after one orbit the linear model differs by {100.0 * closure:.2g} % of "
            "its variation along the orbit, so the multipliers describe this orbit only"
        )
    if error > 1e-6:
        words.append(
            "the linear model jumps along the orbit, for example at the edge of the shadow; its interpolation error is "
            f"{error:.1g} of its largest entry"
        )
    return words
