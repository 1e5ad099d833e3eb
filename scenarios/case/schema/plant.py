"""Schema of `[plant]`, the spacecraft."""

from pydantic import Field, model_validator

from .element import ElementTable
from .elements import AnyElementTable
from .environment import FaceTable, MagnetorquersTable
from .fields import Basis, Inertia, Positive, Sequence, Switch, Table, Vector3, wrong
from .potentials import AnyPotentialTable
from .thrusters import ThrustersTable


def check_basis(basis: str, sequence: str | None, *, key: str) -> None:
    """Raise an error if an Euler basis has no sequence, or if a different basis has one.

    basis: torque basis; sequence: Euler sequence; key: name of the basis key in the table.
    """
    needs = basis in {"euler", "dual-euler"}
    if needs and sequence is None:
        raise wrong(f'{key} = "{basis}" needs euler_sequence, such as "3-2-1"')
    if not needs and sequence is not None:
        raise wrong(f'euler_sequence is not used when {key} = "{basis}"; remove it or choose "euler"')


class PlantTable(Table):
    """Inertia, mass, potentials, elements and torque basis of the spacecraft."""

    inertia_kg_m2: Inertia = Field(
        description="principal moments or the full tensor, without elements, about the mass centre, body axes, kg m^2"
    )
    mass_kg: Positive | None = Field(default=None, description="mass, kg")
    translation: Switch = Field(default=False, description="whether the state includes position and linear momentum")
    pivot_m: Vector3 | None = Field(
        default=None, description="fixed point of a pivoted body, relative to the mass centre, body axes, m"
    )
    hub_size_m: Vector3 | None = Field(
        default=None,
        description="edges of the hub, a box centred on its mass centre, m; roots of arms must then be on or in it",
    )
    torque_basis: Basis = Field(default="body", description="basis of the commanded torque")
    euler_sequence: Sequence | None = Field(default=None, description="Euler sequence of the two Euler bases")
    potentials: tuple[AnyPotentialTable, ...] = Field(default=(), description="potential energies")
    elements: tuple[AnyElementTable, ...] = Field(default=(), description="moving parts of the spacecraft")
    faces: tuple[FaceTable, ...] = Field(default=(), description="flat faces for solar pressure and drag")
    magnetorquers: MagnetorquersTable | None = Field(default=None, description="magnetorquers of a B-dot law")
    thrusters: ThrustersTable | None = Field(default=None, description="thrusters of the controller")

    @model_validator(mode="after")
    def _consistent(self) -> "PlantTable":
        check_basis(self.torque_basis, self.euler_sequence, key="torque_basis")
        if self.translation and self.mass_kg is None:
            raise wrong("translation = true needs mass_kg")
        if self.translation and self.pivot_m is not None:
            raise wrong("a body with pivot_m does not translate; remove pivot_m or translation")
        if self.pivot_m is not None and any(self.pivot_m) and self.mass_kg is None:
            raise wrong("pivot_m needs mass_kg, to convert the inertia from the mass centre to the pivot")
        if self.hub_size_m is not None:
            self._check_roots(self.hub_size_m)
        self._check_actuators()
        held = any(element.moves_mass for element in self.elements) and self.mass_kg is None
        placed = self.translation or self.pivot_m is not None or held
        for index, potential in enumerate(self.potentials):
            potential.check(key=f"potentials.{index}", kind=potential.kind, placed=placed, translation=self.translation)
        return self

    def _check_roots(self, size: tuple[float, float, float]) -> None:
        if min(size) <= 0.0:
            raise wrong(f"hub_size_m: edges must be greater than 0 m; got {list(size)}")
        if not self.has_arms:
            raise wrong("hub_size_m limits the roots of flexible arms, but the plant has none; remove it")
        for n, arm in enumerate((element for element in self.elements if element.bends), start=1):
            arm.check_root(size, n)

    @property
    def has_arms(self) -> bool:
        """True if the spacecraft has a flexible arm."""
        return any(element.bends for element in self.elements)

    @property
    def has_wheels(self) -> bool:
        """True if the spacecraft has wheels that apply the control torque."""
        return any(element.takes_command for element in self.elements)

    @property
    def has_speed_loop(self) -> bool:
        """True if the wheels that apply the control torque are commanded in speed."""
        return any(element.speed_loop for element in self.elements)

    @property
    def has_steered_gyros(self) -> bool:
        """True if control moment gyros produce the control torque."""
        return any(element.steers for element in self.elements)

    @property
    def array(self) -> ElementTable | None:
        """The wheel array or array of control moment gyros that applies the torque of the controller, if any."""
        return next((element for element in self.elements if element.takes_command or element.steers), None)

    @property
    def actuator_counts(self) -> dict[str, int]:
        """Number of wheels, control moment gyros and thrusters that a controller commands."""
        array = self.array
        count = 0 if array is None else array.actuators
        return {
            "wheels": count if self.has_wheels else 0,
            "gyros": count if self.has_steered_gyros else 0,
            "thrusters": 0 if self.thrusters is None else len(self.thrusters.positions_m),
        }

    def _check_actuators(self) -> None:
        arrays = [element for element in self.elements if element.takes_command]
        if len(arrays) > 1:
            raise wrong("elements: only one wheel-array can apply the torque of the controller; put all axes into one")
        if self.thrusters is not None and self.thrusters.tank is not None and (self.mass_kg is None or self.pivot_m):
            raise wrong("thrusters: a tank needs mass_kg of the hub, without its propellant, and no pivot_m")
        steered = [element for element in self.elements if element.steers]
        if steered and len(steered) + len(arrays) > 1:
            raise wrong(
                "elements: only one cmg-array or wheel-array can apply the torque of the controller; remove the other"
            )
        if steered and self.thrusters is not None:
            raise wrong("thrusters and a cmg-array both apply the torque of the controller; remove one of them")
        if steered and self.torque_basis != "body":
            raise wrong(f'a cmg-array is for torque_basis = "body"; got {self.torque_basis!r}')
        if self.torque_basis != "body" and (self.thrusters is not None or any(a.keeps_direction for a in arrays)):
            what = "thrusters are" if self.thrusters is not None else "keep_direction of a wheel-array is"
            raise wrong(f'{what} only valid for torque_basis = "body"; got {self.torque_basis!r}')
