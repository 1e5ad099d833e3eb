"""Schema of `[orbit]`: the orbit along which the environment is computed."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from .block import names_of
from .fields import FileName, NonNegative, Number, Positive, Table, Text, wrong

ELEMENTS = ("altitude_km", "semi_major_axis_km")
ANGLES = (
    "eccentricity",
    "inclination_deg",
    "raan_deg",
    "local_time_of_node_h",
    "argument_of_perigee_deg",
    "mean_anomaly_deg",
    "model",
)


class OrbitTable(Table):
    """Orbit about the Earth from mean elements, a two-line element set or an ephemeris file."""

    paths: ClassVar[tuple[str, ...]] = ("ephemeris",)

    epoch: Text = Field(description="UTC date of t = 0, such as 2026-03-20T12:00:00Z")
    dut1_s: Number = Field(default=0.0, description="UT1 - UTC, s; 0 has an error of up to 0.9 s")
    altitude_km: Positive | None = Field(
        default=None, description="mean semi-major axis minus the equatorial radius, 6378.137 km, km"
    )
    semi_major_axis_km: Positive | None = Field(default=None, description="mean semi-major axis, km")
    eccentricity: NonNegative = Field(default=0.0, lt=1.0, description="mean eccentricity")
    inclination_deg: Number | Literal["sun-synchronous"] | None = Field(
        default=None, description='mean inclination, deg, or "sun-synchronous"'
    )
    raan_deg: Number | None = Field(
        default=None, description="right ascension of the ascending node, deg; 0 by default"
    )
    local_time_of_node_h: NonNegative | None = Field(
        default=None, lt=24.0, description="local solar time of the ascending node at t = 0, h, instead of raan_deg"
    )
    argument_of_perigee_deg: Number = Field(default=0.0, description="argument of perigee, deg")
    mean_anomaly_deg: Number = Field(default=0.0, description="mean anomaly at t = 0, deg")
    model: Literal["two-body", "j2"] = Field(
        default="j2", description="j2: node, perigee and mean anomaly drift due to the oblateness; two-body: an ellipse"
    )
    tle: Annotated[
        tuple[str, ...] | None, BeforeValidator(lambda value: None if value is None else names_of(value))
    ] = Field(default=None, description="the two lines of a two-line element set, propagated by SGP4")
    ephemeris: FileName | None = Field(default=None, description="file with a CCSDS orbit ephemeris message (OEM)")

    @model_validator(mode="after")
    def _one_source(self) -> "OrbitTable":
        named = [key for key in (*ELEMENTS, "tle", "ephemeris") if getattr(self, key) is not None]
        if len(named) != 1:
            raise wrong(
                "give one of altitude_km, semi_major_axis_km, tle and ephemeris; got "
                f"{' and '.join(named) or 'none of them'}"
            )
        if named[0] in ELEMENTS:
            if self.inclination_deg is None:
                raise wrong('inclination_deg: is missing; give degrees or "sun-synchronous"')
            if isinstance(self.inclination_deg, float) and not 0.0 <= self.inclination_deg <= 180.0:
                raise wrong(f"inclination_deg: must be 0 to 180; got {self.inclination_deg:g}")
            if self.raan_deg is not None and self.local_time_of_node_h is not None:
                raise wrong("give only one of raan_deg and local_time_of_node_h")
            return self
        unused = sorted(set(ANGLES) & self.model_fields_set)
        if unused:
            raise wrong(f"{unused[0]}: belongs to an orbit by elements, but {named[0]} is given; remove it")
        if self.tle is not None and len(self.tle) != 2:
            raise wrong(f"tle: must be two lines; got {len(self.tle)}")
        return self
