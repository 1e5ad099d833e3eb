# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A rigid part that turns with the hub: what an arm is to a law that takes it as rigid.

M gets the inertia J + m (r'r - r r') about the reference point; there is nothing that moves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import positive, vector
from ..frozen import frozen_arrays
from ..hub.inertia import inertia_matrix
from ..kernels.kernel import kernel
from .assembly import add_mass, place_particle

__all__ = ["RigidPart"]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class RigidPart:
    """A rigid body fixed to the hub, with mass and inertia of its own.

    Parameters
    ----------
    mass : float
        kg; not in the hub's.
    center : array_like, shape (3,)
        Its mass centre, from that of the hub, body components, m.
    inertia : array_like, shape (3,) or (3, 3)
        About its own mass centre, body axes, kg m^2.

    Raises
    ------
    InputError
        When the mass is not positive or the inertia is not that of a body.

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
        """The kernel of every one."""
        return rigid_part

    @property
    def coordinates(self) -> tuple[str, ...]:
        """None."""
        return ()

    @property
    def units(self) -> tuple[str, ...]:
        """None."""
        return ()

    cyclic = False
    """Not so."""

    constant = True
    """Its share of the mass matrix is constant."""

    moves_mass = True
    """It has a first moment about the mass centre of the hub."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """No coordinates, no rates."""
        return (), ()

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            m, center (3), inertia xx, yy, zz, xy, xz, yz.
        """
        J = np.asarray(self.inertia)
        moments = [float(J[i, k]) for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        return [self.mass, *(np.asarray(self.center) + offset).tolist(), *moments]


@kernel
def rigid_part(phase, t, x, u, p, row, w):
    """The kernel of a rigid part; see `polhode.plant.elements.element`."""
    if phase == 0:
        n = row + 4
        place_particle(p, w, p[n], p[n + 1], p[n + 2], p[n + 3])
        add_mass(p, w, 0, 0, p[n + 4])
        add_mass(p, w, 1, 1, p[n + 5])
        add_mass(p, w, 2, 2, p[n + 6])
        add_mass(p, w, 0, 1, p[n + 7])
        add_mass(p, w, 0, 2, p[n + 8])
        add_mass(p, w, 1, 2, p[n + 9])
