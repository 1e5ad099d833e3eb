"""What the tables of all controllers have in common."""

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from .fields import NonNegative, Positive, PositiveInteger, Switch, Table, wrong

__all__ = ["ActuatedTable", "SampledTable"]


class ActuatedTable(Table):
    """What the torque can do, and which craft the law is designed on."""

    needs_reference: ClassVar[bool] = True
    """Whether the law holds an attitude, or only damps a rate."""

    uses: Literal["estimate", "measurement", "truth"] | None = Field(
        default=None,
        description="what the law sees of attitude and rate: of the [estimator]; of gyro and star tracker as they are, "
        "the estimator left aside; or as they are, sensors and estimator beside it for the record; the first of these "
        "that the case has if left out",
    )
    actuators: Literal["wheels", "external"] | None = Field(
        default=None,
        description="what gives the torque: a wheel-array of the craft, or a torque from outside, within the reach of "
        "[plant.thrusters] if there are any; wheels, if the craft has them, if left out. The other is held at zero. Of "
        "a mode that of [controller] if left out",
    )
    torque_limit_N_m: Positive | None = Field(
        default=None, description="largest magnitude of each component in the torque basis, N m"
    )
    keep_direction: Switch = Field(
        default=False, description="whether a command beyond the limit is shortened as a whole"
    )
    design_on: Literal["rigid", "modes"] = Field(
        default="rigid",
        description="how the design takes flexible arms: as rigid, or as their modes on a hub held fast",
    )
    modes: PositiveInteger | None = Field(
        default=None, description="how many of the lowest modes that the hub sees, with design_on modes; all without it"
    )

    @model_validator(mode="after")
    def _designed(self) -> "ActuatedTable":
        if self.modes is not None and self.design_on != "modes":
            raise wrong('modes is the number of modes to design on; write design_on = "modes" beside it')
        if self.design_on == "modes" and getattr(self, "internal", None) == "measured":
            raise wrong(
                'internal = "measured" would feed back modes, and no sensor of a craft with flexible arms measures '
                'them; take internal = "locked", or an estimator (kind = "lqg")'
            )
        return self


class SampledTable(ActuatedTable):
    """What every sampled law has."""

    sample_s: Positive = Field(description="sampling period, s")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to its torque, s")
