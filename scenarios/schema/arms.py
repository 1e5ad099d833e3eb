"""`kind = "flexible-arm"` among `[[plant.elements]]`: a flexible arm of beam elements."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import NonNegative, Number, Positive, PositiveInteger, Table, Vector3, wrong

__all__ = ["FlexibleArmTable", "SectionTable"]


class SectionTable(Table):
    """The cross-section of an arm: a rectangle, or area and moments. Its axes are m and n = l x m, l along the arm."""

    width_m: Positive | None = Field(default=None, description="of a solid rectangle, along its axis m, m")
    height_m: Positive | None = Field(default=None, description="of a solid rectangle, along its axis n, m")
    area_m2: Positive | None = Field(default=None, description="area, m^2")
    second_moment_m_m4: Positive | None = Field(default=None, description="second moment about its axis m, m^4")
    second_moment_n_m4: Positive | None = Field(default=None, description="second moment about its axis n, m^4")
    torsion_constant_m4: Positive | None = Field(
        default=None, description="torsion constant, m^4; the sum of the second moments if left out"
    )

    @model_validator(mode="after")
    def _one_way(self) -> "SectionTable":
        rectangle = (self.width_m, self.height_m)
        moments = (self.area_m2, self.second_moment_m_m4, self.second_moment_n_m4)
        told = [any(each is not None for each in group) for group in (rectangle, moments)]
        if told == [True, True] or (told[0] and self.torsion_constant_m4 is not None):
            raise wrong("give width_m and height_m, or area_m2 and the moments, not both")
        if None in (rectangle if told[0] else moments):
            raise wrong(
                "needs width_m and height_m of a rectangle, or area_m2, second_moment_m_m4 and second_moment_n_m4"
            )
        return self


class FlexibleArmTable(Table):
    """A straight beam of equal elements, clamped to the hub at its root."""

    kind: Literal["flexible-arm"] = Field(description="which element")
    root_m: Vector3 = Field(description="where it begins, from the hub's mass centre, hub axes, m")
    direction: Vector3 = Field(description="from root to tip, hub axes, any length but zero")
    length_m: Positive = Field(description="length of the whole arm, m")
    elements: PositiveInteger = Field(description="number of elements; each has length_m / elements")
    section: SectionTable = Field(description="cross-section")
    section_axis: Vector3 | None = Field(
        default=None,
        description="hub direction whose part across the arm is the axis m of the section; y, or z for an arm "
        "within 25.8 deg of y",
    )
    youngs_modulus_Pa: Positive = Field(description="modulus of elasticity, Pa")
    shear_modulus_Pa: Positive | None = Field(default=None, description="shear modulus, Pa; or poisson_ratio")
    poisson_ratio: Annotated[Number, Field(gt=-1.0, le=0.5)] | None = Field(
        default=None, description="shear modulus = youngs_modulus_Pa / (2 (1 + poisson_ratio))"
    )
    density_kg_m3: Positive = Field(description="density, kg/m^3")
    tip_mass_kg: NonNegative = Field(default=0.0, description="a point mass at the tip, kg")
    damping_time_s: NonNegative = Field(
        default=0.0, description="strain-rate damping, s: a mode of w rad/s has the damping ratio damping_time_s w / 2"
    )

    @model_validator(mode="after")
    def _shear(self) -> "FlexibleArmTable":
        if (self.shear_modulus_Pa is None) == (self.poisson_ratio is None):
            raise wrong("give one of shear_modulus_Pa and poisson_ratio")
        return self
