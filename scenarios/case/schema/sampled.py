"""Common keys of all controllers."""

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from .fields import NonNegative, Positive, PositiveInteger, Switch, Table, wrong


class ActuatedTable(Table):
    """Actuators and limits of the torque, and design model of the law."""

    needs_reference: ClassVar[bool] = True
    """True if the law needs a reference, unlike a law that only damps the rate."""

    uses: Literal["estimate", "measurement", "truth"] | None = Field(
        default=None,
        description="source of the attitude and rate that the law reads: estimate of [estimator]; measurement of gyro "
        "and star tracker; or the truth, with sensors and estimator only recorded; by default the first of these "
        "that the case has",
    )
    actuators: Literal["wheels", "external"] | None = Field(
        default=None,
        description="actuators of the law: a wheel-array, or an external torque, within the envelope of "
        "[plant.thrusters] if there are any; by default wheels if there are any. The other torque is zero. The default "
        "of a mode is that of [controller]",
    )
    torque_limit_N_m: Positive | None = Field(
        default=None, description="largest magnitude of each component in the torque basis, N m"
    )
    keep_direction: Switch = Field(
        default=False, description="whether a command beyond the limit is scaled down in the same direction"
    )
    design_on: Literal["rigid", "modes"] = Field(
        default="rigid",
        description="design model of flexible arms: rigid, or vibration modes with the hub fixed",
    )
    modes: PositiveInteger | None = Field(
        default=None, description="number of lowest modes coupled to the hub, with design_on modes; by default all"
    )

    @model_validator(mode="after")
    def _designed(self) -> "ActuatedTable":
        if self.modes is not None and self.design_on != "modes":
            raise wrong('modes is the number of modes in the design model; also give design_on = "modes"')
        if self.design_on == "modes" and getattr(self, "internal", None) == "measured":
            raise wrong(
                'internal = "measured" would feed back modes, but no sensor of a craft with flexible arms measures '
                'them; use internal = "locked", or an estimator (kind = "lqg")'
            )
        return self


class SampledTable(ActuatedTable):
    """Common keys of sampled laws."""

    sample_s: Positive = Field(description="sampling period, s")
    delay_s: NonNegative = Field(default=0.0, description="delay from a sample until its torque acts, s")
