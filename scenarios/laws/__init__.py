"""From a `[controller]` table to a law: one file per kind of law.

A maker takes the table, the craft and the linear model about the reference (made only when it is asked for), and
returns the law. `gains` names what a designed law consists of, for people and for JSON.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ...controllers import Law
from ...plant import LinearModel, Spacecraft
from ..schema.controller import (
    EnergyShapingTable,
    LqrTable,
    QuaternionFeedbackTable,
    RateDampingTable,
    SampledTable,
    SlidingModeTable,
)
from .energy_shaping import make_energy_shaping
from .gains import gains
from .lqr import make_lqr
from .quaternion_feedback import make_quaternion_feedback
from .rate_damping import make_rate_damping
from .sliding_mode import make_sliding_mode

__all__ = ["MAKERS", "Maker", "gains"]

Maker = Callable[[Any, Spacecraft, Callable[[], LinearModel]], Law]

MAKERS: Mapping[type[SampledTable], Maker] = {
    EnergyShapingTable: make_energy_shaping,
    LqrTable: make_lqr,
    QuaternionFeedbackTable: make_quaternion_feedback,
    RateDampingTable: make_rate_damping,
    SlidingModeTable: make_sliding_mode,
}
"""The maker of each kind of table."""
