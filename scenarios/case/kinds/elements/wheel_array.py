"""Element kind for an array of wheels that apply the control torque."""

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from .....plant import Wheel, wheel_array
from .....plant.frozen import read_only
from ...schema.element import ElementTable
from ...schema.fields import NonNegative, Positive, Switch, numbers_of, vectors_of, wrong
from ..declared_keys import DeclaredKeys
from .kind import ElementKind

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]


DOC = "Array of equal wheels that share the commanded torque, in place of an external torque."
LIMIT = "torque_limit_N_m"


class _ArrayTable(ElementTable):
    """Keys that apply to a whole wheel array, not to a single wheel."""

    takes_command: ClassVar[bool] = True

    axes: Vectors = Field(description="axes of the wheels, body axes; three or more that span space")
    relative_rates_rad_s: Numbers | None = Field(default=None, description="initial rates, rad/s; zero by default")
    static_imbalance_kg_m: NonNegative | None = Field(
        default=None, description="mass of each rotor times its offset from the axis; 0 with dynamic_imbalance_kg_m2"
    )
    dynamic_imbalance_kg_m2: NonNegative | None = Field(
        default=None, description="product of inertia of each rotor about its axis; 0 with static_imbalance_kg_m"
    )
    static_phases_deg: Numbers | None = Field(
        default=None, description="directions of the static imbalances at wheel angle 0, deg; zero by default"
    )
    dynamic_phases_deg: Numbers | None = Field(
        default=None, description="directions of the dynamic imbalances at wheel angle 0, deg; zero by default"
    )
    positions_m: Vectors | None = Field(
        default=None,
        description="centres of wheels with imbalance, from the mass centre of the hub, body axes; there by default",
    )
    allocation: Literal["pseudo-inverse", "min-max"] = Field(
        default="pseudo-inverse",
        description="allocation of the torque: least squares, or the smallest largest wheel torque",
    )
    keep_direction: Switch = Field(
        default=False,
        description="whether a command beyond their envelope is scaled down in the same direction",
    )

    speed_loop_frequency_rad_s: Positive | None = Field(
        default=None,
        description="natural frequency of the speed loop of wheels that are commanded in speed; by default in torque",
    )
    speed_loop_damping_ratio: Positive | None = Field(default=None, description="its damping ratio; 1")
    speed_loop_sample_s: Positive | None = Field(default=None, description="its period, s; that of the law by default")

    @model_validator(mode="after")
    def _limited(self) -> "_ArrayTable":
        if self.keep_direction and self.torque_limit is None:
            raise wrong("wheel-array: keep_direction = true needs torque_limit_N_m")
        if self.speed_loop_frequency_rad_s is None:
            for key in ("speed_loop_damping_ratio", "speed_loop_sample_s"):
                if getattr(self, key) is not None:
                    raise wrong(f"wheel-array: {key} needs a speed loop; give speed_loop_frequency_rad_s too")
        return self

    @property
    def moves_mass(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride] # depends on the values
        """True for wheels with imbalance, whose rotors move mass."""
        return self.static_imbalance_kg_m is not None or self.dynamic_imbalance_kg_m2 is not None

    @property
    def torque_limit(self) -> float | None:
        """Torque limit of each motor, N m; None if there is none."""
        limit: float | None = getattr(self, LIMIT)
        return limit

    @property
    def speed_loop(self) -> dict[str, float]:
        """Arguments of `blocks.wheel_speed_loop`; empty for wheels that are commanded in torque."""
        given = {
            "frequency": self.speed_loop_frequency_rad_s,
            "damping_ratio": self.speed_loop_damping_ratio,
            "sample": self.speed_loop_sample_s,
        }
        return {name: value for name, value in given.items() if value is not None}

    @property
    def keeps_direction(self) -> bool:
        """True if a command beyond the motor limits is scaled down without changing its direction."""
        return self.keep_direction

    @property
    def actuators(self) -> int:
        """Number of wheels."""
        return len(self.axes)

    def envelope(self, assumed: Any) -> NDArray[np.float64] | None:
        """Return the envelope of torques that the motors can apply, or None if the direction is not kept.

        assumed: table of the wheel array whose axes and torque limit the controller assumes.
        """
        if not self.keep_direction or self.torque_limit is None:
            return None
        return _envelope(assumed.axes, assumed.torque_limit or self.torque_limit, self.allocation)


@lru_cache(maxsize=32)
def _envelope(axes: tuple[tuple[float, ...], ...], limit: float, allocation: str) -> NDArray[np.float64]:
    """Return the torque envelope of a wheel array; it is cached, since most campaign runs share it."""
    from .....controllers import WheelAllocation

    return read_only(WheelAllocation(axes, limit=limit, method=allocation).envelope)


OF_WHEEL = (
    "inertia",
    "friction",
    "coulomb",
    "coulomb_rate",
    "static_friction",
    "stribeck_rate",
    "torque_limit",
    "minimum_torque",
    "power_limit",
    "speed_limit",
    "motor_efficiency",
    "standby_power",
    "regeneration_efficiency",
    "rated_power",
)
KEYS = DeclaredKeys(Wheel, dict.fromkeys(OF_WHEEL, ""))


def _make(table: Any) -> tuple[Wheel, ...]:
    return _assuming(table, table)


def _assuming(table: Any, assumed: Any) -> tuple[Wheel, ...]:
    rates = table.relative_rates_rad_s
    return wheel_array(
        table.axes,
        allocation=table.allocation,
        assumed_axes=None if assumed.axes == table.axes else assumed.axes,
        relative_rates=rates,
        static_imbalance=table.static_imbalance_kg_m,
        dynamic_imbalance=table.dynamic_imbalance_kg_m2,
        static_phases=_radians(table.static_phases_deg),
        dynamic_phases=_radians(table.dynamic_phases_deg),
        positions=table.positions_m,
        **KEYS.values(table),
    )


def _radians(degrees: tuple[float, ...] | None) -> list[float] | None:
    return None if degrees is None else np.radians(degrees).tolist()


KIND = ElementKind(
    table=KEYS.table("wheel-array", _ArrayTable, noun="element", module=__name__, doc=DOC),
    make=_make,
    assuming=_assuming,
)
