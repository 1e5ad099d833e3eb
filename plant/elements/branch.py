"""What an element with states of its own is: a flexible arm, whose nodes are more than coordinates and momenta.

Such an element condenses itself onto the hub. Its own velocities are its momenta's partners, in their order; they stand
at W_IMPLICIT of the work space, from its first on. Beside the phases of every element
(`polhode.plant.elements.element`) its kernel answers

    0 MASS     add to the mass matrix of omega (`add_mass`), to that of the velocity v0 of the reference point and to
               both right sides (ROOT_VV, ROOT_VW, ROOT_P, ROOT_PI of the work space, body axes)
    1 FORCES   add the rates of change of its states to those at W_OWN, and the power of its friction
    3 SIGNALS  tell them from the state alone, without velocities
    4 RECOVER  find its own velocities from omega and v0 (HUB_V), and add its first moment of mass (`add_moment`)
    5 FIELDS   add the forces of an acceleration of everything (FIELD) to the rates of its momenta
    6 RIGID    put the velocities it has when it turns with the hub where its own stand

and, for implicit steps, whose unknowns are velocities,

    7 MOMENTA  from its own velocities, omega and v0: what RECOVER leaves behind; its momenta behind the velocities;
               what moves with the hub to ROOT_P and ROOT_PI
    8 MOVE     put the rates of its positions where its rates stand
    9 SHARES   add what its momenta are of the craft's linear and angular momentum to ROOT_P and ROOT_PI
    10 TURNING add how these change, its rates being known
    11 SLOPES  factor D + h lambda C + (h lambda)^2 K, and add what it leaves to the hub's
    12 FORWARD, 13 BACKWARD  the two halves of a solution with that, in the frames of its nodes

Of its attitudes each is that of a node with two vectors among its velocities, linear and angular, in the same order.

Its row begins, behind the head of every element, with where its states begin in x, where their rates and where its work
space begin in w, and the number of its first velocity.
"""

from collections.abc import Sequence
from typing import Protocol, TypeGuard
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..parts import has_parts
from .element import Element

__all__ = ["SIZES", "Branch", "branch_kinds", "branches", "in_row_order", "is_branch", "node_vectors"]

SIZES = {"scalar": 1, "vector": 3, "attitude": 4}
"""How many states each kind of block has: vectors in inertial components, attitudes as Euler parameters."""


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
    def reach(self) -> float:
        """How far it reaches from the mass centre of the hub, m."""
        ...

    @property
    def work_size(self) -> int:
        """How many numbers of work space its kernel wants."""
        ...

    def straight(self, attitude: ArrayLike, offset: NDArray[np.float64]) -> list[float]:
        """Return its positions on a hub in that attitude, undeformed; `offset` as in `pack`."""
        ...


def branch_kinds(branch: Branch) -> list[str]:
    """Return what each state of an element is: "position", "attitude" (of four the first), "momentum"."""
    half = len(branch.blocks) // 2  # positions, then momenta
    kinds: list[str] = []
    for number, block in enumerate(branch.blocks):
        kind = "position" if number < half else "momentum"
        kinds += ["attitude" if block == "attitude" else kind, *[kind] * (SIZES[block] - 1)]
    return kinds


def node_vectors(branch: Branch) -> list[int]:
    """Return where the two vectors of each node begin among the velocities of an element."""
    starts: list[int] = []
    at = 0
    for block in branch.blocks[len(branch.blocks) // 2 :]:
        if block == "vector":
            starts.append(at)
        at += SIZES[block]
    return starts[::2]


def in_row_order(elements: Sequence[Element]) -> list[int]:
    """Return the places of elements in the order of their rows: those with states of their own behind the others."""
    return sorted(range(len(elements)), key=lambda index: is_branch(elements[index]))


def branches(elements: tuple[Element, ...]) -> list[Branch]:
    """Return those elements that have states of their own."""
    return [element for element in elements if is_branch(element)]


def is_branch(element: object) -> TypeGuard[Branch]:
    """Whether an element has states of its own; what its type declares is looked at once."""
    kind = type(element)
    if kind not in _DECLARES:
        _DECLARES[kind] = has_parts(element, Branch)
    return _DECLARES[kind]


_DECLARES: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
