"""What the tables of all sensors have in common."""

from typing import Annotated

from pydantic import Field

from .fields import NonNegative, Positive, Table, Text, pairs_of

__all__ = ["SensorTable"]


class SensorTable(Table):
    """One of `[[sensors]]`: what measures beside the controller."""

    name: Text | None = Field(default=None, description="what it and its signal are called; its kind if left out")
    sample_s: Positive | None = Field(default=None, description="period, s; that of the controller if left out")
    offset_s: NonNegative = Field(default=0.0, description="time of its first sample, s")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to when it counts, s")
    jitter_s: NonNegative = Field(
        default=0.0, description="it measures at a time before its sample that is drawn evenly from 0 to this, s"
    )
    outages_s: Annotated[tuple[tuple[float, float], ...], pairs_of] = Field(
        default=(), description="intervals [from, to] in which it tells nothing, s"
    )
    loss: Annotated[NonNegative, Field(le=1.0)] = Field(
        default=0.0, description="probability with which each sample is lost"
    )

    @property
    def label(self) -> str:
        """What it is called: a word that can be a signal's name."""
        return str(getattr(self, "kind")).replace("-", "_") if self.name is None else self.name  # noqa: B009 # of every kind
