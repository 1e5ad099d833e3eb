"""Schema of `[plant.thrusters]`: thrusters that apply the control torque."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import Inertia, NonNegative, Positive, Switch, Table, Vector3, numbers_of, vectors_of, wrong

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]
Fraction = Annotated[NonNegative, Field(le=1.0)]
PULSED = (
    "least_pulse_s", "fires_at", "drops_at", "valve_delay_s", "closing_delay_s", "rise_time_s", "fall_time_s",
    "plume_factor", "specific_impulse_s",
)  # fmt: skip
"""Keys of on-off thrusters."""


class TankTable(Table):
    """Propellant of the thrusters: mass, mass centre and inertia change as it is used."""

    propellant_kg: Positive = Field(description="propellant at t = 0, kg, not in the mass of the hub")
    position_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="centre of the propellant, relative to the mass centre of the hub, m"
    )
    inertia_kg_m2: Inertia | None = Field(
        default=None, description="inertia of the propellant at t = 0 about its centre, kg m^2; by default zero"
    )
    shape: Literal["uniform", "sphere"] = Field(
        default="uniform",
        description='inertia of the remaining propellant: proportional to its mass ("uniform": it fills the tank), or '
        'that of a sphere of constant density ("sphere")',
    )
    flow_momentum: Switch = Field(
        default=True, description="whether the momentum of the flow acts on the spacecraft (jet damping)"
    )


class ThrustersTable(Table):
    """Thrusters that apply the control torque; a command beyond their limits is scaled down in its direction."""

    positions_m: Vectors = Field(description="position of each thruster, relative to the mass centre, body axes, m")
    directions: Vectors = Field(description="direction of each force on the spacecraft, body axes, any length but zero")
    limit_N: Positive | Numbers = Field(description="largest force, N; one or one per thruster")
    force_free: Switch = Field(default=False, description="whether the sum of the forces must be zero")
    valve_step_s: Positive | None = Field(
        default=None,
        description="resolution of the valves, s: the thrusters are then on or off, with a pulse in each period of the "
        "law; by default their forces are throttled",
    )
    least_pulse_s: Positive | None = Field(
        default=None, description="for on-off thrusters: shortest pulse, s; by default valve_step_s"
    )
    fires_at: Fraction | None = Field(
        default=None,
        description="for on-off thrusters: fraction of the shortest pulse above which this pulse is fired; by default "
        "0.5",
    )
    drops_at: Fraction | None = Field(
        default=None, description="for on-off thrusters: fraction below which shortest pulses end; by default fires_at"
    )
    valve_delay_s: NonNegative | None = Field(
        default=None, description="for on-off thrusters: time from the command until the force changes, s; by default 0"
    )
    closing_delay_s: NonNegative | None = Field(
        default=None, description="for on-off thrusters: delay of closing, s; by default valve_delay_s"
    )
    rise_time_s: NonNegative | None = Field(
        default=None, description="for on-off thrusters: duration of the linear rise of the force, s; by default 0"
    )
    fall_time_s: NonNegative | None = Field(
        default=None, description="for on-off thrusters: duration of the linear fall of the force, s; by default 0"
    )
    plume_factor: Fraction | Numbers | None = Field(
        default=None,
        description="for on-off thrusters: fraction of the force that remains when the plume hits the spacecraft, one "
        "or one per thruster; by default 1",
    )
    specific_impulse_s: Positive | None = Field(
        default=None, description="for on-off thrusters: specific impulse, s, to compute the propellant"
    )

    tank: TankTable | None = Field(default=None, description="tank of on-off thrusters")

    @model_validator(mode="after")
    def _as_many(self) -> "ThrustersTable":
        n = len(self.positions_m)
        if len(self.directions) != n:
            raise wrong(f"thrusters: {n} positions_m need as many directions; got {len(self.directions)}")
        if self.valve_step_s is None:
            given = [key for key in (*PULSED, "tank") if getattr(self, key) is not None]
            if given:
                raise wrong(f"thrusters: {given[0]} belongs to on-off thrusters; add valve_step_s")
        if self.tank is not None and self.specific_impulse_s is None:
            raise wrong("thrusters: a tank needs specific_impulse_s, for the flow of propellant")
        if isinstance(self.limit_N, tuple) and len(self.limit_N) != n:
            raise wrong(f"thrusters: limit_N needs one number for each of the {n} thrusters; got {len(self.limit_N)}")
        if isinstance(self.plume_factor, tuple) and len(self.plume_factor) != n:
            raise wrong(
                f"thrusters: plume_factor needs one number for each of the {n} thrusters; got {len(self.plume_factor)}"
            )
        return self
