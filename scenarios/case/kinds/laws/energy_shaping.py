"""Law kind for energy shaping."""

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from .....controllers import EnergyShaping
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Positive
from ...schema.sampled import SampledTable
from .kind import LawKind, second_order


class EnergyShapingTable(SampledTable):
    """Passivity-based law with a spring potential and damping; tuned by natural frequency and damping ratio."""

    kind: Literal["energy-shaping"] = Field(description="which law")
    frequency_rad_s: Positive = Field(description="natural frequency of small errors, rad/s")
    damping_ratio: Positive = Field(description="damping ratio of small errors")


def _make(table: EnergyShapingTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> EnergyShaping:
    """Tune energy shaping by natural frequency and damping ratio: K = wn^2 J, Kd = 2 zeta wn J."""
    inertia = craft.locked_inertia(craft.at_rest())
    return EnergyShaping(
        stiffness=table.frequency_rad_s**2 * inertia,
        damping=2.0 * table.damping_ratio * table.frequency_rad_s * inertia,
        inertia=inertia,
        sample=table.sample_s,
        delay=table.delay_s,
        torques=craft.torques,
    )


KIND = LawKind(table=EnergyShapingTable, make=_make, tuned=second_order)
