"""Specification of a run: the checked arguments of `simulate`."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Block, Law, Reference
from ...controllers.contracts.block_draws import whole
from ...plant import InputError, Spacecraft, TorquePulse
from ...plant.checks import finite, numbers, of_kind, positive, unit_quaternion, vector
from ...plant.elements.element import coordinate_slices, level_slices, levels_of
from ...plant.elements.propulsion import Propulsion
from ...plant.formulations.view import View
from ...plant.hub.dynamics import derivative
from ...plant.hub.parameters import INVERSE, LEDGER_SIZE
from ...plant.loads.faults import fault_sentence
from ..engine.steppers.fast_states import longest_step, require_stable_states
from ..engine.steppers.longest_step import require_stable_step
from ..engine.steppers.scheme import Scheme
from .default_reference import default_reference
from .default_scheme import default_scheme
from .output_grid import output_grid

Array = NDArray[np.float64]

MOST_STEPS = 1e15
MOST_DECAY = 1.0  # largest step, in friction time constants of a wheel fault; rk4 is stable up to 2.78
BOUND = 1e100  # products of three values below this, and sums of a few such products, are finite
OVERDRAWN = 0.01  # fraction of the propellant by which a fixed step may have overdrawn the tank of an earlier run


class RunSpec(NamedTuple):
    """Specification of a run, with all arguments checked and all defaults filled in.

    x (nx,): state at t = 0; follows: whether to compare with a reference; times (n,): times of the rows, s; number:
    `run_index` of `simulate`; other fields as in `simulate`.
    """

    craft: Spacecraft
    x: Array
    law: Law | None
    reference: Reference
    follows: bool
    torques: tuple[TorquePulse, ...]
    scheme: Scheme
    duration: float
    times: Array
    ledger: bool
    compiled: bool
    max_steps: int
    pose_limit: float
    blocks: tuple[Block, ...]
    seed: int | None
    number: int
    view: View | None


def run_spec(
    craft: Spacecraft,
    law: Law | None = None,
    *,
    duration: float,
    state: ArrayLike | None = None,
    attitude: ArrayLike | None = None,
    rate: ArrayLike | None = None,
    momentum: ArrayLike | None = None,
    position: ArrayLike | None = None,
    velocity: ArrayLike | None = None,
    reference: Reference | None = None,
    torques: Sequence[TorquePulse] = (),
    blocks: Sequence[Block] = (),
    integrator: str | None = None,
    step: float | None = None,
    rtol: float | None = None,
    output_step: float | None = None,
    output_times: ArrayLike | None = None,
    ledger: bool = True,
    compiled: bool = True,
    max_steps: int = 100_000_000,
    amplification_limit: float = 1e4,
    formulation: str | View | None = None,
    seed: int | None = None,
    run_index: int = 0,
) -> RunSpec:
    """Return the specification of a run. Arguments and errors are those of `simulate`."""
    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    if law is not None:
        of_kind("law", law, Law, such_as="a control law with sample, delay, kernel, parameters and memory")
    if reference is not None:
        of_kind("reference", reference, Reference, such_as="a reference, such as FixedReference(attitude)")
    if torques.__class__ is not tuple:
        of_kind("torques", torques, Sequence, such_as="a sequence of TorquePulse")
    for pulse in torques:
        of_kind("each of torques", pulse, TorquePulse, such_as="a TorquePulse")
    if blocks.__class__ is not tuple:
        of_kind("blocks", blocks, Sequence, such_as="a sequence of Block")
    for block in blocks:
        of_kind("each of blocks", block, Block, such_as="a Block")
    own_numbers = None if seed is None else whole("seed", seed, 2**64), whole("run_index", run_index, 2**32)
    span = positive("duration", duration, "s")
    x = start_state(craft, state, attitude=attitude, rate=rate, momentum=momentum, position=position, velocity=velocity)
    scheme = default_scheme(craft, x, integrator=integrator, step=step, rtol=rtol)
    if scheme.step is not None and span / scheme.step > MOST_STEPS:
        raise InputError(f"step {scheme.step:g} s gives more than {MOST_STEPS:g} steps in {span:g} s; use a longer one")
    check_craft(craft, scheme, span, longest=longest_step(scheme, span, law, blocks))
    check_torques(torques, craft, scheme)
    follows = law is not None or reference is not None
    if reference is None:
        reference = default_reference(law)
    if law is not None and hasattr(law, "check_reference"):
        law.check_reference(reference)  # pyright: ignore[reportAttributeAccessIssue] # optional part of a law
    view = _rotation_in(formulation) if isinstance(formulation, str) else formulation
    if view is not None:
        of_kind("formulation", view, View, such_as="the name of a formulation, or a RotationIn")
    if finite("amplification limit", amplification_limit) <= 1.0:
        raise InputError(f"the amplification limit must be greater than 1; got {amplification_limit:g}")
    if max_steps < 1:
        raise InputError(f"max_steps must be at least 1; got {max_steps}")
    return RunSpec(
        craft=craft,
        x=x,
        law=law,
        reference=reference,
        follows=follows,
        torques=tuple(torques),
        scheme=scheme,
        duration=span,
        times=output_grid(span, output_step, output_times),
        ledger=ledger,
        compiled=compiled,
        max_steps=int(max_steps),
        pose_limit=1.0 / amplification_limit,
        blocks=tuple(blocks),
        seed=own_numbers[0],
        number=own_numbers[1],
        view=view,
    )


def _rotation_in(name: str) -> View:
    from ...plant.formulations import RotationIn

    return RotationIn(name)


def check_craft(craft: Spacecraft, scheme: Scheme, span: float, *, longest: float) -> None:
    """Raise InputError if the steps of a scheme or the duration (s) do not suit a spacecraft.

    longest: longest fixed step of the run, s; 0 for no check of fast states.
    """
    if craft.elements:
        require_stable_step(craft, scheme)
        require_stable_states(craft, scheme, longest)
    if scheme.stepper.implicit and craft.layout.levels.start < craft.layout.levels.stop:
        kind = type(next(element for element in craft.elements if levels_of(element))).__name__
        raise InputError(
            f"the implicit integrator {scheme.stepper.name!r} cannot be used with a {kind} element; use the "
            "integrator dop853, rk4 or rk8"
        )
    for potential in craft.potentials:
        potential.check_duration(span)


def _check_thruster(pulse: TorquePulse, craft: Spacecraft) -> None:
    """Raise InputError if a pulse pulls with a thruster, or fires one whose torque is part of a law's command."""
    layout = craft.layout
    if pulse.coordinate not in layout.names[layout.levels]:
        return
    force = float(np.min(pulse.components))
    if force < 0.0:
        raise InputError(
            f"the thrust of {pulse.coordinate!r} must be at least 0 N; got {force:g} N: a thruster pushes only, so "
            "give a thruster of the opposite direction"
        )
    number = layout.names.index(pulse.coordinate)
    slices = level_slices(craft.elements, layout.levels.start)
    element = next(element for element, own in slices if own.start <= number < own.stop)
    if isinstance(element, Propulsion) and not element.applies_torque:
        raise InputError(
            f"{pulse.coordinate!r} has no torque of its own, since the thrusters apply the command of the law: "
            "use the potential Thrust, or Propulsion(applies_torque=True)"
        )


def check_torques(torques: Sequence[TorquePulse], craft: Spacecraft, scheme: Scheme) -> None:
    """Raise InputError if a torque does not suit its thruster or wheel, or a fixed step is too long for its friction.

    torques: scheduled torques and wheel faults of a run; craft: its spacecraft; scheme: its integration.
    """
    for pulse in torques:
        _check_thruster(pulse, craft)
        if pulse.fault:
            _check_fault(pulse, craft, scheme)


def _check_fault(fault: TorquePulse, craft: Spacecraft, scheme: Scheme) -> None:
    """Raise InputError if the wheel does not exist, or a fixed step is too long for its friction."""
    _, viscous, _ = fault.numbers(craft)
    if scheme.step is None or scheme.stepper.adaptive or scheme.stepper.implicit or viscous == 0.0:
        return
    place = 3 + craft.layout.coordinates.index(fault.coordinate)
    slowing = viscous * float(np.linalg.inv(craft.initial_mass_matrix)[place, place])
    if scheme.step * slowing > MOST_DECAY:
        wheel = fault.coordinate.removesuffix("_angle")
        raise InputError(
            f"step {scheme.step:g} s is too long for {wheel}, whose fault stops it with a time constant of "
            f"{1.0 / slowing:.3g} s; use {MOST_DECAY / slowing:.3g} s or less, dop853, or a longer seizing time"
        )


def start_state(
    craft: Spacecraft,
    state: ArrayLike | None,
    *,
    attitude: ArrayLike | None,
    rate: ArrayLike | None,
    momentum: ArrayLike | None,
    position: ArrayLike | None,
    velocity: ArrayLike | None,
) -> Array:
    """Return the state at t = 0 from `state` or from its parts, as in `simulate`.

    Raises InputError when the values do not match the spacecraft, both `state` and parts are given, or an element or a
    load cannot start there.
    """
    x = _start_state(
        craft, state, attitude=attitude, rate=rate, momentum=momentum, position=position, velocity=velocity
    )
    if state is not None and any(hasattr(element, "check_start") for element in craft.elements):
        _check_elements_at(craft, x)
    if state is not None:
        _check_propellant_at(craft, x)
    if craft.translation and not (state is None and position is None):  # a start at the origin is not finite
        layout = craft.layout
        for potential in craft.potentials:
            potential.check_start(x[layout.position], x[layout.linear_momentum] / craft.mass_at(x))
    return x


def _start_state(
    craft: Spacecraft,
    state: ArrayLike | None,
    *,
    attitude: ArrayLike | None,
    rate: ArrayLike | None,
    momentum: ArrayLike | None,
    position: ArrayLike | None,
    velocity: ArrayLike | None,
) -> Array:
    """Return the state at t = 0, unchecked against elements and loads; see `start_state`."""
    if state is None or not (attitude is rate is momentum is position is velocity is None):
        parts = {"attitude": attitude, "rate": rate, "momentum": momentum, "position": position, "velocity": velocity}
        given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
        if state is None:
            return craft.state(**given)
        raise InputError(f"give the state or its parts, not both: state and {', '.join(given)}")
    size = craft.layout.size
    x = numbers("state", state)
    if x.size == size + LEDGER_SIZE:  # the state is a row of a run with a ledger
        x = x.ravel()[:size]
    if x.shape != (size,):
        x = vector("state", x, size)
    e = x[3:7]
    if abs(sum(each * each for each in e.tolist()) - 1.0) >= 1e-14:  # recorded values are not rounded again
        x[3:7] = unit_quaternion("attitude", e)
    return x


def _check_propellant_at(craft: Spacecraft, x: Array) -> None:
    """Raise InputError if the impulses of a state are negative, or have used more propellant than the tank held."""
    for element, own in level_slices(craft.elements, craft.layout.levels.start):
        impulses = x[own]
        if isinstance(element, Propulsion) and element.propellant:
            left = float(element.left(impulses))
            if (impulses < 0.0).any() or left < -OVERDRAWN * element.propellant:
                raise InputError(
                    f"the thruster impulses of the state at t = 0, {impulses.tolist()} N s, leave {left:g} kg of "
                    f"{element.propellant:g} kg of propellant; no impulse may be negative or use more than that: start "
                    "with a state of a run of this spacecraft, or increase propellant"
                )


def _check_elements_at(craft: Spacecraft, x: Array) -> None:
    """Raise InputError if an element cannot start from a state."""
    coordinates, rates, names = x[craft.layout.internal].tolist(), craft.internal_rates(x), craft.layout.coordinates
    for element, own in coordinate_slices(craft.elements):
        check: Any = getattr(element, "check_start", None)
        if check is not None:
            check(names[own], coordinates[own], rates=rates[own].tolist())


_known_ease: WeakKeyDictionary[Spacecraft, float] = WeakKeyDictionary()


def _ease(craft: Spacecraft) -> float:
    """Return a bound on a rigid body's rates per unit momentum, sum |J^-1| + 1/m; otherwise infinity."""
    found = _known_ease.get(craft)
    if found is None:
        found = math.inf
        if not (craft.elements or craft.potentials or craft.user_forces):
            found = sum(map(abs, craft.pack()[INVERSE : INVERSE + 9].tolist()))
            found += 1.0 / craft.mass if craft.translation else 0.0
        _known_ease[craft] = found
    return found


def require_finite_start(craft: Spacecraft, x: Array) -> None:
    """Raise InputError when the derivative of the state at t = 0 is not finite."""
    if _ease(craft) + sum(map(abs, x.tolist())) < BOUND:  # then no product of the rates of a rigid body overflows
        return
    p, w, rates = craft.pack(), craft.work_space(), np.zeros_like(x)
    with np.errstate(all="ignore"):
        derivative(0.0, x, np.zeros(3), p, rates, craft.user_loads(), w)
    if not all(map(math.isfinite, rates.tolist())):
        fault = fault_sentence(craft.user_functions, p, w)
        if fault:
            raise InputError(f"the run cannot start: {fault}")
        bad = ", ".join(name for name, value in zip(craft.layout.names, rates, strict=True) if not np.isfinite(value))
        raise InputError(
            f"the rates of change at t = 0 are not finite ({bad}): a spring with a natural length above zero whose two "
            "points coincide, or a spacecraft at the centre of its gravity field, has no direction; products of "
            "numbers above 1e150 overflow; change the initial state"
        )
