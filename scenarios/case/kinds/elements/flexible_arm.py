"""Element kind for a flexible arm."""

from math import pi, tanh
from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from .....plant.flexible import Arm, BeamSection
from ...schema.element import ElementTable
from ...schema.fields import Number, Positive, Table, wrong
from ..declared_keys import DeclaredKeys
from .kind import ElementKind


class _Section(Table):
    """Rectangular cross-section of an arm."""

    width_m: Positive | None = Field(default=None, description="width of a solid rectangle, along its axis m, m")
    height_m: Positive | None = Field(default=None, description="height of a solid rectangle, along its axis n, m")

    @model_validator(mode="after")
    def _one_way(self: Any) -> Any:
        rectangle = (self.width_m, self.height_m)
        moments = (self.area_m2, self.second_moment_m_m4, self.second_moment_n_m4)
        given = [any(each is not None for each in group) for group in (rectangle, moments)]
        if given == [True, True] or (given[0] and self.torsion_constant_m4 is not None):
            raise wrong("give either width_m and height_m, or area_m2 and the second moments")
        if None in (rectangle if given[0] else moments):
            raise wrong(
                "needs width_m and height_m of a rectangle, or area_m2, second_moment_m_m4 and second_moment_n_m4"
            )
        return self


class _Arm(ElementTable):
    """Keys of an arm table that the classes of arm and section do not declare."""

    bends: ClassVar[bool] = True

    poisson_ratio: Annotated[Number, Field(gt=-1.0, le=0.5)] | None = Field(
        default=None, description="shear modulus = youngs_modulus_Pa / (2 (1 + poisson_ratio))"
    )

    @model_validator(mode="after")
    def _shear(self: Any) -> Any:
        if (self.shear_modulus_Pa is None) == (self.poisson_ratio is None):
            raise wrong("give one of shear_modulus_Pa and poisson_ratio")
        return self

    def check_root(self: Any, size: tuple[float, float, float], number: int) -> None:
        """Raise an error if the root is outside a hub of the given size (m)."""
        for axis, root, edge in zip("xyz", self.root_m, size, strict=True):
            if abs(root) > 0.5 * edge * (1.0 + 1e-12):
                raise wrong(
                    f"arm {number} begins {abs(root):g} m from the hub's centre along {axis}, but the hub reaches only "
                    f"{0.5 * edge:g} m there; make the hub larger or move the root onto it"
                )


OR_RECTANGLE = "or a rectangle"
SECTION = DeclaredKeys(
    BeamSection,
    dict.fromkeys(("area", "second_moment_m", "second_moment_n", "torsion_constant"), ""),
    defaults=dict.fromkeys(("area", "second_moment_m", "second_moment_n"), OR_RECTANGLE),
)
MATERIAL = DeclaredKeys(
    BeamSection,
    dict.fromkeys(("youngs_modulus", "shear_modulus", "density", "damping_time"), ""),
    defaults={"shear_modulus": "or poisson_ratio"},
)
ARM = DeclaredKeys(Arm, required=("root",))


def rectangle_torsion(width: float, height: float) -> float:
    """Return the torsion constant of a solid rectangle, m^4, from Saint-Venant's series.

    width, height: edge lengths, m.

    Examples
    --------
    The table of Timoshenko & Goodier has 0.1406 for a square of unit edge length.

    >>> round(rectangle_torsion(1.0, 1.0), 4), round(rectangle_torsion(10.0, 1.0) / 10.0, 3)
    (0.1406, 0.312)
    """
    a, b = max(width, height), min(width, height)
    series = sum(tanh(n * pi * a / (2.0 * b)) / n**5 for n in range(1, 200, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 * b / (pi**5 * a) * series)


def _make(table: Any) -> tuple[Arm]:
    """Return the arm of a table."""
    return (Arm(section=_section(table), **ARM.values(table)),)


def _section(table: Any) -> BeamSection:
    own = table.section
    values = MATERIAL.values(table) | SECTION.values(own)
    if table.shear_modulus_Pa is None:
        values["shear_modulus"] = table.youngs_modulus_Pa / (2.0 * (1.0 + table.poisson_ratio))
    if own.width_m is not None:
        w, h = own.width_m, own.height_m
        values |= {"area": w * h, "second_moment_m": w * h**3 / 12.0, "second_moment_n": h * w**3 / 12.0}
        values["torsion_constant"] = rectangle_torsion(w, h)
    return BeamSection(**values)


SECTION_TABLE = SECTION.table(
    "", _Section, noun="section", module=__name__, name="SectionTable",
    doc="Cross-section of an arm: rectangle, or area and second moments. Axes are m and n = l x m, l along the arm.",
)  # fmt: skip
TABLE = ARM.table(
    "flexible-arm", _Arm, noun="element", module=__name__,
    doc="Straight beam of equal finite elements, clamped to the hub at its root.",
    more={**MATERIAL.fields(), "section": (SECTION_TABLE, Field(description="cross-section"))},
)  # fmt: skip
KIND = ElementKind(table=TABLE, make=_make)
