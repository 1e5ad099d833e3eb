"""The linear model of a case, and the law designed on it."""

import numpy as np

from ..controllers import Law
from ..plant import LinearModel, Spacecraft
from ..plant.errors import EquilibriumError, InputError
from .explain import located
from .laws import MAKERS
from .schema import Case
from .start import initial_state, pose

__all__ = ["design", "law_model", "linear_model"]


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


def law_model(case: Case, craft: Spacecraft) -> LinearModel:
    """Return the linear model on which the law of a case is designed and judged.

    It is the linear model, but where wheels give the torque and the reference does not turn, that of the same torque
    from outside: attitude and rate answer to it alike, but for what the friction of the wheels makes of their changed
    rates. The momentum among the states is that of the whole, which no wheel changes: no law could be seen to hold it.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        Its plant.

    Returns
    -------
    LinearModel
        The exact linear model of that craft.
    """
    turns = case.reference is not None and np.any(pose(case.reference, "reference")[1] or 0.0)
    if not craft.torques.internal or turns:
        return linear_model(case, craft)
    outside = Spacecraft(
        craft.body,
        torques=craft.torques.outside(),
        elements=craft.elements,
        potentials=craft.potentials,
        efforts=craft.efforts,
        translation=craft.translation,
    )
    return linear_model(case, outside)


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
            return law_model(case, craft)
        except EquilibriumError as error:
            raise EquilibriumError(
                f"{error} (in a case: take another [reference], or a quaternion-feedback controller, which follows any)"
            ) from None

    with located("controller"):
        return MAKERS[type(table)](table, craft, model)
