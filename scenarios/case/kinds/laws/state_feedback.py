"""Law kind for state feedback with given gains, which can be tuned."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from .....controllers import LinearFeedback, state_feedback
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Gain
from .kind import LawKind, Numbers
from .linear_table import LinearTable

Array = NDArray[np.float64]


class StateFeedbackTable(LinearTable):
    """State feedback u = -(Ka attitude error + Kr rate error + Kc commands not yet in effect)."""

    kind: Literal["state-feedback"] = Field(description="which law")
    attitude_gain_N_m_rad: Gain = Field(description="Ka, N m/rad; one, per axis, or 3 rows of 3")
    rate_gain_N_m_s_rad: Gain = Field(description="Kr, N m s/rad; one, per axis, or 3 rows of 3")
    command_gain: Gain | None = Field(
        default=None,
        description="Kc; one or per axis, on the newest command, or 3 rows of 3 numbers per command not yet in effect",
    )


def _make(table: StateFeedbackTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Return the law with the gains of a table."""
    law = state_feedback(
        model(),
        attitude_gain=table.attitude_gain_N_m_rad,
        rate_gain=table.rate_gain_N_m_s_rad,
        command_gain=table.command_gain,
        sample=table.sample_s,
        delay=table.delay_s,
        saturation=table.saturation,
    )
    return table.with_filters(law)


def _tuning(table: StateFeedbackTable, J: Array) -> tuple[float, float] | None:
    """Return natural frequency, rad/s, and damping ratio, each averaged over the axes, of the diagonal gains."""
    stiffness, damping = (
        np.diag(np.asarray(each)) if np.ndim(each) == 2 else np.full(3, each)
        for each in (table.attitude_gain_N_m_rad, table.rate_gain_N_m_s_rad)
    )
    if (stiffness <= 0.0).any():
        return None
    return float(np.sqrt(stiffness / J).mean()), float((0.5 * damping / np.sqrt(stiffness * J)).mean())


def _tuned(frequency: float, ratio: float, J: Array, sample: float) -> Numbers:
    """Return the gains of a tuning for moments of inertia J (3,), kg m^2."""
    return {
        "attitude_gain_N_m_rad": tuple((frequency**2 * J).tolist()),
        "rate_gain_N_m_s_rad": tuple((2.0 * ratio * frequency * J).tolist()),
    }


KIND = LawKind(table=StateFeedbackTable, make=_make, tuning=_tuning, tuned=_tuned)
