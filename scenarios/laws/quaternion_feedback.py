"""The quaternion feedback of a case."""

from collections.abc import Callable

from ...controllers import QuaternionFeedback, quaternion_feedback
from ...plant import LinearModel, Spacecraft
from ..schema.controller import QuaternionFeedbackTable

__all__ = ["make_quaternion_feedback"]


def make_quaternion_feedback(
    table: QuaternionFeedbackTable, craft: Spacecraft, model: Callable[[], LinearModel]
) -> QuaternionFeedback:
    """Tune quaternion feedback by natural frequency and damping ratio.

    Parameters
    ----------
    table : QuaternionFeedbackTable
        The tuning.
    craft : Spacecraft
        The plant.
    model : callable
        Returns the linear model about the reference; not used.

    Returns
    -------
    QuaternionFeedback
        The law.
    """
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
