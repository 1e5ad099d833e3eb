"""Flexible arm of a satellite."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...attitude import from_rotation_matrix, quaternion_product, rotation_matrix
from ...checks import of_kind
from ...errors import InputError
from ...quantity import AXIS, COUNT, NUMBER, OPTIONAL_VECTOR, VECTOR, argument, check_fields, declared, quantity
from ..rigid_part import RigidPart
from ..shape import ElementMotion, Shape
from ..signal import Signal
from .arm_packing import pack_arm
from .arm_shape import arm_shape
from .beam_section import BeamSection

Array = NDArray[np.float64]

MAX_ELEMENTS = 4096


def _section(value: BeamSection) -> BeamSection:
    of_kind("section", value, BeamSection, such_as="a BeamSection")
    return value


@declared
class Arm:
    """Straight beam of equal elements, clamped to the hub at its root, with a free tip or a tip mass.

    Parameters
    ----------
    section : BeamSection
        Cross-section and material.
    length : float
        Undeformed length, m.
    elements : int
        Number of elements.
    direction : array_like, shape (3,)
        Direction from root to tip, hub axes; only the direction matters, not the length.
    root : array_like, shape (3,)
        Position of the root relative to the hub's mass centre, hub axes, m.
    section_axis : array_like, shape (3,), optional
        Hub direction whose component across the arm defines the axis m of the section. Default: the hub axis y, or
        z for an arm within 25.8 deg of y (|direction_y| > 0.9).
    tip_mass : float
        Point mass at the tip, kg.

    Raises
    ------
    InputError
        When a quantity is out of range, the arm has no length, or `section_axis` is parallel to the arm.

    Examples
    --------
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arm = Arm(section=section, length=2.0, elements=2, direction=(1, 0, 0), root=(0.1, 0, 0))
    >>> round(arm.mass, 9), arm.frame[:, 1]
    (14.0, array([0., 1., 0.]))
    """

    section: BeamSection = argument(converter=_section)
    length: float = quantity("m", converter=NUMBER, positive=True, doc="length of the whole arm")
    elements: int = quantity(
        converter=COUNT,
        at_most=MAX_ELEMENTS,
        doc="number of elements of equal length",
    )
    direction: Array = quantity(converter=AXIS, doc="from root to tip, hub axes, any length but zero")
    root: Array = quantity(
        "m", converter=VECTOR, default=(0.0, 0.0, 0.0), doc="root, from the mass centre of the hub, hub axes"
    )
    section_axis: Array | None = quantity(
        converter=OPTIONAL_VECTOR, optional=True, default=None,
        doc="hub direction whose component across the arm defines the section axis m; default y, or z for an arm "
        "within 25.8 deg of y",
    )  # fmt: skip
    tip_mass: float = quantity("kg", converter=NUMBER, non_negative=True, default=0.0, doc="point mass at the tip")

    def __post_init__(self) -> None:
        check_fields(self, of="arm")
        _ = self.frame

    @property
    def frame(self) -> NDArray[np.float64]:
        """Columns l (along the arm), m, n of the undeformed section in hub axes, shape (3, 3)."""
        along = self.direction
        if self.section_axis is None:
            axis = np.array((0.0, 0.0, 1.0) if abs(along[1]) > 0.9 else (0.0, 1.0, 0.0))
        else:
            axis = self.section_axis
        m = axis - (axis @ along) * along
        size = float(np.sqrt(m @ m))
        if size <= 1e-9 * float(np.sqrt(axis @ axis)):
            raise InputError(f"arm: section axis {axis.tolist()} must not be parallel to the arm; choose one across it")
        m /= size
        return np.column_stack((along, m, np.cross(along, m)))

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all arms."""
        from .arm_kernel import flexible_arm

        return flexible_arm

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates: none, since an arm has its own states."""
        return ()

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates: none."""
        return ()

    undriven = "an arm is clamped to the hub and has no joint that could be driven"
    """Reason why no force can act on a coordinate of the arm."""

    cyclic = False
    """False: the strain energy depends on the states of the arm."""

    constant = False
    """False: the contribution to the mass matrix depends on the shape."""

    moves_mass = True
    """True: the arm has its own mass."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Initial coordinates and rates: none."""
        return (), ()

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states: root strain; position, Euler parameters and strain of the other nodes; momenta."""
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
        """Output signals: deflection of the tip and strain energy."""
        words = "deflection of the tip from a rigid arm, along l, m, n of its root"
        return (
            *(Signal(name="tip_deflection", component=axis, unit="m", words=words) for axis in "lmn"),
            Signal(name="tip_across", unit="m", words="deflection of the tip across the arm"),
            Signal(name="strain_energy", unit="J", words="strain energy of the arm"),
        )

    @property
    def state_units(self) -> tuple[str, ...]:
        """Units of the arm's own states."""
        places = ("m",) * 3 + ("1",) * 5
        momenta = ("kg m/s",) * 3 + ("N m s",) * 3 + ("J s",)
        return ("1", *places * self.elements, "J s", *momenta * self.elements)

    @property
    def blocks(self) -> tuple[str, ...]:
        """Kinds of the state blocks, in order."""
        places = ("vector", "attitude", "scalar") * self.elements
        return ("scalar", *places, "scalar", *("vector", "vector", "scalar") * self.elements)

    @property
    def reach(self) -> float:
        """Largest distance of the arm from the hub's mass centre, m."""
        return float(np.linalg.norm(self.root)) + self.length

    @property
    def work_size(self) -> int:
        """Length of the workspace that the kernel needs."""
        from .arm_kernel import arm_work_size

        return arm_work_size(self.elements)

    def straight(self, attitude: ArrayLike, offset: NDArray[np.float64]) -> list[float]:
        """Return the positions of the undeformed arm for a given hub attitude.

        Parameters
        ----------
        attitude : array_like, shape (4,)
            Attitude of the hub, Euler parameters.
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            The position half of the states.
        """
        turn, own = rotation_matrix(attitude), quaternion_product(attitude, from_rotation_matrix(self.frame))
        positions = [0.0]
        for n in range(1, self.elements + 1):
            place = offset + self.root + n * self.element_length * self.direction
            positions += [*(turn @ place).tolist(), *own.tolist(), 0.0]
        return positions

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the arm as a beam through its nodes.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            The beam, from root to tip.
        """
        return (arm_shape(self, motion),)

    def rigid(self) -> RigidPart:
        """Return the undeformed arm as an equivalent rigid rod with tip mass."""
        section, along = self.section, self.direction
        beam, tip = section.mass_per_length * self.length, self.tip_mass
        middle = (0.5 * beam + tip) / (beam + tip) * self.length  # mass centre, from the root
        bent = beam * (self.length**2 / 12.0 + (middle - 0.5 * self.length) ** 2) + tip * (self.length - middle) ** 2
        turned = section.density * self.length * np.array((section.second_moment_m, section.second_moment_n))
        moments = np.array((turned.sum(), bent + turned[0], bent + turned[1]))
        center = self.root + middle * along
        return RigidPart(mass=beam + tip, center=center, inertia=self.frame @ np.diag(moments) @ self.frame.T)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, body components, m.

        Returns
        -------
        list of float
            See `polhode.plant.elements.arm.arm_layout`.
        """
        return pack_arm(self, offset).tolist()

    @property
    def element_length(self) -> float:
        """Length of an element, m."""
        return self.length / self.elements

    @property
    def mass(self) -> float:
        """Mass of the beam and the tip mass, kg."""
        return self.section.mass_per_length * self.length + self.tip_mass
