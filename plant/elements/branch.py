"""Protocol for elements with their own states, such as a flexible arm.

The state of such an element, called a branch, consists of more than coordinates and momenta: each node of an arm has an
attitude.

A branch condenses its equations onto the hub. Its velocities are stored in the workspace starting at index W_IMPLICIT,
in the same order as their conjugate momenta. In addition to the phases of every element
(`polhode.plant.elements.element`) its kernel implements

    0 MASS     add to the mass matrix of omega (`add_mass`), to the mass matrix of the velocity v0 of the reference
               point, and to both right-hand sides (ROOT_VV, ROOT_VW, ROOT_P, ROOT_PI of the workspace, body axes)
    1 FORCES   add to the rates of its states at W_OWN, and add the power of its friction
    3 SIGNALS  compute the signals from the state only, without velocities
    4 RECOVER  compute its velocities from omega and v0 (HUB_V), and add its first moment of mass (`add_moment`)
    5 FIELDS   add the forces of an acceleration field (FIELD) to the rates of its momenta
    6 RIGID    set its velocities to those of rigid rotation with the hub

and, for implicit steps, whose unknowns are the velocities,

    7 MOMENTA  from its velocities, omega and v0, write the results of RECOVER; write its momenta after the
               velocities, and the total momenta of the parts that move with the hub to ROOT_P and ROOT_PI
    8 MOVE     write the rates of its positions to its part of W_OWN
    9 SHARES   add its linear and angular momentum to ROOT_P and ROOT_PI
    10 TURNING add the rates of change of these momenta, computed from its own rates
    11 SLOPES  factor D + h lambda C + (h lambda)^2 K, and add the Schur complement to the hub's matrix
    12 FORWARD, 13 BACKWARD  forward and backward substitution with these factors, in the frames of its nodes

Each attitude belongs to a node, which has two vectors among the velocities, linear and angular, in the same order.

After the head common to all elements, the row of a branch holds the start indices of its states in x, of their rates in
w and of its workspace in w, then the index of its first velocity.
"""

from collections.abc import Sequence
from typing import Protocol, TypeGuard
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..parts import has_parts
from .element import Element

SIZES = {"scalar": 1, "vector": 3, "attitude": 4}
"""Entries per block of states: vectors in inertial components, attitudes as Euler parameters."""


class Branch(Element, Protocol):
    """Element with its own states."""

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states, positions first."""
        ...

    @property
    def state_units(self) -> tuple[str, ...]:
        """Units of the states."""
        ...

    @property
    def blocks(self) -> tuple[str, ...]:
        """Kinds of the state blocks, in order: keys of `SIZES`."""
        ...

    @property
    def reach(self) -> float:
        """Largest distance of the element from the hub's mass centre, m."""
        ...

    @property
    def work_size(self) -> int:
        """Length of the workspace that the kernel needs."""
        ...

    def straight(self, attitude: ArrayLike, offset: NDArray[np.float64]) -> list[float]:
        """Return the undeformed positions for a given hub attitude; `offset` as in `pack`."""
        ...


def branch_kinds(branch: Branch) -> list[str]:
    """Return the kind of each state: "position", "attitude" (first Euler parameter) or "momentum"."""
    half = len(branch.blocks) // 2  # positions, then momenta
    kinds: list[str] = []
    for number, block in enumerate(branch.blocks):
        kind = "position" if number < half else "momentum"
        kinds += ["attitude" if block == "attitude" else kind, *[kind] * (SIZES[block] - 1)]
    return kinds


def node_vectors(branch: Branch) -> list[int]:
    """Return, for each node, the start of its two vectors among the velocities of a branch."""
    starts: list[int] = []
    at = 0
    for block in branch.blocks[len(branch.blocks) // 2 :]:
        if block == "vector":
            starts.append(at)
        at += SIZES[block]
    return starts[::2]


def in_row_order(elements: Sequence[Element]) -> list[int]:
    """Return the element indices in the order of the rows: elements with their own states come last."""
    return sorted(range(len(elements)), key=lambda index: is_branch(elements[index]))


def branches(elements: tuple[Element, ...]) -> list[Branch]:
    """Return the elements that have their own states."""
    return [element for element in elements if is_branch(element)]


def is_branch(element: object) -> TypeGuard[Branch]:
    """Return whether an element has its own states; the result is cached per type."""
    kind = type(element)
    if kind not in _DECLARES:
        _DECLARES[kind] = has_parts(element, Branch)
    return _DECLARES[kind]


_DECLARES: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
