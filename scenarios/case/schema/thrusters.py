"""`[plant.thrusters]`: thrusters that apply the torque of the controller."""

from typing import Annotated

from pydantic import Field, model_validator

from .fields import Positive, Switch, Table, numbers_of, vectors_of, wrong

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]


class ThrustersTable(Table):
    """Thrusters that share the torque of the controller; a larger command is scaled down in its direction."""

    positions_m: Vectors = Field(description="position of each thruster, from the mass centre, body axes, m")
    directions: Vectors = Field(description="direction of each force on the spacecraft, body axes, any length but zero")
    limit_N: Positive | Numbers = Field(description="largest force, N; one or one per thruster")
    force_free: Switch = Field(default=False, description="whether the sum of the forces must be zero")

    @model_validator(mode="after")
    def _as_many(self) -> "ThrustersTable":
        n = len(self.positions_m)
        if len(self.directions) != n:
            raise wrong(f"thrusters: {n} positions_m need as many directions; got {len(self.directions)}")
        if isinstance(self.limit_N, tuple) and len(self.limit_N) != n:
            raise wrong(f"thrusters: limit_N needs one number for each of the {n} thrusters; got {len(self.limit_N)}")
        return self
