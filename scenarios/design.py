"""The linear model of a case, and the law designed on it."""

from ..controllers import Law, NadirPointing
from ..plant import LinearModel, Spacecraft
from ..plant.errors import EquilibriumError, InputError
from ..plant.linearization import linearize
from .explain import located
from .laws import MAKERS
from .references import reference_of, steady_pose
from .schema import Case
from .start import initial_state

__all__ = ["design", "linear_model"]


def linear_model(case: Case, craft: Spacecraft, *, allow_nonequilibrium: bool = False) -> LinearModel:
    """Linearise about the reference of the case, or about its initial state when it has none.

    Of a reference that moves, about the steady motion it comes to: see `polhode.scenarios.references.steady_pose`.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        Its plant.
    allow_nonequilibrium : bool
        Whether a state that is not steady is accepted; its residual is then part of the model. Of nadir pointing
        it is accepted anyway.

    Returns
    -------
    LinearModel
        The exact linear model.

    Raises
    ------
    EquilibriumError
        When the state is not steady and that was not asked for.
    """
    reference = reference_of(case, craft)
    if reference is None:
        about, state = "initial", initial_state(craft, case.initial)
    else:
        about = "reference"
        attitude, rate = steady_pose(reference)
        orbit = {"position": case.initial.position_m, "velocity": case.initial.velocity_m_s}
        orbit = {name: value for name, value in orbit.items() if value is not None}
        with located(about):
            state = craft.state(attitude=attitude, rate=rate, **orbit)
    # along an orbit the gravity gradient never rests: its torque at t = 0 is then the residual of the model
    allow = allow_nonequilibrium or isinstance(reference, NadirPointing)
    with located(about):
        return linearize(craft, state, outputs=("attitude", "rate"), allow_nonequilibrium=allow)


def design(case: Case, craft: Spacecraft) -> Law:
    """Design the law of the case.

    Parameters
    ----------
    case : Case
        A case with a controller.
    craft : Spacecraft
        Its plant.

    Returns
    -------
    Law
        The law, ready to fly.

    Raises
    ------
    InputError
        When the case has no controller, or no law with the wanted properties exists.
    """
    table = case.controller
    if table is None:
        raise InputError('the case has no [controller] to design; add one, such as kind = "lqr"')

    def model() -> LinearModel:
        try:
            return linear_model(case, craft)
        except EquilibriumError as error:
            raise EquilibriumError(
                f"{error} (in a case: take another [reference], or a quaternion-feedback controller, which follows any)"
            ) from None

    with located("controller"):
        return MAKERS[type(table)](table, craft, model)
