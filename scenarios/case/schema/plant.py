"""`[plant]` and `[[plant.potentials]]`: the craft itself."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .elements import AnyElementTable
from .fields import Basis, Inertia, NonNegative, Number, Positive, Sequence, Switch, Table, Vector3, wrong
from .thrusters import ThrustersTable

__all__ = [
    "GravityGradientTable",
    "GuidedSpringTable",
    "PlantTable",
    "PotentialTable",
    "SpringTable",
    "UniformGravityTable",
    "check_basis",
]


def check_basis(basis: str, sequence: str | None, *, key: str) -> None:
    """Raise unless an Euler basis comes with a sequence and any other without.

    basis: the torque basis; sequence: the Euler sequence; key: what the basis is called in the table.
    """
    needs = basis in {"euler", "dual-euler"}
    if needs and sequence is None:
        raise wrong(f'{key} = "{basis}" needs euler_sequence, such as "3-2-1"')
    if not needs and sequence is not None:
        raise wrong(f'euler_sequence is not used when {key} = "{basis}"; remove it or choose "euler"')


class UniformGravityTable(Table):
    """Weight acting at the mass centre: felt by a body held off it, or by a craft that translates."""

    kind: Literal["uniform-gravity"] = Field(description="which potential")
    g_m_s2: Vector3 = Field(description="acceleration of free fall, inertial axes, m/s^2")


class SpringTable(Table):
    """A spring and damper between a point of the body and a point fixed in inertial space.

    It needs pivot_m or translation = true.
    """

    kind: Literal["spring"] = Field(description="which potential")
    body_point_m: Vector3 = Field(description="where it holds the body, from the mass centre, body axes, m")
    inertial_point_m: Vector3 = Field(description="where it is anchored, inertial axes, m")
    stiffness_N_m: Positive = Field(description="stiffness, N/m")
    natural_length_m: NonNegative = Field(default=0.0, description="length without force, m")
    damping_N_s_m: NonNegative = Field(default=0.0, description="damping along its line, N s/m")


class GuidedSpringTable(Table):
    """A spring along a fixed inertial direction on a point of the body; it takes no force across it.

    It needs pivot_m or translation = true.
    """

    kind: Literal["guided-spring"] = Field(description="which potential")
    body_point_m: Vector3 = Field(description="where it holds the body, from the mass centre, body axes, m")
    direction: Vector3 = Field(description="the direction, inertial axes, any length but zero")
    stiffness_N_m: Positive = Field(description="stiffness, N/m")
    rest_m: Number = Field(default=0.0, description="coordinate along the direction without force, m")


class GravityGradientTable(Table):
    """Gravity gradient of a central field; the orbit is a conic unless the craft itself translates."""

    kind: Literal["gravity-gradient"] = Field(description="which potential")
    mu_m3_s2: Positive = Field(description="gravitational parameter of the centre, m^3/s^2")
    position_m: Vector3 | None = Field(default=None, description="orbit at t = 0, inertial axes, m")
    velocity_m_s: Vector3 | None = Field(default=None, description="orbit at t = 0, inertial axes, m/s")


PotentialTable = Annotated[
    UniformGravityTable | SpringTable | GuidedSpringTable | GravityGradientTable, Field(discriminator="kind")
]


class PlantTable(Table):
    """Inertia, mass, potentials, and the basis in which torques are commanded."""

    inertia_kg_m2: Inertia = Field(
        description="principal moments or the full tensor, without elements, about the mass centre, body axes, kg m^2"
    )
    mass_kg: Positive | None = Field(default=None, description="mass, kg")
    translation: Switch = Field(default=False, description="adds position and linear momentum to the state")
    pivot_m: Vector3 | None = Field(
        default=None, description="the fixed point of a pivoted body, from the mass centre, body axes, m"
    )
    hub_size_m: Vector3 | None = Field(
        default=None, description="edges of the box the hub fills about its mass centre, m; arms then begin on or in it"
    )
    torque_basis: Basis = Field(default="body", description="basis of the commanded torque")
    euler_sequence: Sequence | None = Field(default=None, description="of the two Euler bases")
    potentials: tuple[PotentialTable, ...] = Field(default=(), description="potential energies")
    elements: tuple[AnyElementTable, ...] = Field(default=(), description="what moves inside the craft")
    thrusters: ThrustersTable | None = Field(default=None, description="what pushes for the controller")

    @model_validator(mode="after")
    def _consistent(self) -> "PlantTable":
        check_basis(self.torque_basis, self.euler_sequence, key="torque_basis")
        if self.translation and self.mass_kg is None:
            raise wrong("translation = true needs mass_kg")
        if self.translation and self.pivot_m is not None:
            raise wrong("a body held at pivot_m does not translate; remove pivot_m or translation")
        if self.pivot_m is not None and any(self.pivot_m) and self.mass_kg is None:
            raise wrong("pivot_m needs mass_kg, to carry the inertia from the mass centre to the pivot")
        if self.hub_size_m is not None:
            self._check_roots(self.hub_size_m)
        self._check_actuators()
        for index, potential in enumerate(self.potentials):
            if isinstance(potential, GravityGradientTable):
                self._check_orbit(potential, f"potentials.{index}")
            else:
                self._check_place(f"potentials.{index}: {potential.kind}")
        return self

    def _check_roots(self, size: tuple[float, float, float]) -> None:
        if min(size) <= 0.0:
            raise wrong(f"hub_size_m: edges must be greater than 0 m; got {list(size)}")
        if not self.has_arms:
            raise wrong("hub_size_m says where flexible arms may begin, and the plant has none; remove it")
        for n, arm in enumerate((element for element in self.elements if element.bends), start=1):
            arm.check_root(size, n)

    @property
    def has_arms(self) -> bool:
        """Whether a flexible arm is among the elements."""
        return any(element.bends for element in self.elements)

    def _check_actuators(self) -> None:
        arrays = [element for element in self.elements if element.takes_command]
        if len(arrays) > 1:
            raise wrong("elements: one wheel-array takes the torque of the controller; give its axes together")
        if arrays and self.thrusters is not None:
            raise wrong("either a wheel-array or thrusters give the torque of the controller; remove one of the two")
        if self.torque_basis != "body" and (self.thrusters is not None or any(a.keeps_direction for a in arrays)):
            what = "thrusters are" if self.thrusters is not None else "keep_direction of a wheel-array is"
            raise wrong(f'{what} for torque_basis = "body"; got {self.torque_basis!r}')

    def _check_place(self, what: str) -> None:
        """The rule of `polhode.plant.loads.load_rule`, in the words of a case."""
        held = any(element.moves_mass for element in self.elements) and self.mass_kg is None
        if not self.translation and self.pivot_m is None and not held:
            raise wrong(
                f"{what} depends on where the mass centre is, and a craft with neither pivot_m nor translation = true "
                "does not follow that: hold it with pivot_m, where [0, 0, 0] is the mass centre itself, or let it move "
                "with translation = true"
            )

    def _check_orbit(self, potential: GravityGradientTable, key: str) -> None:
        orbit = (potential.position_m, potential.velocity_m_s)
        if self.translation and orbit != (None, None):
            raise wrong(f"{key}: the orbit is the craft's own motion; give position_m and velocity_m_s in [initial]")
        if not self.translation and None in orbit:
            raise wrong(
                f"{key}: gravity-gradient needs position_m and velocity_m_s, the orbit at t = 0 "
                "(or plant.translation = true)"
            )
