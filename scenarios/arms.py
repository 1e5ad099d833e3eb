"""`kind = "flexible-arm"` among `[[plant.elements]]` as the plant's arm."""

from math import pi, tanh
from typing import TYPE_CHECKING

from .schema.arms import FlexibleArmTable

if TYPE_CHECKING:
    from ..plant.flexible import Arm, BeamSection

__all__ = ["arm_of", "rectangle_torsion"]


def rectangle_torsion(width: float, height: float) -> float:
    """Return the torsion constant of a solid rectangle, by Saint-Venant's series.

    Parameters
    ----------
    width, height : float
        Edges, m.

    Returns
    -------
    float
        m^4.

    Examples
    --------
    Timoshenko & Goodier's table for a square: 0.1406 of the edge's fourth power.

    >>> round(rectangle_torsion(1.0, 1.0), 4), round(rectangle_torsion(10.0, 1.0) / 10.0, 3)
    (0.1406, 0.312)
    """
    a, b = max(width, height), min(width, height)
    series = sum(tanh(n * pi * a / (2.0 * b)) / n**5 for n in range(1, 200, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 * b / (pi**5 * a) * series)


def arm_of(table: FlexibleArmTable) -> "Arm":
    """Return the arm of a table."""
    from ..plant.flexible import Arm

    return Arm(
        section=_section(table),
        length=table.length_m,
        elements=table.elements,
        direction=table.direction,
        root=table.root_m,
        section_axis=table.section_axis,
        tip_mass=table.tip_mass_kg,
    )


def _section(table: FlexibleArmTable) -> "BeamSection":
    from ..plant.flexible import BeamSection

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
