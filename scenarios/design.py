"""The linear model of a case, and the law designed on it."""

from ..controllers import DynamicFeedback, LinearFeedback, QuaternionFeedback, lqr, quaternion_feedback
from ..plant import LinearModel, Spacecraft
from ..plant.errors import EquilibriumError, InputError
from .explain import located
from .schema import Case, LqrTable
from .start import initial_state, pose

__all__ = ["design", "linear_model"]


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
        about, state = "initial", initial_state(craft, case.initial)
    else:
        about = "reference"
        attitude, rate = pose(case.reference, about)
        orbit = {"position": case.initial.position_m, "velocity": case.initial.velocity_m_s}
        orbit = {name: value for name, value in orbit.items() if value is not None}
        with located(about):
            state = craft.state(attitude=attitude, rate=(0.0, 0.0, 0.0) if rate is None else rate, **orbit)
    with located(about):
        return craft.linearize(state, allow_nonequilibrium=allow_nonequilibrium)


def design(case: Case, craft: Spacecraft) -> DynamicFeedback | LinearFeedback | QuaternionFeedback:
    """Design the law of the case.

    Parameters
    ----------
    case : Case
        A case with a controller.
    craft : Spacecraft
        Its plant.

    Returns
    -------
    DynamicFeedback, LinearFeedback or QuaternionFeedback
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
        try:
            model = linear_model(case, craft)
        except EquilibriumError as error:
            raise EquilibriumError(
                f"{error} (in a case: take another [reference], or a quaternion-feedback controller, which follows any)"
            ) from None
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
