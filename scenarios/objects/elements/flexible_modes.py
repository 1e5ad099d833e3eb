"""Appendages as modes, in a case."""

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from ....plant import FlexibleModes
from ...case.schema.element import ElementTable
from ...case.schema.fields import numbers_of, vectors_of, wrong
from .kind import ElementKind

__all__ = ["KIND", "FlexibleModesTable"]

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]


class FlexibleModesTable(ElementTable):
    """Flexible appendages as vibration modes: frequencies, damping ratios and participation vectors."""

    moves_mass: ClassVar[bool] = False

    kind: Literal["flexible-modes"] = Field(description="which element")
    frequencies_rad_s: Numbers = Field(description="of the modes with the craft held, rad/s")
    damping_ratios: Numbers = Field(description="one per mode")
    rotation_sqrt_kg_m: Vectors = Field(
        description="participation in rotation, one vector per mode, sqrt(kg) m, body axes"
    )
    translation_sqrt_kg: Vectors | None = Field(
        default=None, description="participation in translation, one vector per mode, sqrt(kg), body axes"
    )

    @model_validator(mode="after")
    def _as_many(self) -> "FlexibleModesTable":
        n = len(self.frequencies_rad_s)
        for name in ("damping_ratios", "rotation_sqrt_kg_m", "translation_sqrt_kg"):
            value = getattr(self, name)
            if value is not None and len(value) != n:
                raise wrong(f"{name} needs one entry for each of the {n} frequencies; got {len(value)}")
        return self


def _make(table: FlexibleModesTable) -> tuple[FlexibleModes]:
    translation = table.translation_sqrt_kg
    made = FlexibleModes(
        frequencies=table.frequencies_rad_s,
        damping_ratios=table.damping_ratios,
        rotation=np.array(table.rotation_sqrt_kg_m).T,
        translation=None if translation is None else np.array(translation).T,
    )
    return (made,)


KIND = ElementKind(table=FlexibleModesTable, make=_make)
