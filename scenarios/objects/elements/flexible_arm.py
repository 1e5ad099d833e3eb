"""A flexible arm of beam elements in a case."""

from math import pi, tanh
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Number, Positive, PositiveInteger, Table, Vector3, wrong
from .kind import ElementKind

if TYPE_CHECKING:
    from ....plant.flexible import Arm, BeamSection

__all__ = ["KIND", "FlexibleArmTable", "SectionTable", "rectangle_torsion"]


class SectionTable(Table):
    """Cross-section of an arm: rectangle, or area and second moments. Axes are m and n = l x m, l along the arm."""

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
            raise wrong("give either width_m and height_m, or area_m2 and the second moments")
        if None in (rectangle if told[0] else moments):
            raise wrong(
                "needs width_m and height_m of a rectangle, or area_m2, second_moment_m_m4 and second_moment_n_m4"
            )
        return self


class FlexibleArmTable(ElementTable):
    """Straight beam of equal finite elements, clamped to the hub at its root."""

    bends: ClassVar[bool] = True

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

    def check_root(self, size: tuple[float, float, float], number: int) -> None:
        """Raise unless the root is on or in a hub of that size (m)."""
        for axis, root, edge in zip("xyz", self.root_m, size, strict=True):
            if abs(root) > 0.5 * edge * (1.0 + 1e-12):
                raise wrong(
                    f"arm {number} begins {abs(root):g} m from the hub's centre along {axis}, but the hub reaches only "
                    f"{0.5 * edge:g} m there; make the hub larger or move the root onto it"
                )


def rectangle_torsion(width: float, height: float) -> float:
    """Return the torsion constant of a solid rectangle, by Saint-Venant's series.

    width, height: edges, m -> m^4.

    Examples
    --------
    Timoshenko & Goodier's table for a square: 0.1406 of the edge's fourth power.

    >>> round(rectangle_torsion(1.0, 1.0), 4), round(rectangle_torsion(10.0, 1.0) / 10.0, 3)
    (0.1406, 0.312)
    """
    a, b = max(width, height), min(width, height)
    series = sum(tanh(n * pi * a / (2.0 * b)) / n**5 for n in range(1, 200, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 * b / (pi**5 * a) * series)


def _make(table: FlexibleArmTable) -> tuple["Arm"]:
    """Return the arm."""
    from ....plant.flexible import Arm

    made = Arm(
        section=_section(table),
        length=table.length_m,
        elements=table.elements,
        direction=table.direction,
        root=table.root_m,
        section_axis=table.section_axis,
        tip_mass=table.tip_mass_kg,
    )
    return (made,)


def _section(table: FlexibleArmTable) -> "BeamSection":
    from ....plant.flexible import BeamSection

    own, shear = table.section, table.shear_modulus_Pa
    if shear is None:
        assert table.poisson_ratio is not None  # noqa: S101 # the schema sees to it
        shear = table.youngs_modulus_Pa / (2.0 * (1.0 + table.poisson_ratio))
    if own.width_m is not None and own.height_m is not None:
        w, h = own.width_m, own.height_m
        area, about_m, about_n, torsion = w * h, w * h**3 / 12.0, h * w**3 / 12.0, rectangle_torsion(w, h)
    else:
        area, about_m, about_n = own.area_m2 or 0.0, own.second_moment_m_m4 or 0.0, own.second_moment_n_m4 or 0.0
        torsion = own.torsion_constant_m4
    return BeamSection(
        area=area,
        second_moment_m=about_m,
        second_moment_n=about_n,
        torsion_constant=torsion,
        elastic_modulus=table.youngs_modulus_Pa,
        shear_modulus=shear,
        density=table.density_kg_m3,
        damping_time=table.damping_time_s,
    )


KIND = ElementKind(table=FlexibleArmTable, make=_make)
