"""Common keys of all sensors."""

from typing import Annotated

from pydantic import Field

from .fields import NonNegative, Positive, Table, Text, pairs_of


class SensorTable(Table):
    """One of `[[sensors]]`."""

    name: Text | None = Field(default=None, description="name of the sensor and its signal; by default its kind")
    sample_s: Positive | None = Field(default=None, description="sampling period, s; by default that of the controller")
    offset_s: NonNegative = Field(default=0.0, description="time of the first sample, s")
    delay_s: NonNegative = Field(
        default=0.0, description="delay from a sample to the availability of the measurement, s"
    )
    jitter_s: NonNegative = Field(
        default=0.0,
        description="jitter: largest time by which the measurement precedes the sample (uniform distribution), s",
    )
    outages_s: Annotated[tuple[tuple[float, float], ...], pairs_of] = Field(
        default=(), description="outages: intervals [from, to] without measurements, s"
    )
    loss: Annotated[NonNegative, Field(le=1.0)] = Field(default=0.0, description="probability that a sample is lost")

    @property
    def label(self) -> str:
        """Name of the sensor and of its signal."""
        return str(getattr(self, "kind")).replace("-", "_") if self.name is None else self.name  # noqa: B009 # of every kind
