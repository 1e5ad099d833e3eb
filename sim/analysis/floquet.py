"""Floquet multipliers of a spacecraft along an orbit, compared with the nonlinear simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.loop.orbit_loop import FreeOrbit, OrbitLoop
from ...controllers.loop.wheel_torque import from_outside
from ...plant import LinearModel, Spacecraft
from ...plant.attitude import quaternion_product
from ...plant.checks import of_kind, positive
from ...plant.environment.torque_budget import orbital_period
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from ...plant.linear import linearize_at
from ...plant.linear.deviations import deviations
from ...plant.linear.tangent import moved_by
from ..results.run import Run
from ..results.run_warnings import LONG_AT_LIMIT
from ..runs.simulate import simulate
from .changed_law import ChangedLaw
from .operating_point import moved

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

SMALL = 1e-3
"""Step of the finite differences, rad; for momenta, in units of the mean inertia times the orbital rate."""
FORGOTTEN = 1e-6
"""Size of the transition matrix below which a comparison with finite differences would show only round-off."""
CLOSED = 1e-4
"""Difference between the ends of the orbit, relative to the variation along it, that counts as periodic."""
SIDES = 0.02
"""Relative distance from a predicted margin at which a simulation has to decay or grow."""
PLACES = 8
"""Number of points of the orbit at which the margins of the frozen loop are computed."""
SEGMENTS = 32
"""Number of segments of the orbit in the search for margins; the plant is constant on each."""
LONGEST = 48
"""Longest delay margin that is computed, samples: each sample adds three states."""
GROWN = 300.0
SEEN = 1.0  # smallest logarithm of a multiplier that a run over one orbit shows
ANGLE = 1e-5  # rad, initial deviation of the margin runs
GONE = 1e-6  # fraction of the initial deviation that counts as decayed
HELD = 1e-3  # the same with wheels: their changed momentum leaves a small oscillation at the orbital rate


@dataclass(frozen=True, kw_only=True)
class OrbitMargin:
    """A margin of a sampled loop along an orbit.

    Parameters
    ----------
    input : str
        The plant input whose command is scaled or delayed, or "all".
    kind : str
        "gain up", "gain down" or "delay".
    predicted : float
        Factor or additional delay (s) at which a Floquet multiplier reaches the unit circle.
    places : tuple of float
        Smallest and largest margin of the loop frozen at one of eight places of the orbit.
    confirmed : bool or None
        Whether a small deviation decays 2 % below the margin and grows 2 % above it in the nonlinear simulation. None
        if the multipliers change too little within 2 % to be seen in one orbit.
    """

    input: str
    kind: str
    predicted: float
    places: tuple[float, float]
    confirmed: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            input, kind, unit, predicted, the range over the orbit, confirmed.
        """
        return {
            "input": self.input,
            "kind": self.kind,
            "unit": "s" if self.kind == "delay" else "1",
            "predicted": self.predicted,
            "frozen_range": list(self.places),
            "confirmed": self.confirmed,
        }


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Floquet:
    """Stability of a motion along an orbit, from `floquet`.

    Parameters
    ----------
    period : float
        Orbital period, s.
    samples : int
        Number of samples of the law in the orbit; 0 without a law.
    multipliers : numpy.ndarray, shape (n,)
        Floquet multipliers, largest modulus first. Those below about 1e-12 times the largest are round-off.
    log_largest : float
        Natural logarithm of the largest modulus, valid even if the multipliers underflow.
    monodromy : numpy.ndarray, shape (k, k)
        Transition matrix of the states of the plant over one orbit, SI units.
    states : tuple of str
        Names of these states.
    difference : float
        Largest difference between this matrix and the simulated orbit map, relative to its largest entry, with momenta
        in units of the mean inertia times the orbital rate; NaN if they were not compared.
    margins : tuple of OrbitMargin
        Finite margins of the law.
    words : tuple of str
        Effects that the analysis neglects, one sentence each.
    """

    period: float
    samples: int
    multipliers: Complex
    log_largest: float
    monodromy: Array
    states: tuple[str, ...]
    difference: float = float("nan")
    margins: tuple[OrbitMargin, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def stable(self) -> bool:
        """True if all multipliers are inside the unit circle."""
        return self.log_largest < 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            period_s, samples, multipliers (real, imaginary), log_largest, stable, map_difference, margins, words.
        """
        return {
            "period_s": self.period,
            "samples": self.samples,
            "multipliers": [[float(each.real), float(each.imag)] for each in self.multipliers],
            "log_largest": self.log_largest,
            "stable": self.stable,
            "map_difference": self.difference if isfinite(self.difference) else None,
            "margins": [each.to_dict() for each in self.margins],
            "words": list(self.words),
        }


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
            result = replace(result, difference=_difference(craft, None, reference, result, (), start))
        else:
            if not held and loop.states == with_defaults(law).loop(model_at(0.0), blocks=blocks).states:
                result = replace(result, difference=_difference(craft, law, reference, result, blocks, start))
            rows, missing = _margins(craft, loop, law, reference, blocks, start, progress)
            words += missing
            result = replace(result, margins=tuple(rows))
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


def _difference(
    craft: Spacecraft,
    law: Law | None,
    reference: Reference,
    found: Floquet,
    blocks: Sequence[Block],
    start: Callable[[float], Array],
) -> float:
    """Return the relative difference between the transition matrix and the simulated map; NaN without a comparison."""
    if len(craft.layout.names) > craft.layout.own.start:  # the model has other coordinates for flexible arms
        return float("nan")
    names, units, keep = deviations(craft)
    mean = float(np.trace(craft.locked_inertia(start(0.0)))) / 3.0
    T = np.array(
        [mean * 2.0 * np.pi / found.period if units[names.index(name)] == "N m s" else 1.0 for name in found.states]
    )
    linear = found.monodromy / T[:, None] * T
    if float(np.abs(linear).max()) < FORGOTTEN:
        return float("nan")
    stop = found.period if law is None else found.samples * law.sample
    x, last = start(0.0), start(stop)
    width = max(keep) + 1
    settings: dict[str, Any] = {"law": law, "reference": reference, "blocks": blocks} if law is not None else {}

    def after(z: Array) -> Array:
        begin = np.asarray(moved_by(craft, x, z), dtype=np.float64)
        run = simulate(
            craft,
            state=begin,
            duration=stop,
            output_times=[stop],
            integrator="dop853",
            rtol=1e-13,
            ledger=False,
            **settings,
        )
        end = run.states[-1]
        turn = quaternion_product(last[3:7] * (1.0, -1.0, -1.0, -1.0), end[3:7])
        turn = turn if turn[0] >= 0.0 else -turn
        whole = np.concatenate((2.0 * turn[1:], end[:3] - last[:3], end[7:] - last[7:]))
        return np.array([whole[keep[names.index(name)]] for name in found.states])

    columns: list[Array] = []
    for name, scale in zip(found.states, T, strict=True):
        offset = np.zeros(width)
        offset[keep[names.index(name)]] = SMALL * scale
        near, far = (after(k * offset) - after(-k * offset) for k in (1.0, 2.0))
        columns.append((8.0 * near - far) / (12.0 * SMALL) / T)
    return float(np.abs(np.column_stack(columns) - linear).max() / np.abs(linear).max())


def _margins(
    craft: Spacecraft,
    loop: OrbitLoop,
    law: Law,
    reference: Reference,
    blocks: Sequence[Block],
    start: Callable[[float], Array],
    progress: Callable[[float], None] | None,
) -> tuple[list[OrbitMargin], list[str]]:
    """Return the finite margins along the orbit, confirmed by simulation, and reasons for missing ones."""
    if loop.monodromy().largest() >= 0.0:
        return [], ["the loop is not stable along the orbit, so it has no margins"]
    try:
        frozen = [loop.loop_at(loop.period * n / PLACES).margins() for n in range(PLACES)]
    except DesignError as error:
        return [], [f"the loop frozen at a place of the orbit has no margins: {error}"]
    wanted: list[tuple[str, str, Array, list[float]]] = []
    for n, axis in enumerate(frozen[0].axes):
        on = np.eye(3)[n]
        each = [margins.axes[n] for margins in frozen]
        wanted.append((axis.input, "gain up", on, [a.gain_up for a in each]))
        wanted.append((axis.input, "gain down", on, [a.gain_down for a in each]))
        wanted.append((axis.input, "delay", on, [a.delay_s for a in each]))
    wanted.append(("all", "delay", np.ones(3), [margins.delay_s for margins in frozen]))
    rows: list[OrbitMargin] = []
    missing: list[str] = []
    for done, (name, kind, on, values) in enumerate(wanted):
        longest = LONGEST * loop.sample if kind == "delay" else np.inf
        finite = [float(value) for value in values if 0.0 < value < min(longest, np.inf)]
        if kind == "delay" and any(longest <= value < np.inf for value in values):
            missing = [f"delay margins of more than {LONGEST} samples were not computed"]
            continue
        if not finite:
            continue

        def excess(value: float, on: Array = on, kind: str = kind) -> float:
            if kind == "delay":
                return loop.monodromy(late=value * on, segments=SEGMENTS).largest()
            return loop.monodromy(factor=1.0 + (value - 1.0) * on, segments=SEGMENTS).largest()

        edge = _edge(excess, min(finite), max(finite), rising=kind != "gain down")
        if edge is None:
            continue
        sides = (1.0 - SIDES) * edge, (1.0 + SIDES) * edge
        low, high = (excess(value) for value in sides)
        if min(abs(low), abs(high)) < SEEN:
            rows.append(
                OrbitMargin(input=name, kind=kind, predicted=edge, places=(min(finite), max(finite)), confirmed=None)
            )
            continue
        changed = [_changed(law, kind, value, on) for value in sides]
        grows = [
            _grows(craft, each, reference=reference, blocks=blocks, x=start(0.0), duration=loop.period)
            for each in changed
        ]
        right = [True, False] if kind == "gain down" else [False, True]
        rows.append(
            OrbitMargin(
                input=name, kind=kind, predicted=edge, places=(min(finite), max(finite)), confirmed=grows == right
            )
        )
        if progress is not None:
            progress((done + 1) / len(wanted))
    return rows, missing


def _edge(excess: Callable[[float], float], low: float, high: float, *, rising: bool) -> float | None:
    """Return the value between the margins of the frozen loops, or near them, at which the excess changes sign."""
    from scipy import optimize

    sign = 1.0 if rising else -1.0
    low, high = 0.98 * low, 1.02 * high
    for _ in range(8):
        below, above = sign * excess(low), sign * excess(high)
        if below < 0.0 < above:

            def signed(value: float) -> float:
                return sign * excess(value)

            return float(cast("Any", optimize).brentq(signed, low, high, xtol=1e-4 * low, rtol=1e-4))
        low, high = low / 1.3 if below >= 0.0 else low, high * 1.3 if above <= 0.0 else high
    return None


def _grows(
    craft: Spacecraft, law: ChangedLaw, *, reference: Reference, blocks: Sequence[Block], x: Array, duration: float
) -> bool:
    """Return whether the difference between two runs that start a small angle apart grows along the orbit.

    Both runs have the same disturbances and the same random numbers. Actuators at their limits bound the difference: a
    deviation that keeps them there has grown, since the deviation at the start does not.
    """
    h = law.sample
    times = h * np.arange(int(duration / h * (1.0 - 1e-12)) + 1)
    runs = [
        simulate(
            craft, law, state=state, reference=reference, blocks=blocks, duration=duration, output_times=times,
            integrator="rk8", step=h, ledger=False, seed=0,
        )
        for state in (x, moved(craft, x, ANGLE * np.array((0.6, 0.64, 0.48)), np.zeros(3)))
    ]  # fmt: skip
    errors = [run.values("error_vector") for run in runs]
    if len(errors[0]) != len(errors[1]) or len(errors[0]) < len(times):  # a diverged run ends early
        return True
    if any(_at_limits(run) for run in runs):
        return True
    apart = np.linalg.norm(errors[1] - errors[0], axis=1)
    quarter = len(apart) // 4
    if not np.isfinite(apart).all() or float(apart.max()) > GROWN * ANGLE:
        return True
    if craft.torques.internal and float(apart[3 * quarter :].max()) < HELD * ANGLE:
        return False
    third, last = float(apart[2 * quarter : 3 * quarter].max()), float(apart[3 * quarter :].max())
    return last > GONE * ANGLE and last > third


def _at_limits(run: Run) -> bool:
    """Return whether an actuator was at a limit for more than LONG_AT_LIMIT of a run."""
    times = [run.counters.get(f"{label}_{each.whole_name}_s", 0.0) for label, each in run.signals if each.limit]
    return max(times, default=0.0) > LONG_AT_LIMIT * run.end_time


def _changed(law: Law, kind: str, value: float, on: Array) -> ChangedLaw:
    if kind == "delay":
        ticks = min(int(np.ceil(law.sample / (0.005 * value))), 500)
        ticks = next(each for each in (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500) if each >= ticks)
        return ChangedLaw(law, late=value * on, ticks=ticks)
    return ChangedLaw(law, factor=1.0 + (value - 1.0) * on)
