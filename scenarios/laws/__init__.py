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
    FileTable,
    OnOffTable,
    QuaternionFeedbackTable,
    RateDampingTable,
    SlidingModeTable,
)
from ..schema.linear_designs import LqgTable, LqiTable, LqrTable, MixedSensitivityTable, PidTable, PolePlacementTable
from ..schema.sampled import ActuatedTable
from .energy_shaping import make_energy_shaping
from .file import make_from_file
from .gains import gains
from .lqg import make_lqg
from .lqi import make_lqi
from .lqr import make_lqr
from .mixed_sensitivity import make_mixed_sensitivity
from .on_off import make_on_off
from .pid import make_pid
from .pole_placement import make_pole_placement
from .quaternion_feedback import make_quaternion_feedback
from .rate_damping import make_rate_damping
from .sliding_mode import make_sliding_mode

__all__ = ["MAKERS", "Maker", "gains"]

Maker = Callable[[Any, Spacecraft, Callable[[], LinearModel]], Law]

MAKERS: Mapping[type[ActuatedTable], Maker] = {
    EnergyShapingTable: make_energy_shaping,
    FileTable: make_from_file,
    LqgTable: make_lqg,
    LqiTable: make_lqi,
    LqrTable: make_lqr,
    MixedSensitivityTable: make_mixed_sensitivity,
    OnOffTable: make_on_off,
    PidTable: make_pid,
    PolePlacementTable: make_pole_placement,
    QuaternionFeedbackTable: make_quaternion_feedback,
    RateDampingTable: make_rate_damping,
    SlidingModeTable: make_sliding_mode,
}
"""The maker of each kind of table."""
