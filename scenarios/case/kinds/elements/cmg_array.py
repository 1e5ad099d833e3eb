"""Element kind for an array of control moment gyros that produce the control torque."""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from .....plant import ControlMomentGyro, gyro_array, pyramid_axes
from ...schema.element import ElementTable
from ...schema.fields import NonNegative, Number, Positive, Switch, numbers_of, vectors_of, wrong
from ..declared_keys import DeclaredKeys
from .kind import ElementKind

Numbers = Annotated[tuple[float, ...], numbers_of]
Vectors = Annotated[tuple[tuple[float, float, float], ...], vectors_of]

DOC = "Array of equal control moment gyros whose gimbal rates produce the commanded torque."
ROBUST = {"robust": "robust", "decay": "decay", "dither": "dither", "dither_frequency_rad_s": "frequency"}
"""Arguments of `GyroAllocation` for the keys of the singularity-robust steering law."""


class _ArrayTable(ElementTable):
    """Keys that apply to a whole array of gyros, not to a single gyro."""

    moves_mass: ClassVar[bool] = False
    steers: ClassVar[bool] = True

    skew_deg: Number | None = Field(
        default=None, description="skew angle of a pyramid of four gyros about body z, deg; or axes and spin_axes"
    )
    axes: Vectors | None = Field(default=None, description="gimbal axes, body axes; three or more")
    spin_axes: Vectors | None = Field(default=None, description="axes of the rotors at gimbal angle 0, body axes")
    angles_deg: Numbers | None = Field(default=None, description="initial gimbal angles, deg; zero by default")
    steering: Literal["pseudo-inverse", "singularity-robust"] = Field(
        default="singularity-robust", description="steering law, from the torque to gimbal rates"
    )
    robust: Positive | None = Field(default=None, description="lambda of the steering law at a singularity; 0.01")
    decay: NonNegative | None = Field(default=None, description="lambda decreases as exp(-decay det(A A')); 10")
    dither: NonNegative | None = Field(default=None, description="amplitude of off-diagonal terms; 0.01")
    dither_frequency_rad_s: NonNegative | None = Field(default=None, description="their angular frequency; pi/2")
    null_gain_rad_s: NonNegative = Field(
        default=0.0, description="gain of the null motion away from singularities, rad/s"
    )
    compensate: Switch = Field(
        default=True, description="whether the gyros also produce omega x h, with the measured rate"
    )

    @model_validator(mode="after")
    def _whole(self) -> "_ArrayTable":
        if (self.skew_deg is None) == (self.axes is None) or (self.axes is None) != (self.spin_axes is None):
            raise wrong("cmg-array: give skew_deg of a pyramid, or axes and spin_axes")
        given = [key for key in ROBUST if getattr(self, key) is not None]
        if self.steering == "pseudo-inverse" and given:
            raise wrong(f'cmg-array: {given[0]} applies only to steering = "singularity-robust"; remove it')
        return self

    @property
    def actuators(self) -> int:
        """Number of gyros."""
        return 4 if self.axes is None else len(self.axes)

    @property
    def steering_arguments(self) -> dict[str, Any]:
        """Arguments of `blocks.gyro_steering`."""
        robust = {name: getattr(self, key) for key, name in ROBUST.items() if getattr(self, key) is not None}
        return {
            "method": self.steering, "null_gain": self.null_gain_rad_s, "compensate": self.compensate, **robust,
        }  # fmt: skip


KEYS = DeclaredKeys(
    ControlMomentGyro,
    dict.fromkeys(("momentum", "rotor_inertia", "gimbal_inertia", "time_constant", "rate_limit", "torque_limit"), ""),
    required=("time_constant",),
)


def _make(table: Any) -> tuple[ControlMomentGyro, ...]:
    axes, spins = table.axes, table.spin_axes
    if table.skew_deg is not None:
        axes, spins = pyramid_axes(float(np.radians(table.skew_deg)))
    angles = None if table.angles_deg is None else np.radians(table.angles_deg).tolist()
    return gyro_array(axes, spins, angles=angles, **KEYS.values(table))


KIND = ElementKind(table=KEYS.table("cmg-array", _ArrayTable, noun="element", module=__name__, doc=DOC), make=_make)
