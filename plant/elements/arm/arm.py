"""A flexible arm of a satellite."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...attitude import from_rotation_matrix, quaternion_product, rotation_matrix
from ...checks import non_negative, positive, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from ..rigid_part import RigidPart
from ..signal import Signal
from .arm_packing import pack_arm
from .beam_section import BeamSection

__all__ = ["Arm"]

MAX_ELEMENTS = 4096


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Arm:
    """A straight beam of equal elements, clamped to the hub at one end and free, or with a tip mass, at the other.

    Parameters
    ----------
    section : BeamSection
        Cross-section and material.
    length : float
        m, undeformed.
    elements : int
        Number of elements.
    direction : array_like, shape (3,)
        From the root to the tip, hub axes; of any length but zero.
    root : array_like, shape (3,)
        Where the arm begins, from the hub's mass centre, hub axes, m.
    section_axis : array_like, shape (3,), optional
        Direction in the hub whose part across the arm is the section's axis m. The hub axis y if left out, or z for an
        arm within 25.8 deg of y (|direction_y| > 0.9).
    tip_mass : float
        A point mass at the tip, kg.

    Raises
    ------
    InputError
        When a quantity is out of range, an element would have no length, or the section's axis lies along the arm.

    Examples
    --------
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arm = Arm(section=section, length=2.0, elements=2, direction=(1, 0, 0), root=(0.1, 0, 0))
    >>> round(arm.mass, 9), arm.frame[:, 1]
    (14.0, array([0., 1., 0.]))
    """

    section: BeamSection
    length: float
    elements: int
    direction: ArrayLike
    root: ArrayLike = (0.0, 0.0, 0.0)
    section_axis: ArrayLike | None = None
    tip_mass: float = 0.0

    def __post_init__(self) -> None:
        try:
            length = positive("arm: length", self.length, "m")
        except InputError as error:
            raise InputError(f"{error}; an element of zero length has no direction") from None
        object.__setattr__(self, "length", length)
        count: Any = self.elements
        if isinstance(count, bool) or not isinstance(count, int | np.integer):
            raise InputError(f"arm: elements must be a whole number; got {self.elements!r}")
        if not 1 <= self.elements <= MAX_ELEMENTS:
            raise InputError(f"arm: elements must be 1 to {MAX_ELEMENTS}; got {self.elements}")
        object.__setattr__(self, "elements", int(self.elements))
        object.__setattr__(self, "tip_mass", non_negative("arm: tip mass", self.tip_mass, "kg"))
        object.__setattr__(self, "root", vector("arm: root", self.root, unit="m"))
        along = vector("arm: direction", self.direction)
        size = float(np.sqrt(along @ along))
        if size == 0.0:
            raise InputError("arm: direction must not be zero; give a vector from the root to the tip, hub axes")
        object.__setattr__(self, "direction", along / size)
        _ = self.frame

    @property
    def frame(self) -> NDArray[np.float64]:
        """Columns l (along the arm), m, n of the undeformed section in hub axes, shape (3, 3)."""
        along = np.asarray(self.direction, dtype=np.float64)
        if self.section_axis is None:
            axis = np.array((0.0, 0.0, 1.0) if abs(along[1]) > 0.9 else (0.0, 1.0, 0.0))
        else:
            axis = vector("arm: section axis", self.section_axis)
        m = axis - (axis @ along) * along
        size = float(np.sqrt(m @ m))
        if size <= 1e-9 * float(np.sqrt(axis @ axis)):
            raise InputError(f"arm: section axis {axis.tolist()} must not lie along the arm; choose one across it")
        m /= size
        return np.column_stack((along, m, np.cross(along, m)))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel of every arm."""
        from .arm_kernel import flexible_arm

        return flexible_arm

    @property
    def coordinates(self) -> tuple[str, ...]:
        """None: it has states of its own."""
        return ()

    @property
    def units(self) -> tuple[str, ...]:
        """None."""
        return ()

    undriven = "an arm is clamped to the hub and has no joint that could be driven"
    """Why no force acts on a coordinate of its."""

    cyclic = False
    """Not so."""

    constant = False
    """Its share of the mass matrix depends on its shape."""

    moves_mass = True
    """It has mass of its own."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """No coordinates, no rates."""
        return (), ()

    @property
    def states(self) -> tuple[str, ...]:
        """The strain at the root and place, Euler parameters and strain of each further node; then their momenta."""
        nodes = range(1, self.elements + 1)
        axes = "xyz"
        names = ["arm_strain_0"]
        for n in nodes:
            names += [f"arm_node_{n}_{axis}" for axis in axes]
            names += [f"arm_node_{n}_attitude_{k}" for k in range(4)] + [f"arm_strain_{n}"]
        names.append("arm_strain_0_momentum")
        for n in nodes:
            names += [f"arm_node_{n}_momentum_{axis}" for axis in axes]
            names += [f"arm_node_{n}_spin_{axis}" for axis in axes] + [f"arm_strain_{n}_momentum"]
        return tuple(names)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """What its tip does, and the energy it holds."""
        words = "tip from where it would be on a rigid arm, along l, m, n of its root"
        return (
            *(Signal(name="tip_deflection", component=axis, unit="m", words=words) for axis in "lmn"),
            Signal(name="tip_across", unit="m", words="deflection of the tip across the arm"),
            Signal(name="strain_energy", unit="J", words="strain energy of the arm"),
        )

    @property
    def state_units(self) -> tuple[str, ...]:
        """Their units."""
        places = ("m",) * 3 + ("1",) * 5
        momenta = ("kg m/s",) * 3 + ("N m s",) * 3 + ("J s",)
        return ("1", *places * self.elements, "J s", *momenta * self.elements)

    @property
    def blocks(self) -> tuple[str, ...]:
        """What they are."""
        places = ("vector", "attitude", "scalar") * self.elements
        return ("scalar", *places, "scalar", *("vector", "vector", "scalar") * self.elements)

    @property
    def reach(self) -> float:
        """How far it reaches from the mass centre of the hub, m."""
        return float(np.linalg.norm(self.root)) + self.length

    @property
    def work_size(self) -> int:
        """How many numbers of work space its kernel wants."""
        from .arm_kernel import arm_work_size

        return arm_work_size(self.elements)

    def straight(self, attitude: ArrayLike, offset: NDArray[np.float64]) -> list[float]:
        """Return its positions on a hub in that attitude, undeformed.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Of the hub.
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            The first half of its states.
        """
        turn, own = rotation_matrix(attitude), quaternion_product(attitude, from_rotation_matrix(self.frame))
        found = [0.0]
        for n in range(1, self.elements + 1):
            place = offset + np.asarray(self.root) + n * self.element_length * np.asarray(self.direction)
            found += [*(turn @ place).tolist(), *own.tolist(), 0.0]
        return found

    def rigid(self) -> RigidPart:
        """Return the arm as a rigid rod with its tip mass, straight on the hub."""
        section, along = self.section, np.asarray(self.direction)
        beam, tip = section.mass_per_length * self.length, self.tip_mass
        middle = (0.5 * beam + tip) / (beam + tip) * self.length  # of the mass, from the root
        bent = beam * (self.length**2 / 12.0 + (middle - 0.5 * self.length) ** 2) + tip * (self.length - middle) ** 2
        turned = section.density * self.length * np.array((section.second_moment_m, section.second_moment_n))
        moments = np.array((turned.sum(), bent + turned[0], bent + turned[1]))
        center = np.asarray(self.root) + middle * along
        return RigidPart(mass=beam + tip, center=center, inertia=self.frame @ np.diag(moments) @ self.frame.T)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            See `polhode.plant.elements.arm.arm_layout`.
        """
        return pack_arm(self, offset).tolist()

    @property
    def element_length(self) -> float:
        """m."""
        return self.length / self.elements

    @property
    def mass(self) -> float:
        """With its tip mass, kg."""
        return self.section.mass_per_length * self.length + self.tip_mass
