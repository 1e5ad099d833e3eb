"""What the tables of all estimators have in common."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from .fields import NonNegative, Positive, Share, Text, Vector3, Weight, entries_of, given, wrong
from .initial import AttitudeTable

__all__ = ["EstimatorTable", "KalmanTable"]


def _names(value: object) -> Any:
    entries = entries_of(value)
    if not entries or not all(isinstance(entry, str) and entry for entry in entries):
        raise wrong(f"must be a list of names of sensors; got {given(value)}")
    return tuple(entries)


class EstimatorTable(AttitudeTable):
    """`[estimator]`: what makes attitude and rate of a gyro and of what sees attitudes or directions.

    It starts at the initial attitude of the case, or at `attitude`, turned by `attitude_error_deg`; or, not knowing it,
    at what the sensors tell first.
    """

    name: Text | None = Field(default=None, description="what it is called; its kind if left out")
    gyro: Text | None = Field(default=None, description="the gyro it works on, by name; the only one if left out")
    sensors: Annotated[tuple[str, ...], BeforeValidator(_names)] | None = Field(
        default=None, description="what else it works on, by name; all that see attitudes or directions if left out"
    )
    start: Literal["given", "sensors"] = Field(
        default="given",
        description="what it starts from: the attitude that is given, or the first attitude, or the first two "
        "directions 6 deg apart or more, that the sensors tell",
    )
    attitude_error_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="rotation vector by which it is wrong at the start, body axes, deg"
    )
    bias_deg_h: Vector3 = Field(default=(0.0, 0.0, 0.0), description="what it takes the gyro's bias to be, deg/h")

    @model_validator(mode="after")
    def _started(self) -> "EstimatorTable":
        told = {"attitude", "attitude_deg", "attitude_error_deg", "attitude_sigma_deg"} & self.model_fields_set
        if self.start == "sensors" and told:
            raise wrong(f'start = "sensors" takes no attitude for known; remove {", ".join(sorted(told))}')
        return self

    @property
    def label(self) -> str:
        """What it is called."""
        return str(getattr(self, "kind")) if self.name is None else self.name  # noqa: B009 # of every kind


class KalmanTable(EstimatorTable):
    """What Kalman filters of attitude and bias have; of the gyro they know its own numbers unless told otherwise."""

    attitude_sigma_deg: Weight | None = Field(
        default=None, description="how well the attitude is known at the start, 1 sigma about each body axis, deg"
    )
    bias_sigma_deg_h: Weight | None = Field(
        default=None, description="how well the bias is, 1 sigma, deg/h; the gyro's bias_deg_h if left out"
    )
    angle_random_walk_deg_sqrt_h: Positive | None = Field(
        default=None, description="what it takes the gyro's to be, deg/sqrt(h); the gyro's own if left out"
    )
    rate_random_walk_deg_h_sqrt_h: NonNegative | None = Field(
        default=None, description="what it takes the gyro's to be, deg/h/sqrt(h); the gyro's own if left out"
    )

    @model_validator(mode="after")
    def _known(self) -> "KalmanTable":
        if self.start == "given" and self.attitude_sigma_deg is None:
            raise wrong('attitude_sigma_deg: required, but missing; or write start = "sensors"')
        return self

    gate: Share | None = Field(
        default=None, description="probability with which a good measurement passes; everything does if left out"
    )
    restart_after: int | None = Field(
        default=None,
        gt=0,
        description="number of messages refused in a row after which it starts again from its sensors; 20 if left out",
    )
