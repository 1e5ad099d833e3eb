"""Schema of `[environment]` and `[[plant.faces]]`: torques along the orbit, and the faces on which they act."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from .fields import NonNegative, Number, Positive, Quaternion, Switch, Table, Vector3, Weight, wrong

INDICES = ("f107", "f107a", "ap")
LAW_KEYS = {
    "b-dot": (("gain_A_m2_s_T",), ()),
    "unloading": (("gain_1_s",), ("momentum_N_m_s", "deadband_N_m_s")),
    "pointing": (("stiffness_N_m_rad", "damping_N_m_s_rad"), ("attitude",)),
}
"""Required and optional keys of each law of the magnetorquers."""
GAS = ("gas_temperature_K", "gas_molar_mass_kg_mol", "wall_temperature_K")


class FaceTable(Table):
    """One side of a flat face, fixed to the hub. A thin panel is two faces."""

    area_m2: Positive = Field(description="area, m^2")
    normal: Vector3 = Field(description="outward normal, body axes, any length but zero")
    centre_m: Vector3 = Field(description="centre of the area, from the mass centre, body axes, m")
    specular: NonNegative = Field(default=0.0, le=1.0, description="fraction of sunlight that is reflected specularly")
    diffuse: NonNegative = Field(default=0.0, le=1.0, description="fraction of sunlight that is reflected diffusely")
    normal_accommodation: NonNegative = Field(
        default=1.0, le=1.0, description="accommodation of normal momentum of molecules; 1: diffuse"
    )
    tangential_accommodation: NonNegative = Field(
        default=1.0, le=1.0, description="accommodation of tangential momentum of molecules; 1: diffuse"
    )


class MagnetorquersTable(Table):
    """Three magnetorquers along the body axes that damp the rotation, unload the wheels or point to nadir."""

    law: Literal["b-dot", "unloading", "pointing"] = Field(
        default="b-dot",
        description="b-dot: dipole of -gain times the rate of change of the field in body axes; unloading: gain_1_s "
        "times momentum x field over the square of the field; pointing: the part normal to the field of a torque "
        "proportional to attitude error and rate in the orbit frame; all continuous",
    )
    gain_A_m2_s_T: NonNegative | None = Field(default=None, description="of b-dot: gain, A m^2 s/T")
    gain_1_s: NonNegative | None = Field(default=None, description="of unloading: gain, 1/s")
    momentum_N_m_s: Vector3 | None = Field(
        default=None, description="for unloading: target momentum of the spacecraft, body axes, N m s; by default zero"
    )
    deadband_N_m_s: NonNegative | None = Field(
        default=None, description="for unloading: magnitude of the excess momentum up to which the torquers are off"
    )
    stiffness_N_m_rad: NonNegative | None = Field(default=None, description="of pointing: torque per error, N m/rad")
    damping_N_m_s_rad: NonNegative | None = Field(
        default=None, description="of pointing: torque per rate in the orbit frame, N m s/rad"
    )
    attitude: Quaternion | None = Field(
        default=None,
        description="of pointing: attitude in the orbit frame (x forward, y minus normal, z nadir), scalar first; by "
        "default the frame itself",
    )
    dipole_limit_A_m2: Weight = Field(description="largest dipole, A m^2, one number or one for each axis")
    duty: Annotated[Positive, Field(le=1.0)] = Field(
        default=1.0,
        description="fraction of the time that the torquers are on; the magnetometer uses the rest; this fraction "
        "multiplies the largest mean dipole",
    )

    @model_validator(mode="after")
    def _keys_of_law(self) -> "MagnetorquersTable":
        for law, (needed, optional) in LAW_KEYS.items():
            for key in (*needed, *optional):
                present = getattr(self, key) is not None
                if law == self.law and key in needed and not present:
                    raise wrong(f'{key}: is missing; law = "{law}" needs it')
                if law != self.law and present:
                    raise wrong(f'{key}: belongs to law = "{law}", but the law is "{self.law}"; omit it')
        return self


class EnvironmentTable(Table):
    """Torques along the orbit, with the models of field and density."""

    magnetic_field: Literal["igrf", "dipole", "axial-dipole"] | None = Field(
        default=None,
        description="model of the magnetic field: IGRF-14, its dipole of 2025, or a dipole of the same strength along "
        "the axis of the Earth",
    )
    density: Literal["exponential", "nrlmsis", "constant"] | None = Field(
        default=None, description="model of the density; drag acts on the faces if it is given"
    )
    density_kg_m3: Positive | None = Field(default=None, description="constant density, kg/m^3")
    f107: Number | None = Field(default=None, description="for nrlmsis: F10.7 of the previous day")
    f107a: Number | None = Field(default=None, description="for nrlmsis: mean F10.7 of 81 days")
    ap: NonNegative | None = Field(default=None, description="for nrlmsis: geomagnetic index ap")
    gas_temperature_K: Positive | None = Field(default=None, description="temperature of the gas, K")
    gas_molar_mass_kg_mol: Positive | None = Field(default=None, description="mean molar mass of the gas, kg/mol")
    wall_temperature_K: Positive | None = Field(default=None, description="temperature of the faces, K")
    gravity_gradient: Switch = Field(default=False, description="whether the gravity gradient acts")
    solar_pressure: Switch = Field(default=False, description="whether sunlight acts on the faces, with eclipses")
    residual_dipole_A_m2: Vector3 | None = Field(default=None, description="residual dipole, body axes, A m^2")
    eddy_coefficient_A_m2_s_T: NonNegative | None = Field(
        default=None, description="eddy current coefficient, A m^2 s/T = m^4 S"
    )
    open_faces: Switch = Field(default=False, description="whether the faces may be those of an open body")

    @model_validator(mode="after")
    def _consistent(self) -> "EnvironmentTable":
        needs: dict[str, Any] = {
            "nrlmsis": (self.density == "nrlmsis", INDICES),
            "constant": (self.density == "constant", ("density_kg_m3",)),
        }
        for model, (used, keys) in needs.items():
            _require_all(self, keys, used, f'density = "{model}"')
        _require_all(self, GAS, self.density is not None, "drag, which density enables,")
        return self


def _require_all(table: EnvironmentTable, keys: tuple[str, ...], used: bool, what: str) -> None:
    """Raise an error if keys are missing although they are used, or present although they are not."""
    for key in keys:
        present = getattr(table, key) is not None
        if used and not present:
            raise wrong(f"{key}: is missing; {what} needs {', '.join(keys)}")
        if present and not used:
            raise wrong(f"{key}: belongs to {what}; remove it, or enable that")
