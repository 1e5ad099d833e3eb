"""Common keys of all estimators."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from .fields import Text, Vector3, Weight, entries_of, given, wrong
from .initial import AttitudeTable


def _names(value: object) -> Any:
    entries = entries_of(value)
    if not entries or not all(isinstance(entry, str) and entry for entry in entries):
        raise wrong(f"must be a list of names of sensors; got {given(value)}")
    return tuple(entries)


class EstimatorTable(AttitudeTable):
    """`[estimator]`: estimates attitude and rate from a gyro and from attitude or direction sensors.

    The estimate starts at the initial attitude of the case or at `attitude`, rotated by `attitude_error_deg`; or,
    without prior knowledge, at the first measurements.
    """

    name: Text | None = Field(default=None, description="name; by default its kind")
    gyro: Text | None = Field(default=None, description="name of the gyro; by default the only one")
    sensors: Annotated[tuple[str, ...], BeforeValidator(_names)] | None = Field(
        default=None, description="names of the other sensors; by default all attitude and direction sensors"
    )
    start: Literal["given", "sensors"] = Field(
        default="given",
        description="source of the initial estimate: the given attitude, or the first measured attitude or first two "
        "measured directions at least 6 deg apart",
    )
    attitude_error_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="initial attitude error as a rotation vector, body axes, deg"
    )
    bias_deg_h: Vector3 = Field(default=(0.0, 0.0, 0.0), description="initial estimate of the gyro bias, deg/h")

    @model_validator(mode="after")
    def _started(self) -> "EstimatorTable":
        superfluous = {"attitude", "attitude_deg", "attitude_error_deg", "attitude_sigma_deg"} & self.model_fields_set
        if self.start == "sensors" and superfluous:
            raise wrong(f'start = "sensors" does not use a given attitude; remove {", ".join(sorted(superfluous))}')
        return self

    @property
    def label(self) -> str:
        """Name of the estimator, by default its kind."""
        return str(getattr(self, "kind")) if self.name is None else self.name  # noqa: B009 # of every kind


class KalmanTable(EstimatorTable):
    """Common keys of attitude and bias Kalman filters; noise parameters are by default taken from the gyro."""

    attitude_sigma_deg: Weight | None = Field(
        default=None, description="initial attitude uncertainty, 1 sigma about each body axis, deg"
    )
    bias_sigma_deg_h: Weight | None = Field(
        default=None, description="initial bias uncertainty, 1 sigma, deg/h; by default the gyro's bias_deg_h"
    )

    @model_validator(mode="after")
    def _known(self) -> "KalmanTable":
        if self.start == "given" and self.attitude_sigma_deg is None:
            raise wrong('attitude_sigma_deg: required, but missing; or write start = "sensors"')
        return self

    restart_after: int | None = Field(
        default=None,
        gt=0,
        description="number of consecutive rejected messages after which the filter restarts from its sensors; default "
        "20",
    )
