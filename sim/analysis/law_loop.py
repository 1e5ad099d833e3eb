"""The sampled loop of any law around any linear model: the law's gains stay, the plant under them changes."""

from typing import Any

from ...controllers import DynamicFeedback, Law, LinearFeedback
from ...controllers.attitude_model import check_model
from ...controllers.dynamic_loop import DynamicLoop
from ...controllers.loop import SampledLoop
from ...plant import LinearModel
from ...plant.checks import non_negative, of_kind
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread

__all__ = ["law_loop"]


@one_thread
def law_loop(law: Law, model: LinearModel, *, delay: float | None = None) -> SampledLoop:
    """Return the sampled loop of a law, exactly as it flies, around a linear model that need not be its own.

    A linear law sees attitude error and rate, not momentum: what it makes of the rate keeps the inertia it was
    designed with, whatever the inertia of the model. A nonlinear law enters with its exact small-signal gain about
    the model's operating point.

    Parameters
    ----------
    law : Law
        `LinearFeedback`, `DynamicFeedback` or a nonlinear law with `loop(model)`.
    model : LinearModel
        `craft.linearize(...)` of the craft to be flown, in the torque basis of the law.
    delay : float, optional
        Time from a sample to the moment its command reaches the plant, s; that of the law if left out. What the law
        remembers of its own commands stays as designed.

    Returns
    -------
    SampledLoop
        For poles, margins and radius.

    Raises
    ------
    DesignError
        When the law has no linear loop (a user's own function), or law and model differ in the torque basis.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> def model(J):
    ...     craft = plant.Spacecraft(plant.RigidBody((J, J, J)))
    ...     return craft.linearize(craft.at_rest())
    >>> law = controllers.lqr(model(100.0), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    >>> [round(law_loop(law, model(J)).margins().axes[0].gain_up, 2) for J in (100.0, 200.0)]
    [63.72, 127.43]
    """
    of_kind("law", law, Law, such_as="a control law")
    check_model(model)
    lag = law.delay if delay is None else non_negative("delay", delay, "s")
    if isinstance(law, LinearFeedback | DynamicFeedback):
        if (law.model.torques.code, *law.model.torques.axes) != (model.torques.code, *model.torques.axes):
            raise DesignError(
                f"the law commands torque in the {law.model.torques.name!r} basis and the plant takes it in the "
                f"{model.torques.name!r} basis; linearize a craft with the torque basis of the design"
            )
        compensator = law.compensator() if isinstance(law, LinearFeedback) else law.compensator
        measured = law.measured if isinstance(law, DynamicFeedback) else ()
        return DynamicLoop(model, compensator, measured=measured, sample=law.sample, delay=lag)
    build: Any = getattr(law, "loop", None)
    if build is None:
        raise DesignError(
            f"{type(law).__name__} has no linear loop, hence no margins to predict; confirm its stability by simulation"
        )
    loop: SampledLoop = build(model)
    loop.delay = lag
    return loop
