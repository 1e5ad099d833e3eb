"""Turn a checked case into the objects of the other rooms: craft, law, reference, pulses, run settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..controllers import (
    FixedReference,
    LinearFeedback,
    QuaternionFeedback,
    Reference,
    SpinReference,
    lqr,
    quaternion_feedback,
)
from ..plant import (
    GravityGradient,
    LinearModel,
    RigidBody,
    Spacecraft,
    Spring,
    TorqueBasis,
    TorquePulse,
    UniformGravity,
)
from ..plant.attitude import from_euler_angles
from ..plant.checks import unit_quaternion
from ..plant.errors import InputError
from .explain import located
from .schema import Case, EulerAnglesTable, PotentialTable, TorqueTable
from .schema.controller import LqrTable
from .schema.initial import InitialTable, ReferenceTable
from .schema.plant import SpringTable, UniformGravityTable

__all__ = ["Problem", "build", "design", "linear_model"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """A case as objects, ready for `polhode.sim.simulate`.

    Attributes
    ----------
    craft : Spacecraft
        The plant.
    law : LinearFeedback, QuaternionFeedback or None
        The sampled law, designed.
    reference : Reference or None
        The attitude to hold or to spin through.
    pulses : tuple of TorquePulse
        Torques from outside.
    state : numpy.ndarray, shape (nx,)
        The state at t = 0.
    settings : mapping
        Further keyword arguments of `simulate`; what the case leaves out is left to its defaults.
    """

    craft: Spacecraft
    law: LinearFeedback | QuaternionFeedback | None
    reference: Reference | None
    pulses: tuple[TorquePulse, ...]
    state: Array
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])


def build(case: Case, *, with_law: bool = True) -> Problem:
    """Build the plant, design the law and gather the settings.

    Parameters
    ----------
    case : Case
        A checked case.
    with_law : bool
        Whether the law is designed; without it a controller in the case is left aside.

    Returns
    -------
    Problem
        Everything `simulate` needs.

    Raises
    ------
    InputError
        When a value is refused by the plant or the design (its message begins with the key path).
    """
    craft = _craft(case)
    reference = None if case.reference is None else _reference(case.reference)
    pulses = tuple(_pulse(table, f"torques.{index}") for index, table in enumerate(case.torques))
    state = _state(craft, case.initial)
    law = None if case.controller is None or not with_law else design(case, craft)
    run = case.run
    settings = {
        "duration": run.duration_s,
        "integrator": run.integrator,
        "step": run.step_s,
        "rtol": run.rtol,
        "output": run.output_s,
        "max_steps": run.max_steps,
        "amplification_limit": run.amplification_limit,
    }
    settings = {name: value for name, value in settings.items() if value is not None}
    return Problem(craft=craft, law=law, reference=reference, pulses=pulses, state=state, settings=settings)


def linear_model(case: Case, craft: Spacecraft, *, allow_nonequilibrium: bool = False) -> LinearModel:
    """Linearise about the reference of the case, or about its initial state when it has none.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        Its plant.
    allow_nonequilibrium : bool
        Whether a state that is not steady is accepted; its residual is then part of the model.

    Returns
    -------
    LinearModel
        The exact linear model.

    Raises
    ------
    EquilibriumError
        When the state is not steady and that was not asked for.
    """
    if case.reference is None:
        about, state = "initial", _state(craft, case.initial)
    else:
        about = "reference"
        attitude, rate = _pose(case.reference, about)
        orbit = {"position": case.initial.position_m, "velocity": case.initial.velocity_m_s}
        orbit = {name: value for name, value in orbit.items() if value is not None}
        with located(about):
            state = craft.state(attitude=attitude, rate=(0.0, 0.0, 0.0) if rate is None else rate, **orbit)
    with located(about):
        return craft.linearize(state, allow_nonequilibrium=allow_nonequilibrium)


def design(case: Case, craft: Spacecraft) -> LinearFeedback | QuaternionFeedback:
    """Design the law of the case.

    Parameters
    ----------
    case : Case
        A case with a controller.
    craft : Spacecraft
        Its plant.

    Returns
    -------
    LinearFeedback or QuaternionFeedback
        The law, ready to fly.

    Raises
    ------
    InputError
        When the case has no controller, or no law with the wanted properties exists.
    """
    table = case.controller
    if table is None:
        raise InputError('the case has no [controller] to design; add one, such as kind = "lqr"')
    if isinstance(table, LqrTable):
        model = linear_model(case, craft)
        with located("controller"):
            return lqr(
                model,
                attitude=table.attitude_weight,
                rate=table.rate_weight,
                effort=table.effort_weight,
                sample=table.sample_s,
                delay=table.delay_s,
            )
    with located("controller"):
        law = quaternion_feedback(
            craft,
            frequency=table.frequency_rad_s,
            damping_ratio=table.damping_ratio,
            sample=table.sample_s,
            delay=table.delay_s,
        )
        if table.gyroscopic:
            return law
        return QuaternionFeedback(
            inertia=law.inertia,
            stiffness=law.stiffness,
            damping=law.damping,
            sample=law.sample,
            delay=law.delay,
            torques=law.torques,
            gyroscopic=False,
        )


def _craft(case: Case) -> Spacecraft:
    table = case.plant
    limit = None if case.controller is None else case.controller.torque_limit_N_m
    with located("plant"):
        basis = TorqueBasis(table.torque_basis, table.euler_sequence, limit=limit)
    with located("plant.inertia_kg_m2"):
        body = RigidBody(table.inertia_kg_m2, mass=table.mass_kg, pivot=table.pivot_m)
    potentials: list[Any] = []
    for index, potential in enumerate(table.potentials):
        with located(f"plant.potentials.{index}"):
            potentials.append(_potential(potential))
    with located("plant"):
        return Spacecraft(body, torques=basis, potentials=tuple(potentials), translation=table.translation)


def _potential(table: PotentialTable) -> UniformGravity | Spring | GravityGradient:
    if isinstance(table, UniformGravityTable):
        return UniformGravity(table.g_m_s2)
    if isinstance(table, SpringTable):
        return Spring(
            body_point=table.body_point_m,
            inertial_point=table.inertial_point_m,
            stiffness=table.stiffness_N_m,
            natural_length=table.natural_length_m,
            damping=table.damping_N_s_m,
        )
    return GravityGradient(mu=table.mu_m3_s2, position=table.position_m, velocity=table.velocity_m_s)


def _pose(table: ReferenceTable | InitialTable, path: str) -> tuple[Array, tuple[float, ...] | None]:
    """Attitude (identity unless given) and rate in rad/s (None unless given)."""
    rate = table.rate_rad_s
    if table.rate_deg_s is not None:
        rate = tuple(radians(value) for value in table.rate_deg_s)
    if table.attitude_deg is not None:
        angles: EulerAnglesTable = table.attitude_deg
        return from_euler_angles(np.radians(angles.angles), angles.sequence), rate
    with located(path):
        return unit_quaternion("attitude", table.attitude or (1.0, 0.0, 0.0, 0.0)), rate


def _reference(table: ReferenceTable) -> Reference:
    attitude, rate = _pose(table, "reference")
    with located("reference"):
        if rate is None or not any(rate):
            return FixedReference(attitude)
        return SpinReference(attitude, rate=rate)


def _state(craft: Spacecraft, table: InitialTable) -> Array:
    attitude, rate = _pose(table, "initial")
    start: dict[str, Any] = {
        "rate": rate,
        "momentum": table.momentum_N_m_s,
        "position": table.position_m,
        "velocity": table.velocity_m_s,
    }
    with located("initial"):
        return craft.state(
            attitude=attitude, **{key: value for key, value in start.items() if value is not None}
        )


def _pulse(table: TorqueTable, path: str) -> TorquePulse:
    with located(path):
        return TorquePulse(
            table.components_N_m,
            start=table.from_s,
            stop=table.to_s,
            basis=TorqueBasis(table.basis, table.euler_sequence),
            euler_rate_damping=table.euler_rate_damping_N_m_s or (0.0, 0.0, 0.0),
        )
