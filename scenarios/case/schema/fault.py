"""Schema of `[[faults]]`: faults of wheels, magnetorquers, thrusters, commands, sensors and signals."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import NonNegative, Number, Positive, Table, Text, numbers_of, wrong

OF_KIND = {
    "factor": ("weak",),
    "viscous_N_m_s": ("friction",),
    "coulomb_N_m": ("friction",),
    "seizing_time_s": ("stuck",),
    "bias": ("biased",),
    "bias_deg": ("biased",),
    "bias_deg_s": ("biased",),
}
"""Fault kinds to which each key applies."""

Numbers = Annotated[tuple[float, ...], numbers_of]


class FaultTable(Table):
    """Fault of one part, unknown to the law unless a mode uses the health signal."""

    part: Text = Field(
        description="failed part: wheel_2 (an element), magnetorquer_x, thruster_3, thrusters (as a whole), "
        "the name of a sensor, or a signal, such as rate or command"
    )
    kind: Literal["dead", "weak", "reversed", "stuck", "friction", "biased", "frozen", "dropped"] = Field(
        description="dead, weak, reversed: torque times 0, a factor, -1; stuck: a seized wheel, an open thruster, or a "
        "frozen command; friction: added to a wheel; biased, frozen, dropped: for a sensor or signal"
    )
    from_s: NonNegative = Field(description="start of the fault, s")
    to_s: Positive | None = Field(default=None, description="end of the fault, s; by default that of the run")
    detected_after_s: NonNegative | None = Field(
        default=None,
        description="time from the start until the signal <part>_health changes from 1 to 0, s; by default, there is "
        "no such signal",
    )
    factor: Number | None = Field(default=None, description="for weak: factor of the torque")
    viscous_N_m_s: NonNegative | None = Field(default=None, description="for friction: added viscous friction, N m s")
    coulomb_N_m: NonNegative | None = Field(default=None, description="for friction: added Coulomb friction, N m")
    seizing_time_s: Positive | None = Field(
        default=None, description="for a stuck wheel: time constant of the deceleration, s; 0.1 by default"
    )
    bias: Numbers | None = Field(
        default=None, description="for biased: offset of the signal, in its unit, one number for each component"
    )
    bias_deg: Numbers | None = Field(
        default=None, description="for biased: rotation vector of an attitude, body axes, or angles, deg"
    )
    bias_deg_s: Numbers | None = Field(default=None, description="for biased: offset of a rate, deg/s")

    @model_validator(mode="after")
    def _consistent(self) -> "FaultTable":
        if self.to_s is not None and self.to_s <= self.from_s:
            raise wrong(f"to_s = {self.to_s:g} s must be later than from_s = {self.from_s:g} s")
        for key, kinds in OF_KIND.items():
            if getattr(self, key) is not None and self.kind not in kinds:
                raise wrong(f'{key}: belongs to kind = "{kinds[0]}", but the fault is "{self.kind}"; omit it')
        if self.kind == "weak" and self.factor is None:
            raise wrong("factor: is missing; a weak part needs the factor of its torque")
        if self.kind == "friction" and not (self.viscous_N_m_s or self.coulomb_N_m):
            raise wrong("viscous_N_m_s or coulomb_N_m: one of them is needed, above zero")
        biases = [key for key in ("bias", "bias_deg", "bias_deg_s") if getattr(self, key) is not None]
        if self.kind == "biased" and len(biases) != 1:
            raise wrong(f"needs one of bias, bias_deg and bias_deg_s; got {' and '.join(biases) or 'none'}")
        return self
