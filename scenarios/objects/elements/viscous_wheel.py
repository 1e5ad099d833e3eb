"""A damper wheel in a case."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from ....plant import Wheel
from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Number, Positive, Vector3
from .kind import ElementKind

__all__ = ["KIND", "ViscousWheelTable"]


class ViscousWheelTable(ElementTable):
    """Damper wheel: a rotor with viscous friction about its axis."""

    moves_mass: ClassVar[bool] = False

    kind: Literal["viscous-wheel"] = Field(description="which element")
    axis: Vector3 = Field(description="its axis, body axes, any length but zero")
    inertia_kg_m2: Positive = Field(description="axial inertia, kg m^2; the transverse one belongs to the craft's")
    friction_N_m_s: NonNegative = Field(description="viscous friction, N m s/rad")
    relative_rate_rad_s: Number = Field(default=0.0, description="its rate relative to the craft at t = 0, rad/s")


def _make(table: ViscousWheelTable) -> tuple[Wheel]:
    friction, rate = table.friction_N_m_s, table.relative_rate_rad_s
    return (Wheel(axis=table.axis, inertia=table.inertia_kg_m2, friction=friction, relative_rate=rate),)


def _tuned_over(wheel: Wheel) -> Mapping[str, ArrayLike]:
    return {
        "friction": wheel.friction * np.geomspace(0.1, 10.0, 17),
        "inertia": wheel.inertia * np.geomspace(0.3, 1.5, 9),
    }


KIND = ElementKind(
    table=ViscousWheelTable,
    make=_make,
    element=Wheel,
    tuned_over=_tuned_over,
)
