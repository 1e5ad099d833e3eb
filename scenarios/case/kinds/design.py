"""Linear model of a case, and design of the law on this model."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ....controllers import Law
from ....controllers.guidance import follows_orbit, steady_pose
from ....controllers.loop.wheel_torque import from_outside
from ....plant import LinearModel, Spacecraft
from ....plant.checks import choice
from ....plant.elements.cyclic import cyclic_flags
from ....plant.errors import EquilibriumError, InputError
from ....plant.hub.balanced import balanced, has_imbalance
from ....plant.linear import linearize
from ....plant.linear.holding import UnheldRateError
from ....plant.loads.potentials import GravityGradient
from ....plant.loads.potentials.prescribed_orbit import without_orbit
from ..located import located
from ..schema import Case
from ..schema.sampled import ActuatedTable
from .laws import KINDS
from .references.reference_of import reference_of
from .sensors.modal_coordinates import SLOPES
from .start import initial_state

HELD_MOMENTUM = (
    "the momentum stored in the wheels is held constant: its change acts through the orbital rate as a slow "
    "disturbance, which no wheel torque can remove"
)
DESIGN_TABLES = ("plant", "reference", "initial", "orbit", "environment")
"""Tables that a design point may change."""


def design_craft(case: Case, craft: Spacecraft) -> Spacecraft:
    """Return the spacecraft on which the law of a case is designed.

    Wheels are balanced, since a linear model about rotating wheels with imbalance is not constant. Flexible arms have
    too many states for a law, and no sensor measures them. The design spacecraft has rigid arms or,
    with controller.design_on = "modes", vibration modes in their place; everything else is unchanged. In simulation,
    the law reads attitude and rate of the hub, and the momentum of the whole spacecraft including arms. Laws from a
    linear model, and quaternion feedback, use the design inertia times the rate in place of this momentum.

    A spacecraft with elements that have no linear model, such as hysteresis rods, is replaced by that of
    `[nominal.plant]`, see `linear_craft`. A spacecraft without flexible arms, imbalance and such elements is returned
    unchanged.
    """
    craft = balanced(linear_craft(case, craft))
    if not case.plant.has_arms:
        return craft
    table = case.controller
    if table is None or table.design_on == "rigid":
        from ....plant.flexible import rigid_twin

        return rigid_twin(craft)
    from ....plant.flexible import reduce_craft

    if not follows_orbit(reference_of(case, craft)):
        craft = without_orbit(craft)  # omit a rotating gravity gradient: see `design_model`
    return reduce_craft(craft, modes=table.modes, translation=craft.translation).spacecraft()


def linear_craft(case: Case, craft: Spacecraft) -> Spacecraft:
    """Return the spacecraft of `[nominal.plant]` if the spacecraft of a case has no linear model; otherwise itself."""
    from .problem import craft_of

    if not without_linear_model(craft) or case.nominal is None or case.nominal.plant is None:
        return craft
    with located("nominal"):
        designed = craft_of(case.designed)
    if designed.layout.coordinates != craft.layout.coordinates:
        raise InputError(
            f"nominal.plant replaces a plant with {without_linear_model(craft)} in linear models, and must have the "
            f"same moving elements: the plant has the coordinates {list(craft.layout.coordinates)}, nominal.plant has "
            f"{list(designed.layout.coordinates)}"
        )
    return designed


def without_linear_model(craft: Spacecraft) -> str:
    """Return the names of the elements that have no linear model; empty if there are none."""
    names = {_words(element) for element in craft.elements if getattr(element, "not_linear", "")}
    return " and ".join(sorted(names))


def _words(element: object) -> str:
    """Return the name of the class of an element in words, plural."""
    return "".join(f" {each.lower()}" if each.isupper() else each for each in type(element).__name__).strip() + "s"


def design_model(case: Case, craft: Spacecraft) -> LinearModel:
    """Return the linear model of `design_craft` about the reference, for design and margins of the law.

    About an inertially fixed attitude, the gravity gradient of a prescribed orbit rotates twice per orbit, so a
    constant linear model cannot contain it. The stiffness of the gradient, 3 n^2 times a difference of inertias, is
    only a disturbance to a law that is a hundred times faster than the orbit. The model omits the gradient; the
    simulation includes it.

    Raises EquilibriumError if the state is not an equilibrium.
    """
    return design_plant(case, craft)[1]


def design_plant(case: Case, craft: Spacecraft) -> tuple[Spacecraft, LinearModel]:
    """Return the design spacecraft and its linear model, as in `design_model`.

    If necessary, the spacecraft of `design_craft` is returned without the prescribed orbit.
    """
    return steady_plant(case, design_craft(case, craft))


def steady_plant(case: Case, craft: Spacecraft, *, coordinates: Sequence[str] = ()) -> tuple[Spacecraft, LinearModel]:
    """Return the spacecraft and its linear model about the reference of the case.

    If the gravity gradient of a prescribed orbit rotates relative to the reference, it is removed from the returned
    spacecraft. coordinates: see `linear_model`. Raises EquilibriumError if the state is not an equilibrium.
    """
    try:
        return craft, linear_model(case, craft, coordinates=coordinates)
    except EquilibriumError:
        if not craft.time_dependent:
            raise
        still = without_orbit(craft)
        return still, linear_model(case, still, coordinates=coordinates)


def taken_as(case: Case, craft: Spacecraft, plant: Spacecraft) -> str:
    """Return a description of the simplifications made by `design_plant`; empty if there are none."""
    words: list[str] = []
    if without_linear_model(craft) and not without_linear_model(plant):
        words.append(f"the plant of nominal.plant, without {without_linear_model(craft)}")
    if case.plant.has_arms:
        modes = case.controller is not None and case.controller.design_on == "modes"
        words.append("its flexible arms as modes on the hub" if modes else "its flexible arms rigid")
    if has_imbalance(craft):
        words.append("its wheels balanced")
    if craft.time_dependent and not plant.time_dependent:
        words.append(f"{_time_dependent(craft)} left out")
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def design_warnings(case: Case, craft: Spacecraft) -> tuple[str, ...]:
    """Return a sentence for each effect that the design model omits."""
    if case.controller is None:
        return ()
    omitted = without_linear_model(craft)
    warnings = [f"the linear model is that of nominal.plant, without {omitted}; in a run they act"] if omitted else []
    if craft.time_dependent and not follows_orbit(reference_of(case, craft)):
        words = _time_dependent(craft)
        warnings.append(f"the law is designed without {words}, which depends on time; in a run it acts")
    apart = apart_from_hub(case)
    if apart and case.controller.uses != "truth" and getattr(case.controller, "internal", None) == "estimated":
        warnings.append(
            f"the law estimates vibration modes from attitude and rate of the hub, but {apart} relative to the hub "
            "with their modal slopes; poles, margins and runs include this, the design does not"
        )
    return tuple(warnings)


def apart_from_hub(case: Case) -> str:
    """Return the names of the sensors that vibration modes rotate relative to the hub, with the verb; empty: none."""
    names = [each.label for each in case.sensors if np.any(getattr(each, SLOPES, None) or 0.0)]
    return f"{' and '.join(names)} rotate{'s' if len(names) == 1 else ''}" if names else ""


def left_out_warning(craft: Spacecraft) -> str:
    """Return the warning that a linear model omits time-dependent loads."""
    return f"the model omits {_time_dependent(craft)}, which depends on time and cannot be part of a constant model"


def _time_dependent(craft: Spacecraft) -> str:
    """Return a description of the time-dependent loads."""
    found = [each.words for each in craft.potentials if each.time_dependent]
    return " and ".join(f"{each} of its prescribed orbit" if each == GravityGradient.words else each for each in found)


def linear_model(
    case: Case, craft: Spacecraft, *, coordinates: Sequence[str] = (), allow_nonequilibrium: bool = False
) -> LinearModel:
    """Linearise exactly about the reference of the case or, if it has none, about its initial state.

    A moving reference is replaced by its final steady motion; see `polhode.controllers.guidance.steady_pose`. About an
    orbit, the model contains the orbital rate, the gravity gradient and the momentum of the wheels at t = 0. If the
    state about a reference is not an equilibrium, oscillating elements are set to their rest positions.

    coordinates: element coordinates; the load on each of these is an additional input.
    allow_nonequilibrium: accept a state that is not an equilibrium, with its residual in the model. With a reference
        along an orbit, such a state is always accepted.
    Raises EquilibriumError if the state is not an equilibrium and allow_nonequilibrium is false.
    """
    reference = reference_of(case, craft)
    if reference is None:
        about, states = "initial", [initial_state(craft, case.initial)]
    else:
        about = "reference"
        attitude, rate = steady_pose(reference)
        orbit = {"position": case.initial.position_m, "velocity": case.initial.velocity_m_s}
        orbit = {name: value for name, value in orbit.items() if value is not None}
        with located(about):
            states = [craft.state(attitude=attitude, rate=rate, **orbit, **inside) for inside in ({}, *_still(craft))]
    # the gravity gradient is never constant along an orbit: its torque at t = 0 is the residual of the model
    allow = allow_nonequilibrium or follows_orbit(reference)
    outputs = ("attitude", "rate")
    with located(about):
        try:
            model = linearize(craft, states[0], outputs=outputs, coordinates=coordinates, allow_nonequilibrium=allow)
            return _about_orbit(model) if follows_orbit(reference) and craft.torques.internal else model
        except EquilibriumError:
            for state in states[1:]:
                with suppress(EquilibriumError):
                    return linearize(craft, state, outputs=outputs, coordinates=coordinates)
            raise


def _about_orbit(model: LinearModel) -> LinearModel:
    """Return the model about an orbit with the momentum stored in the wheels held constant."""
    return replace(from_outside(model), left_out=(*model.left_out, HELD_MOMENTUM))


def _still(craft: Spacecraft) -> list[dict[str, list[float]]]:
    """Return coordinates and rates with oscillating elements at rest, for `Spacecraft.state`.

    Initial slosh is not an equilibrium. The list is empty if no element oscillates initially.
    """
    begins, rates = craft.initial_coordinates.tolist(), craft.initial_rates.tolist()
    swings = [not cyclic for cyclic in cyclic_flags(craft.elements)]
    if not any(swing and (s or v) for swing, s, v in zip(swings, begins, rates, strict=True)):
        return []
    inside = [0.0 if swing else s for swing, s in zip(swings, begins, strict=True)]
    turning = [0.0 if swing else v for swing, v in zip(swings, rates, strict=True)]
    return [{"internal": inside, "internal_rate": turning}]


def design(case: Case, craft: Spacecraft) -> Law:
    """Design the law of the case.

    case: a case with a controller. Raises InputError if the case has no controller, or if no law with the required
    properties exists.
    """
    table = case.controller
    if table is None:
        raise InputError('the case has no [controller] to design; add one, such as kind = "lqr"')

    kind = KINDS.of(table)
    if kind.points is not None and kind.assembled is not None:
        laws: list[Law] = []
        for n, (controller, changes) in enumerate(kind.points(table)):
            with located(f"controller.points.{n}"):
                laws.append(_designed_at(case, controller, changes))
        with located("controller"):
            return kind.assembled(table, laws)

    with located("controller"):
        inner = design_craft(case, craft)

    def model() -> LinearModel:
        try:
            return steady_plant(case, inner)[1]
        except UnheldRateError:  # a different reference would not help
            raise
        except EquilibriumError as error:
            raise EquilibriumError(
                f"{error} (in a case: use a different [reference], or a quaternion-feedback controller, which follows "
                "any reference)"
            ) from None

    with located("controller"):
        if kind.along is None:
            return kind.make(table, inner, model)
        reference = reference_of(case, craft)
        if reference is None:
            raise InputError("the law is designed along a reference, but the case has none; add a [reference]")
        return kind.along(table, inner, reference)


def _designed_at(case: Case, controller: ActuatedTable, changes: Mapping[str, Any]) -> Law:
    """Design a law on a case with changed keys.

    Raises InputError if a key does not exist, belongs to no table of the plant, its motion or environment, or the
    design fails.
    """
    from .changed_keys import with_keys
    from .problem import craft_of

    for key in changes:
        choice("the first word of a key in set", key.partition(".")[0], DESIGN_TABLES)
    changed = with_keys(case.model_copy(update={"controller": controller}), changes)
    return design(changed, craft_of(changed))
