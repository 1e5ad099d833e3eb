"""Law kind for quaternion feedback."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from .....controllers import QuaternionFeedback, quaternion_feedback
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Positive, Switch
from ...schema.sampled import SampledTable
from .kind import LawKind, second_order


class QuaternionFeedbackTable(SampledTable):
    """Nonlinear quaternion feedback, tuned by natural frequency and damping ratio."""

    kind: Literal["quaternion-feedback"] = Field(description="which law")
    frequency_rad_s: Positive = Field(description="natural frequency of small errors, rad/s")
    damping_ratio: Positive = Field(description="damping ratio of small errors")
    gyroscopic: Switch = Field(default=True, description="whether the gyroscopic torque is cancelled")


def _make(table: QuaternionFeedbackTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> QuaternionFeedback:
    """Tune quaternion feedback by natural frequency and damping ratio."""
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


KIND = LawKind(table=QuaternionFeedbackTable, make=_make, tuned=second_order)
