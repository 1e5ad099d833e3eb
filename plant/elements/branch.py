"""What an element with states of its own is: a flexible arm, whose nodes are more than coordinates and momenta.

Such an element condenses itself onto the hub. Beside the phases of every element (`polhode.plant.elements.element`) its
kernel answers

    0 MASS     add to the mass matrix of omega (`add_mass`), to that of the velocity v0 of the reference point and to
               both right sides (ROOT_VV, ROOT_VW, ROOT_P, ROOT_PI of the work space, body axes)
    1 FORCES   add the rates of change of its states to those at W_OWN, and the power of its friction
    4 RECOVER  find its own velocities from omega and v0 (HUB_V), and add its first moment of mass (`add_moment`)
    5 FIELDS   add the forces of an acceleration of everything (FIELD) to the rates of its momenta
    6 RIGID    put the momenta it has when it turns with the hub where its rates stand, and what of them is the craft's
               linear and angular momentum to ROOT_P and ROOT_PI

Its row begins, behind the head of every element, with where its states begin in x, where their rates and where its work
space begin in w.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .element import Element

__all__ = ["SIZES", "Branch", "branches"]

SIZES = {"scalar": 1, "vector": 3, "attitude": 4}
"""How many states each kind of block has: vectors in inertial components, attitudes as Euler parameters."""


@runtime_checkable
class Branch(Element, Protocol):
    """An element with states of its own."""

    @property
    def states(self) -> tuple[str, ...]:
        """Their names, positions first."""
        ...

    @property
    def state_units(self) -> tuple[str, ...]:
        """Their units."""
        ...

    @property
    def blocks(self) -> tuple[str, ...]:
        """What they are, in order: keys of `SIZES`."""
        ...

    @property
    def work_size(self) -> int:
        """How many numbers of work space its kernel wants."""
        ...

    def straight(self, attitude: ArrayLike, offset: NDArray[np.float64]) -> list[float]:
        """Return its positions on a hub in that attitude, undeformed; `offset` as in `pack`."""
        ...


def branches(elements: tuple[Element, ...]) -> list[Branch]:
    """Return those elements that have states of their own."""
    return [element for element in elements if isinstance(element, Branch)]
