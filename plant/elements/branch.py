"""The protocol of elements with their own states, such as a flexible arm.

The states of such a branch are more than coordinates and momenta: each node of an arm has an attitude.

A branch condenses its equations onto the hub. Its velocities are stored from W_IMPLICIT of the work space on, in the
order of its momenta, with which they pair. In addition to the phases of every element
(`polhode.plant.elements.element`) its kernel implements

    0 MASS     add to the mass matrix of omega (`add_mass`), to that of the velocity v0 of the reference point and to
               both right-hand sides (ROOT_VV, ROOT_VW, ROOT_P, ROOT_PI of the work space, body axes)
    1 FORCES   add to the rates of its states at W_OWN, and to the power of its friction
    3 SIGNALS  compute them from the state only, without velocities
    4 RECOVER  compute its velocities from omega and v0 (HUB_V), and add its first moment of mass (`add_moment`)
    5 FIELDS   add the forces of a field of acceleration (FIELD) to the rates of its momenta
    6 RIGID    write its velocities for rigid rotation with the hub to the place of its velocities

and, for implicit steps, in which the velocities are the unknowns,

    7 MOMENTA  from its velocities, omega and v0, write the results of RECOVER, its momenta behind the velocities, and
               the momenta of all that moves with the hub to ROOT_P and ROOT_PI
    8 MOVE     write the rates of its positions to the place of its rates
    9 SHARES   add its linear and angular momentum to ROOT_P and ROOT_PI
    10 TURNING add their rates of change, computed from its own rates
    11 SLOPES  factor D + h lambda C + (h lambda)^2 K, and add the Schur complement to the hub's matrix
    12 FORWARD, 13 BACKWARD  forward and backward substitution with these factors, in the frames of its nodes

Each of its attitudes belongs to a node with two vectors among its velocities, linear and angular, in the same order.

Its row begins, after the head common to all elements, with the start of its states in x, of their rates in w and of its
work space in w, and the index of its first velocity.
"""

from collections.abc import Sequence
from typing import Protocol, TypeGuard
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..parts import has_parts
from .element import Element

SIZES = {"scalar": 1, "vector": 3, "attitude": 4}
"""Numbers per block of states: vectors in inertial components, attitudes as Euler parameters."""


class Branch(Element, Protocol):
    """Element with its own states."""

    @property
    def states(self) -> tuple[str, ...]:
        """Names of its states, positions first."""
        ...

    @property
    def state_units(self) -> tuple[str, ...]:
        """Units of its states."""
        ...

    @property
    def blocks(self) -> tuple[str, ...]:
        """Kinds of its blocks of states, in order: keys of `SIZES`."""
        ...

    @property
    def reach(self) -> float:
        """Largest distance of the element from the mass centre of the hub, m."""
        ...

    @property
    def work_size(self) -> int:
        """Size of the work space that its kernel needs."""
        ...

    def straight(self, attitude: ArrayLike, offset: NDArray[np.float64]) -> list[float]:
        """Return its undeformed positions on a hub in a given attitude; `offset` as in `pack`."""
        ...


def branch_kinds(branch: Branch) -> list[str]:
    """Return the kind of each state: "position", "attitude" (the first of its four numbers only) or "momentum"."""
    half = len(branch.blocks) // 2  # positions, then momenta
    kinds: list[str] = []
    for number, block in enumerate(branch.blocks):
        kind = "position" if number < half else "momentum"
        kinds += ["attitude" if block == "attitude" else kind, *[kind] * (SIZES[block] - 1)]
    return kinds


def node_vectors(branch: Branch) -> list[int]:
    """Return the start of the two vectors of each node among the velocities of an element."""
    starts: list[int] = []
    at = 0
    for block in branch.blocks[len(branch.blocks) // 2 :]:
        if block == "vector":
            starts.append(at)
        at += SIZES[block]
    return starts[::2]


def in_row_order(elements: Sequence[Element]) -> list[int]:
    """Return the indices of elements in the order of their rows: elements with their own states come last."""
    return sorted(range(len(elements)), key=lambda index: is_branch(elements[index]))


def branches(elements: tuple[Element, ...]) -> list[Branch]:
    """Return the elements that have their own states."""
    return [element for element in elements if is_branch(element)]


def is_branch(element: object) -> TypeGuard[Branch]:
    """Return whether an element has its own states; the answer is cached per type."""
    kind = type(element)
    if kind not in _DECLARES:
        _DECLARES[kind] = has_parts(element, Branch)
    return _DECLARES[kind]


_DECLARES: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
