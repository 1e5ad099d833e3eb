"""Cross-section and material of a beam."""

from ...quantity import NUMBER, OPTIONAL_NUMBER, check_fields, declared, quantity


@declared
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
        Torsion constant, m^4. Default: the sum of the two second moments, which is exact only for a circle; Choi uses
        it for his square section.
    youngs_modulus : float
        Young's modulus E, Pa.
    shear_modulus : float
        Shear modulus G, Pa.
    density : float
        Density, kg/m^3.
    damping_time : float
        Time constant of strain-rate damping (Kelvin-Voigt), s: stress = modulus (strain + damping_time d strain/dt). A
        mode of frequency w then has the damping ratio damping_time w / 2.

    Raises
    ------
    InputError
        When a quantity is out of range.

    Examples
    --------
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> float(section.bending_stiffness[0])
    37284.0
    """

    area: float = quantity("m^2", converter=NUMBER, positive=True, doc="area")
    second_moment_m: float = quantity("m^4", converter=NUMBER, positive=True, doc="second moment about its axis m")
    second_moment_n: float = quantity("m^4", converter=NUMBER, positive=True, doc="second moment about its axis n")
    torsion_constant: float | None = quantity(
        "m^4", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="torsion constant; the sum of the second moments if left out",
    )  # fmt: skip
    youngs_modulus: float = quantity("Pa", converter=NUMBER, positive=True, doc="modulus of elasticity")
    shear_modulus: float = quantity("Pa", converter=NUMBER, positive=True, doc="shear modulus")
    density: float = quantity("kg/m^3", converter=NUMBER, positive=True, doc="density")
    damping_time: float = quantity(
        "s", converter=NUMBER, non_negative=True, default=0.0,
        doc="strain-rate damping: a mode of w rad/s has the damping ratio damping_time w / 2",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_fields(self, of="beam section")

    @property
    def polar_moment(self) -> float:
        """Sum of the second moments, m^4."""
        return self.second_moment_m + self.second_moment_n

    @property
    def axial_stiffness(self) -> float:
        """Axial stiffness E A, N."""
        return self.youngs_modulus * self.area

    @property
    def bending_stiffness(self) -> tuple[float, float]:
        """Bending stiffnesses E Jy and E Jz about m and n, N m^2."""
        return self.youngs_modulus * self.second_moment_m, self.youngs_modulus * self.second_moment_n

    @property
    def torsion_stiffness(self) -> float:
        """Torsional stiffness, G times the torsion constant, N m^2."""
        return self.shear_modulus * (self.polar_moment if self.torsion_constant is None else self.torsion_constant)

    @property
    def mass_per_length(self) -> float:
        """Mass per length, kg/m."""
        return self.density * self.area
