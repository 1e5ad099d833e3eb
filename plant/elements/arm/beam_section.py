"""Cross-section and material of a beam."""

from dataclasses import dataclass

from ...checks import non_negative, positive

__all__ = ["BeamSection"]


@dataclass(frozen=True, kw_only=True)
class BeamSection:
    """Uniform cross-section with its mass centre on the centre line.

    Parameters
    ----------
    area : float
        Area, m^2.
    second_moment_m : float
        Second moment of area about the axis m of the section, m^4; Choi's (2014) Jy.
    second_moment_n : float
        Second moment of area about the axis n of the section, m^4; Choi's Jz.
    torsion_constant : float, optional
        Torsion constant, m^4. Default: the sum of the two second moments, which is exact for a circle only; Choi uses
        it for his square section.
    elastic_modulus : float
        Young's modulus E, Pa.
    shear_modulus : float
        Shear modulus G, Pa.
    density : float
        Density, kg/m^3.
    damping_time : float
        Strain-rate damping (Kelvin-Voigt): stress = modulus (strain + damping_time d strain/dt), s. A mode of
        frequency w then has the damping ratio damping_time w / 2.

    Raises
    ------
    InputError
        When a quantity is out of range.

    Examples
    --------
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> float(section.bending_stiffness[0])
    37284.0
    """

    area: float
    second_moment_m: float
    second_moment_n: float
    torsion_constant: float | None = None
    elastic_modulus: float
    shear_modulus: float
    density: float
    damping_time: float = 0.0

    def __post_init__(self) -> None:
        units = {"area": "m^2", "second_moment_m": "m^4", "second_moment_n": "m^4"}
        units |= {"elastic_modulus": "Pa", "shear_modulus": "Pa", "density": "kg/m^3"}
        if self.torsion_constant is not None:
            units["torsion_constant"] = "m^4"
        for name, unit in units.items():
            object.__setattr__(
                self, name, positive(f"beam section: {name.replace('_', ' ')}", getattr(self, name), unit)
            )
        object.__setattr__(self, "damping_time", non_negative("beam section: damping time", self.damping_time, "s"))

    @property
    def polar_moment(self) -> float:
        """Sum of the second moments, m^4."""
        return self.second_moment_m + self.second_moment_n

    @property
    def axial_stiffness(self) -> float:
        """Axial stiffness E A, N."""
        return self.elastic_modulus * self.area

    @property
    def bending_stiffness(self) -> tuple[float, float]:
        """Bending stiffnesses E Jy and E Jz about m and n, N m^2."""
        return self.elastic_modulus * self.second_moment_m, self.elastic_modulus * self.second_moment_n

    @property
    def torsion_stiffness(self) -> float:
        """Torsional stiffness, G times the torsion constant, N m^2."""
        return self.shear_modulus * (self.polar_moment if self.torsion_constant is None else self.torsion_constant)

    @property
    def mass_per_length(self) -> float:
        """Mass per length, kg/m."""
        return self.density * self.area
