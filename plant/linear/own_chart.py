"""Deviations of the states of elements with their own states, in axes that rotate with the hub.

    vector    v = R(e) (R0' v0 + z)                attitude    e_n = e o (sqrt(1 - |z|^2/4), z/2) o conj(e_0) o e_n0

These deviations are constant in a steady spin, and a rotation of the whole spacecraft changes only the hub attitude.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..elements.branch import SIZES, branches
from ..kernels.rotation import compose, to_body, to_inertial

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]
BACK = np.array([1.0, -1.0, -1.0, -1.0])  # conjugation


def _blocks(craft: "Spacecraft") -> Iterator[tuple[str, int, int]]:
    """Yield kind, index in x and index among the deviations (from 0) of each block."""
    at, out = craft.layout.own.start, 0
    for branch in branches(craft.elements):
        for kind in branch.blocks:
            yield kind, at, out
            at += SIZES[kind]
            out += min(SIZES[kind], 3)


def span(craft: "Spacecraft") -> int:
    """Return the number of deviations of elements with their own states."""
    return sum(min(SIZES[kind], 3) for kind, _, _ in _blocks(craft))


def names_and_units(craft: "Spacecraft") -> tuple[list[str], list[str]]:
    """Return names and units of the deviations of elements with their own states."""
    layout, names, units = craft.layout, list[str](), list[str]()
    for kind, at, _ in _blocks(craft):
        if kind == "attitude":
            name = layout.names[at].removesuffix("_0")
            names += [f"{name}_error_{axis}" for axis in "xyz"]
            units += ["rad"] * 3
        else:
            names += layout.names[at : at + SIZES[kind]]
            units += layout.units[at : at + SIZES[kind]]
    return names, units


def moved(craft: "Spacecraft", x: Array, e: Any, z: Any) -> list[Any]:
    """Return the own states of elements at deviations z from x, real or complex; e: hub attitude."""
    states: list[Any] = []
    for kind, at, out in _blocks(craft):
        if kind == "scalar":
            states.append(x[at] + z[out])
        elif kind == "vector":
            a0, a1, a2 = to_body(*x[3:7], *x[at : at + 3])
            states += to_inertial(*e, a0 + z[out], a1 + z[out + 1], a2 + z[out + 2])
        else:
            d0, d1, d2 = z[out], z[out + 1], z[out + 2]
            error = np.sqrt(1.0 - 0.25 * (d0 * d0 + d1 * d1 + d2 * d2)), 0.5 * d0, 0.5 * d1, 0.5 * d2
            constant = compose(*(BACK * x[3:7]), *x[at : at + 4])
            states += compose(*compose(*e, *error), *constant)
    return [*states, *x[craft.layout.levels]]  # levels are constant


def rates(craft: "Spacecraft", x: Array, state: Any, dx: Any) -> list[Any]:
    """Return the rates of the deviations from x, given a state and its rates of change."""
    deviation_rates: list[Any] = []
    e = state[3], -state[4], -state[5], -state[6]
    de = dx[3], -dx[4], -dx[5], -dx[6]
    _, w0, w1, w2 = (2.0 * part for part in compose(*e, *dx[3:7]))
    for kind, at, _ in _blocks(craft):
        if kind == "scalar":
            deviation_rates.append(dx[at])
        elif kind == "vector":
            a0, a1, a2 = to_body(*state[3:7], *state[at : at + 3])
            d0, d1, d2 = to_body(*state[3:7], *dx[at : at + 3])
            deviation_rates += [d0 - (w1 * a2 - w2 * a1), d1 - (w2 * a0 - w0 * a2), d2 - (w0 * a1 - w1 * a0)]
        else:
            constant = compose(*(BACK * x[at : at + 4]), *x[3:7])
            first = compose(*compose(*de, *state[at : at + 4]), *constant)
            second = compose(*compose(*e, *dx[at : at + 4]), *constant)
            deviation_rates += [2.0 * (a + b) for a, b in zip(first[1:], second[1:], strict=True)]
    return deviation_rates


def turned(craft: "Spacecraft", x: Array, e: Any) -> list[Any]:
    """Return the own states of elements after the whole spacecraft has rotated to attitude e."""
    return moved(craft, x, e, np.zeros(span(craft)))
