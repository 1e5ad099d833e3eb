"""What the tables of all controllers have in common."""

from pydantic import Field

from .fields import NonNegative, Positive, Switch, Table

__all__ = ["ActuatedTable", "SampledTable"]


class ActuatedTable(Table):
    """What the torque can do."""

    torque_limit_N_m: Positive | None = Field(
        default=None, description="largest magnitude of each component in the torque basis, N m"
    )
    keep_direction: Switch = Field(
        default=False, description="whether a command beyond the limit is shortened as a whole"
    )


class SampledTable(ActuatedTable):
    """What every sampled law has."""

    sample_s: Positive = Field(description="sampling period, s")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to its torque, s")
