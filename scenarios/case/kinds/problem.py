"""Build the objects of a validated case: spacecraft, law, reference, torque pulses, run settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, Law, Reference
from ....plant import Spacecraft, TorqueBasis, TorquePulse
from ....plant.frozen import frozen_arrays
from ....sim.engine.steppers.resolving_step import default_integrator
from ..located import located
from ..schema import Case
from .actuators import propulsion_of, torque_bases
from .elements.elements_of import elements_of, held_body
from .faults import wheel_faults
from .formulations import formulation_of
from .potentials.potentials_of import potentials_of
from .references.reference_of import reference_of
from .start import initial_state
from .torques.torques_of import exerted_of, loads_of, pulses_of

if TYPE_CHECKING:
    from ....plant.loads.potentials.any_potential import AnyPotential

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """Objects built from a case, ready for `polhode.sim.runs.simulate`.

    Attributes
    ----------
    craft : Spacecraft
        The plant.
    law : Law or None
        Designed law; None if the case has no controller.
    reference : Reference or None
        Attitude or motion to follow.
    pulses : tuple of TorquePulse
        Scheduled external torques, and wheel faults.
    state : numpy.ndarray, shape (nx,)
        State vector at t = 0.
    blocks : tuple of Block
        Blocks sampled in addition to the law.
    settings : mapping
        Other keyword arguments of `simulate` or, if the case states an accuracy, of `simulate_to_accuracy`. A missing
        key has the default of the function.
    """

    craft: Spacecraft
    law: Law | None
    reference: Reference | None
    pulses: tuple[TorquePulse, ...]
    state: Array
    blocks: tuple[Block, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])


def build(
    case: Case,
    *,
    with_law: bool = True,
    like: Problem | None = None,
    under: Callable[[Spacecraft], Law] | None = None,
    sensing: Problem | None = None,
) -> Problem:
    """Build the plant, design the law and gather the settings.

    Parameters
    ----------
    case : Case
        A validated case.
    with_law : bool
        Whether to design the law; otherwise a controller in the case is ignored.
    like : Problem, optional
        Problem of a case that differs only in the law. If the control torques are equal, its spacecraft is shared,
        together with the cached vibration modes, inertia and linear model.
    under : callable, optional
        Function that returns the law for a spacecraft, in place of the design in the case.
    sensing : Problem, optional
        Problem of a case with equal sensors, estimator and law, and without other blocks. Its blocks are shared if the
        spacecraft provides the same signals and has the same initial attitude.

    Returns
    -------
    Problem
        All objects and settings that `simulate` needs.

    Raises
    ------
    InputError
        If the plant or the design rejects a value; the message begins with the key path.
    """
    craft = like.craft if like is not None and _alike(like.craft.ports, torque_bases(case)) else craft_of(case)
    reference = reference_of(case, craft)
    pulses = (*pulses_of(case, craft), *wheel_faults(case, craft))
    state = initial_state(craft, case.initial)
    law = law_of(case, craft) if under is None and with_law and case.controller is not None else None
    if under is not None:
        law = under(craft)
    run = case.run
    settings = {
        "duration": run.duration_s,
        "integrator": run.integrator or default_integrator(craft, rtol=run.rtol),
        "step": run.step_s,
        "rtol": run.rtol,
        "accuracy": None if run.accuracy_deg is None else float(np.radians(run.accuracy_deg)),
        "output_step": run.output_s or run.duration_s / 500.0,
        "max_steps": run.max_steps,
        "amplification_limit": run.amplification_limit,
        "formulation": formulation_of(case, craft),
        "seed": run.seed,
        "run_index": run.number or None,
    }
    settings = {name: value for name, value in settings.items() if value is not None}
    return Problem(
        craft=craft,
        law=law,
        reference=reference,
        pulses=pulses,
        state=state,
        blocks=_blocks(case, craft, law) if sensing is None else _shared(sensing, case, craft, law, state),
        settings=settings,
    )


def law_of(case: Case, craft: Spacecraft) -> Law:
    """Design the law of a case for its spacecraft, or for the design model in `[nominal]`, if any.

    Raises InputError if the case has no controller, or if no law with the required properties exists.
    """
    from .design import design

    if case.modes:
        from .modes import modes_of

        return modes_of(case, craft, design=lambda one: law_of(one, craft_of(one)))
    if case.nominal is None:
        return design(case, craft)
    designed = case.designed
    with located("nominal"):
        return design(designed, craft_of(designed))


def _blocks(case: Case, craft: Spacecraft, law: Law | None) -> tuple[Block, ...]:
    sees = None if case.controller is None else case.controller.uses
    pulsed = case.plant.thrusters is not None and case.plant.thrusters.valve_step_s is not None
    driven = pulsed or case.plant.has_steered_gyros or case.plant.has_speed_loop
    if not (case.sensors or case.blocks or case.modes or case.faults or sees or driven):
        return exerted_of(case, craft)
    from .blocks.blocks_of import blocks_of

    return blocks_of(case, craft, law=law)


def _shared(sensing: Problem, case: Case, craft: Spacecraft, law: Law | None, state: Array) -> tuple[Block, ...]:
    """Return the blocks of a problem with the same sensors, or new blocks if signals or attitude differ."""
    one, other = craft.layout, sensing.craft.layout
    alike = one.names == other.names and one.rates == other.rates and law is sensing.law
    return sensing.blocks if alike and np.array_equal(state[3:7], sensing.state[3:7]) else _blocks(case, craft, law)


def craft_of(case: Case) -> Spacecraft:
    """Return the spacecraft of a case.

    Raises InputError if the plant rejects a value.
    """
    table = case.plant
    torques, external = (*torque_bases(case).values(), None)[:2]
    elements = (*elements_of(table.elements, assumed=case.assumed.array), *filter(None, [propulsion_of(case)]))
    with located("plant.inertia_kg_m2"):
        body = held_body(table, elements)
    potentials = (*potentials_of(table.potentials), *_along_orbit(case), *loads_of(case))
    with located("plant"):
        return Spacecraft(
            body,
            torques=torques,
            external=external,
            elements=elements,
            potentials=potentials,
            translation=table.translation,
        )


def _along_orbit(case: Case) -> "tuple[AnyPotential, ...]":
    """Return the environmental torques; the libraries are imported only if a case has an environment."""
    if case.environment is None:
        return ()
    from .environment import environment_of

    return environment_of(case)


def _alike(one: Mapping[str, TorqueBasis], other: Mapping[str, TorqueBasis]) -> bool:
    """Return whether two spacecraft have the same control torques with the same limits."""
    return list(one) == list(other) and all(
        np.array_equal(getattr(basis, each.name), getattr(other[port], each.name))
        for port, basis in one.items()
        for each in fields(basis)
    )
