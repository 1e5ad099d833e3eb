# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Rigid part fixed to the hub: models an arm in the design of a law that treats the arm as rigid.

The part adds the inertia J + m (r'r - r r') about the reference point to M, and has no coordinates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import positive, vector
from ..frozen import frozen_arrays
from ..hub.inertia import inertia_matrix
from ..hub.uniform_box import uniform_box
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from .assembly import add_mass, place_particle
from .shape import ElementMotion, Shape

AT = fields(mass=1, center=3, moments=3, products=3)
"""Parameters: mass; centre relative to the reference point; moments xx, yy, zz and matrix entries xy, xz, yz."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class RigidPart:
    """Rigid body fixed to the hub, with its own mass and inertia.

    Parameters
    ----------
    mass : float
        Mass, kg; not included in the mass of the hub.
    center : array_like, shape (3,)
        Mass centre, relative to the mass centre of the hub, body components, m.
    inertia : array_like, shape (3,) or (3, 3)
        Inertia about its own mass centre, body axes, kg m^2.

    Raises
    ------
    InputError
        When the mass is not positive or the inertia is not physical.

    Examples
    --------
    >>> from polhode.plant import RigidBody, Spacecraft
    >>> rod = RigidPart(mass=3.0, center=(2, 0, 0), inertia=(0.01, 4.0, 4.0))
    >>> Spacecraft(RigidBody((1, 1, 1), mass=1.0), elements=[rod]).locked_inertia((0, 0, 0, 1, 0, 0, 0)).diagonal()
    array([1.01, 8.  , 8.  ])
    """

    mass: float
    center: ArrayLike
    inertia: ArrayLike

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", positive("mass of a rigid part", self.mass, "kg"))
        object.__setattr__(self, "center", vector("center of a rigid part", self.center, unit="m"))
        object.__setattr__(self, "inertia", inertia_matrix(self.inertia))

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all rigid parts."""
        return rigid_part

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates: none."""
        return ()

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates: none."""
        return ()

    cyclic = False
    """False: the part has no coordinates."""

    constant = True
    """True: the contribution to the mass matrix is constant."""

    moves_mass = True
    """True: the part has a first moment about the mass centre of the hub."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Initial coordinates and rates: none."""
        return (), ()

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the part as the uniform block of equal mass and inertia.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run; not used, since the part is fixed.

        Returns
        -------
        tuple of Shape
            The block.
        """
        del motion
        size, frame = uniform_box(np.asarray(self.inertia), mass=self.mass)
        return (Shape(kind="block", center=np.asarray(self.center).tolist(), mass=self.mass, size=size, frame=frame),)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT.
        """
        J = np.asarray(self.inertia)
        center, products = np.asarray(self.center) + offset, (J[0, 1], J[0, 2], J[1, 2])
        return filled(AT, mass=self.mass, center=center, moments=np.diag(J), products=products)


@kernel
def rigid_part(phase, t, x, u, p, row, w):
    """Kernel of a rigid part; see `polhode.plant.elements.element`."""
    if phase == 0:
        n = row + 4
        c0, c1, c2 = three(p, n + AT.center)
        place_particle(p, w, p[n + AT.mass], c0, c1, c2)
        for i in range(3):
            add_mass(p, w, i, i, p[n + AT.moments + i])
        xy, xz, yz = three(p, n + AT.products)
        add_mass(p, w, 0, 1, xy)
        add_mass(p, w, 0, 2, xz)
        add_mass(p, w, 1, 2, yz)
