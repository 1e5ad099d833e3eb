"""Warnings about a finished run: actuator limits, accuracy, unchecked parts.

Each check takes a finished run and returns sentences.
"""

import dis
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...controllers.loop.routes import OF_PORT
from ...plant import RigidBody, Spacecraft
from ...plant.elements.branch import is_branch
from ...plant.elements.cyclic import cyclic_flags
from ...plant.elements.element import level_slices
from ...plant.elements.propulsion import Propulsion
from ...plant.hub.parameters import PULSES
from ..engine.slope import slope
from ..engine.steppers.elliptic import rounding_of_motion
from ..engine.steppers.phase_error import step_error
from ..engine.steppers.resolving_step import SHARE
from .creeping_wheels import creeping_wheels
from .dead_zones import dead_zones
from .element_warnings import element_warnings
from .ending import LARGE_DRIFT
from .idle_motors import idle_motors
from .limit_times import rate_excess
from .mode_switching import mode_switching
from .orbit_warnings import on_orbit, orbit_warnings, other_orbit
from .row_norms import row_norms
from .shared_rows import energy_imbalance, momentum_imbalance, rate_magnitude

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]

LONG_AT_LIMIT = 0.01  # fraction of the run time
_known: WeakKeyDictionary[Spacecraft, tuple[tuple[complex, ...], Array, float]] = WeakKeyDictionary()
LARGE_USE = 0.01  # propellant over mass of the spacecraft
OVERDRAWN = 1e-6  # propellant used beyond the last of a tank, over that of a full tank
ROUNDING = 1e-12  # decrease of an impulse that is no negative thrust, over the largest impulse
WORTH_A_WORD = 1e-3  # rad, or relative to the largest momentum or energy
MOST_WORK = 4e8
"""Largest value of rows x states^2 for which the kinetic energy is computed.

At this limit it takes a few seconds."""


def run_warnings(run: "Run") -> tuple[str, ...]:
    """Return the warnings about a finished run, one sentence each."""
    with np.errstate(all="ignore"):  # a user-defined energy may be arbitrary
        return (
            *_limits(run),
            *(element_warnings(run) if run.craft.elements else ()),
            *creeping_wheels(run),
            *dead_zones(run),
            *_dipoles(run),
            *_propellant(run),
            *_pulls(run),
            *idle_motors(run),
            *mode_switching(run),
            *_unequal_pair(run),
            *_missed_efforts(run),
            *_estimators(run),
            *_accuracy(run),
            *(orbit_warnings(run) if run.craft.translation and run.craft.potentials else ()),
            *(other_orbit(run) if run.craft.potentials else ()),
        )


def _dipoles(run: "Run") -> list[str]:
    """Return warnings about a law of dipoles; a run of another law imports nothing."""
    if not hasattr(run.law, "demanded_dipoles"):
        return []
    from .dipole_limit import dipole_limit

    return dipole_limit(run)


def _estimators(run: "Run") -> list[str]:
    """Return warnings about inconsistent estimators; a run with no blocks imports nothing."""
    if not run.blocks:
        return []
    from .filter_warnings import filter_warnings

    return filter_warnings(run)


def _limits(run: "Run") -> list[str]:
    """Return warnings about actuators at a limit for more than LONG_AT_LIMIT of the run."""
    end = run.end_time
    found: list[str] = []
    for label, signal in run.signals:
        time = run.counters.get(f"{label}_{signal.whole_name}_s", 0.0)
        if signal.limit and time > LONG_AT_LIMIT * end:
            found.append(f"{label.replace('_', ' ')} {signal.limit} for {time:.4g} of {end:.4g} s")
    return found + _rate_limit(run)


def _propellant(run: "Run") -> list[str]:
    """Return a warning if on-off thrusters used a large part of a mass that the model keeps constant."""
    mass = run.craft.body.mass
    if any(isinstance(element, Propulsion) and element.propellant for element in run.craft.elements):
        return _empty_tanks(run)
    if "propellant" not in run.names or mass is None:
        return []
    used = float(np.ravel(run.values("propellant")[-1])[0])
    if not used > LARGE_USE * mass:
        return []
    words = (
        f"the thrusters used {used:.4g} kg of propellant, {100.0 * used / mass:.3g} % of the {mass:g} kg of the body, "
        "but its mass and inertia are constant in the run; give the thrusters a tank"
    )
    return [words]


def _empty_tanks(run: "Run") -> list[str]:
    """Return a warning for each tank that became empty; a tank cannot be refilled."""
    times = [
        (label, run.counters.get(f"{label}_{signal.name}_s", 0.0))
        for label, signal in run.signals
        if signal.name == "tank_empty"
    ]
    found = [
        f"the tank of {label} was empty from {run.end_time - time:.6g} s on: its thrusters exerted no force"
        for label, time in times
        if time > 0.0
    ]
    return found + _overdrawn(run)


def _overdrawn(run: "Run") -> list[str]:
    """Return a warning if fixed steps used propellant beyond the last of a tank."""
    left = np.atleast_1d(run.values("propellant_left")[-1])
    tanks = [element.propellant for element in run.craft.elements if isinstance(element, Propulsion)]
    full = np.array([each for each in tanks if each])
    if not (-left > OVERDRAWN * full).any():
        return []
    worst = int(np.argmin(left / full))
    words = (
        f"the thrusters used {-left[worst]:.3g} kg more propellant than the {full[worst]:g} kg in the tank, because a "
        "step went past its last; use a shorter step, or dop853"
    )
    return [words]


def _pulls(run: "Run") -> list[str]:
    """Return a warning if a block demanded a negative thrust, by which a thruster pulls and its tank fills."""
    names, impulses = _impulses(run)
    if not names:
        return []
    pulled = (np.diff(impulses, axis=0) < -ROUNDING * np.abs(impulses).max(initial=0.0)).any(axis=0)
    if not pulled.any():
        return []
    words = (
        f"the force of {names[int(np.argmax(pulled))]} was negative: a thruster pushes only; "
        "limit what the block writes to 0 N or more"
    )
    return [words]


def _impulses(run: "Run") -> tuple[list[str], Array]:
    """Return the names of the thruster impulses and their values, (n, m)."""
    slices = level_slices(run.craft.elements, run.craft.layout.levels.start)
    at = [n for element, own in slices if isinstance(element, Propulsion) for n in range(own.start, own.stop)]
    return [run.craft.layout.names[n] for n in at], run.states[:, at]


def _rate_limit(run: "Run") -> list[str]:
    """Return a warning if the body exceeded the rate limit of its reference for a long time."""
    excess, end = rate_excess(run), float(run.t[-1])
    if excess is None or not excess.time > LONG_AT_LIMIT * end:
        return []
    words = (
        f"the body rate reached {np.degrees(excess.peak):.4g} deg/s, and for {excess.time:.4g} of {end:.4g} s exceeded "
        f"the rate limit of {np.degrees(excess.limit):.4g} deg/s, which the reference observes: a body that "
        "lags behind must catch up; reduce the acceleration or torque limit of the path to leave more torque to the "
        "feedback"
    )
    return [words]


def _unequal_pair(run: "Run") -> list[str]:
    """Return a warning if a block with memory or delay changes only one torque of an unloading pair."""
    if not getattr(run.law, "unloads", False):
        return []
    behind = {
        port: [each for each in run.blocks if name in each.writes and (each.memory.size or each.clock.delay)]
        for port, name in OF_PORT.items()
    }
    one, *other = sorted(behind, key=lambda port: -len(behind[port]))
    if any(len(behind[port]) == len(behind[one]) for port in other):
        return []
    names = ", ".join(each.name for each in behind[one])
    words = (
        f"wheels are unloaded by two equal and opposite torques, but the blocks {names} act on one of them only "
        f"({one}): until both torques have settled, their difference rotates the hub; use equal blocks for both"
    )
    return [words]


def _missed_efforts(run: "Run") -> list[str]:
    """Return warnings about user forces that may change between two evaluations of an adaptive step."""
    if not run.scheme.stepper.adaptive or run.scheme.step is not None:
        return []
    longest = run.counters.get("longest_adaptive_step", 0.0)
    return [
        f"the user force {getattr(effort.function, '__name__', 'of the spacecraft')!r} reads the time but declares no "
        f"breakpoints: steps of up to {longest:.3g} s were taken, and a change between the evaluations of one step may "
        "have been missed; list the times of discontinuities in UserForce(..., breakpoints=...), or use a `step` below "
        "its shortest change"
        for effort in run.craft.user_forces
        if np.size(effort.breakpoints) == 0 and _reads_time(effort.function)
    ]


def _reads_time(function: Any) -> bool:
    """Return whether the code of a function reads its first argument; true if the code is unavailable."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None or code.co_argcount == 0:
        return True
    first = code.co_varnames[0]
    if first in code.co_cellvars:
        return True
    for each in dis.get_instructions(code):
        names: tuple[Any, ...] = (each.argval,)
        if isinstance(each.argval, tuple):
            names = cast("tuple[Any, ...]", each.argval)
        if each.opname.startswith("STORE_FAST_LOAD"):  # one instruction from Python 3.13 on: only the second is read
            names = names[1:]
        if "LOAD_FAST" in each.opname and first in names:
            return True
    return False


def _accuracy(run: "Run") -> list[str]:
    """Return warnings about the expected integration errors at the end of the run.

    A relative drift d of momentum or energy over a run causes a relative rate error of about d at the end and d/2 on
    average, and an attitude error of d/2 times the angle of rotation. Fixed steps also have a phase error that no
    balance shows: the method determines the angle by which one step advances a motion too far or not far enough.
    """
    if run.status not in {"completed", "stopped"} or run.counters.get("norm_drift_per_step", 0.0) > LARGE_DRIFT:
        return []  # the reason for the end already reports the latter
    method = run.scheme.stepper
    if method.exact:
        error = rounding_of_motion(run.craft, run.start[: run.craft.layout.size], float(run.t[-1]))
        words = (
            f"the attitude at the end may have an error of {error:.2g} rad from rounding only: near the separatrix the "
            "motion doubles every error in a short time, with any integrator; shorten the run"
        )
        return [words] if error > WORTH_A_WORD else []
    turned, bound = _turned(run), _drift(run, kinetic=False)
    found = _unresolved(run, turned) if method.implicit else []
    phase = 0.0 if method.adaptive else _phase(run)
    if max(0.5 * bound * turned, phase, bound) <= WORTH_A_WORD:
        return found
    rows, states = run.t.size, run.craft.layout.size
    drift = _drift_of_momentum(run)
    if rows * states**2 <= MOST_WORK:
        drift = _drift(run)
    elif bound > drift and max(0.5 * bound * turned, bound) > WORTH_A_WORD:
        found.append(
            f"whether energy drifted was not checked: its imbalance may be {bound:.2g} of its largest value; "
            f"the reference kinetic energy takes long to compute for {rows} rows of {states} states; "
            "Run.invariants() computes it"
        )
    error = max(0.5 * drift * turned, phase)
    if error > WORTH_A_WORD or drift > WORTH_A_WORD:
        way = (
            f"a smaller rtol than {run.scheme.rtol:g}"
            if run.scheme.stepper.adaptive
            else f"a shorter step than {run.scheme.step:g} s, or dop853"
        )
        words = [f"momentum or energy drifted by {drift:.2g} of their magnitude"] if drift > 1e-9 else []
        words += [f"the steps shift the phase of its fastest motion by {phase:.2g} rad"] if phase > 0.5 * error else []
        found.append(
            f"the attitude at the end may have an error of {error:.2g} rad after a rotation of {turned:.3g} rad"
            f"{': ' if words else ''}{' and '.join(words)}; use {way}, or a shorter run"
        )
    return found


def _turned(run: "Run") -> float:
    """Return the angle of rotation of the spacecraft, rad, estimated from the rows."""
    rates, t = rate_magnitude(run), run.t
    if t[0] > 0.0:
        first = np.linalg.norm(run.craft.rate(run.start[: run.craft.layout.size]))
        rates, t = np.concatenate([[first], rates]), np.concatenate([[0.0], t])
    return float(np.sum(0.5 * (rates[1:] + rates[:-1]) * np.diff(t)))


def _drift(run: "Run", *, kinetic: bool = True) -> float:
    """Return the larger relative imbalance of momentum and energy; 0 if there is no balance.

    Without a ledger only a free rigid body has known invariants: energy and magnitude of momentum. The energy of an
    orbit far exceeds the rotational energy; its drift counts as an error of the position (`orbit_warnings`). kinetic:
    whether energy is also compared with the kinetic energy, which takes long to compute; otherwise the result is an
    upper bound.
    """
    worst = _drift_of_momentum(run)
    if "energy_balance" in run.names and not _unbalanced(run) and not on_orbit(run):
        off, size = energy_imbalance(run), float(np.abs(run.values("energy")).max())
        if kinetic:
            size = max(size, run.largest_kinetic_energy)
        share = (np.inf if off > 0.0 else 0.0) if size == 0.0 else off / size
        worst = max(worst, share)
    return worst


def _unbalanced(run: "Run") -> bool:
    return run.formulation is not None and not run.formulation.balanced


def _drift_of_momentum(run: "Run") -> float:
    worst = 0.0 if run.ledger else _drift_of_free_body(run)
    if "momentum_balance" in run.names and not _unbalanced(run):
        worst = momentum_imbalance(run) / run.largest_momentum
    return worst


def _drift_of_free_body(run: "Run") -> float:
    craft, start = run.craft, run.start[: run.craft.layout.size]
    acted = run.law is not None or run.inputs.shape[1] > PULSES
    if acted or craft.elements or craft.potentials or craft.user_forces or run.formulation is not None:
        return 0.0
    h = run.values("momentum")
    size, energy = float(np.linalg.norm(start[:3])), 0.5 * float(start[:3] @ craft.rate(start))
    if not energy > 0.0:
        return 0.0
    off = (
        np.abs(row_norms(h) / size - 1.0),
        np.abs(0.5 * np.sum(h * run.values("rate"), axis=1) / energy - 1),
    )
    return float(np.max(off))


def _phase(run: "Run") -> float:
    """Return the phase error of fixed steps in the fastest undamped motion of the plant, rad."""
    end = run.end_time
    steps = run.counters.get("steps", 0.0 if run.scheme.step is None else np.ceil(end / run.scheme.step))
    if not steps > 0.0 or not end > 0.0:
        return 0.0
    h, method = end / steps, run.scheme.stepper
    rate = float(rate_magnitude(run).max())
    own, inertia, asymmetry = _at_rest(run.craft)
    turning = rate * asymmetry  # rotation rate of the momentum in body axes
    if run.craft.elements:  # including the momentum of the elements
        held = float(row_norms(run.values("momentum") - run.values("rate") @ inertia).max())
        turning = rate + held / float(np.linalg.eigvalsh(inertia)[0])
    lasting = [value for value in own if _lasts(value, end)]
    if method.implicit:  # for faster motion only the amplitude is right, see `_unresolved`
        lasting = [value for value in lasting if abs(h * value) < 1.0]
    # the Euler parameters rotate at half the body rate, and represent twice their angle
    errors = [2.0 * step_error(method, 0.5j * h * rate), *(step_error(method, h * value) for value in lasting)]
    return steps * max(*errors, step_error(method, 1j * h * turning))


def _unresolved(run: "Run", turned: float) -> list[str]:
    """Return a warning if implicit steps do not resolve an undamped motion of the run, arms excluded.

    turned: angle of rotation, rad. Without elements this motion is the rotation of the hub in its potentials.
    """
    end = run.end_time
    steps = run.counters.get("steps", 0.0)
    if not steps > 0.0 or not end > 0.0:
        return []
    own, _, _ = _at_rest(run.craft)
    fast = max((abs(value) for value in own if _lasts(value, end)), default=0.0)
    if end / steps * fast < 1.0:
        return []
    moves = ~np.array(cyclic_flags(run.craft.elements), dtype=bool)
    reach = np.ptp(run.states[:, run.craft.layout.internal][:, moves], axis=0).max(initial=0.0)
    if not max(reach, 0.0 if moves.any() else turned) > WORTH_A_WORD:
        return []
    words = (
        f"the steps of {end / steps:.3g} s do not resolve the fastest undamped motion of the spacecraft, with a period "
        f"of {2.0 * np.pi / fast:.3g} s: its phase is lost, and elements and attitude may be wrong by its amplitude; "
        f"use a step of {SHARE * 2.0 * np.pi / fast:.2g} s, or dop853"
    )
    return [words]


def _lasts(value: complex, end: float) -> bool:
    """Return whether a motion with an eigenvalue, 1/s, lasts through a run (s), or is weakly damped."""
    return value.real > -1.0 / end or value.real > -0.01 * abs(value)


def _asymmetry(inertia: Array) -> float:
    """Return the largest rate at which the momentum turns in the axes of a free body, over the body rate."""
    a, b, c = np.linalg.eigvalsh(inertia)
    return float(max(np.sqrt((c - a) * (c - b) / (a * b)), np.sqrt((b - a) * (c - a) / (b * c))))


def _at_rest(craft: Spacecraft) -> tuple[tuple[complex, ...], Array, float]:
    """Return eigenvalues at rest, 1/s, locked inertia and `_asymmetry` of a spacecraft; cached."""
    if craft not in _known:
        inertia, values = craft.locked_inertia(craft.at_rest()), np.zeros(0)
        stiff = _with_stiff_branches(craft, inertia)
        if stiff.elements or stiff.potentials:
            found = slope(stiff, stiff.at_rest(), t=0.0, u=np.zeros(3))
            values = np.linalg.eigvals(found) if np.isfinite(found).all() else values
        _known[craft] = tuple(complex(value) for value in values), inertia, _asymmetry(inertia)
    return _known[craft]


def _with_stiff_branches(craft: Spacecraft, inertia: Array) -> Spacecraft:
    """Return the spacecraft with locked arms: phase errors of their vibration hardly rotate the hub."""
    near = [element for element in craft.elements if not is_branch(element)]
    if len(near) == len(craft.elements):
        return craft
    held = craft.body.pivot is not None
    hub = craft.body if held else RigidBody(inertia, mass=craft.mass)
    torques = craft.torques.outside()
    return Spacecraft(hub, torques=torques, elements=near, potentials=craft.potentials, translation=craft.translation)
