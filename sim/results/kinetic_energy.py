"""Kinetic energy of a spacecraft and its elements, from the states of a run."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft
from ...plant.hub.constant_mass import momenta_of, velocities_of
from ...plant.hub.dynamics import energy
from ...plant.hub.work_of import AT_ONCE, work_of
from ..engine.steppers.error_floors import SLOW

if TYPE_CHECKING:
    from .run import Run

Array = NDArray[np.float64]


def kinetic_energy(craft: Spacecraft, states: Array) -> Array:
    """Return the kinetic energy of each state, J: rotation and elements, about the mass centre.

    T = H - V: the energy of the state minus the energy of the same position with zero momenta. For a rigid body, T is
    1/2 omega . pi. With a wheel that rotates backwards, 1/2 omega . pi may be negative, but T is not.

    states (n, nx), ledger excluded -> (n,).
    """
    rates = velocities_of(craft, states)
    if rates is not None:
        return 0.5 * np.einsum("nk,nk->n", momenta_of(craft, states), rates)
    layout = craft.layout
    free = Spacecraft(
        craft.body, torques=craft.torques.outside(), elements=craft.elements, translation=craft.translation
    )
    moving, still = states.copy(), states.copy()
    if craft.translation:
        moving[:, layout.linear_momentum] = 0.0
        still[:, layout.linear_momentum] = 0.0
    still[:, :3] = still[:, layout.internal_momentum] = 0.0
    still[:, list(layout.own_momenta_at)] = 0.0
    return _energies(free, moving) - _energies(free, still)


def _energies(craft: Spacecraft, states: Array) -> Array:
    """Return the energies of many states, J, (n,)."""
    p, u = craft.pack(), np.zeros(3)
    found: list[Array] = []
    work_of(craft, states, lambda x, w: found.append(np.atleast_1d(np.asarray(energy(0.0, x, u, p, w)))))
    return np.concatenate(found[-1:] if len(found[-1]) == len(states) else found)


def largest_kinetic_energy(run: "Run", *, translation: bool) -> float:
    """Return the largest kinetic energy in the rows (with elements or translation also at t = 0), J.

    translation: whether to include the kinetic energy of the mass centre, if the spacecraft translates.
    """
    craft, largest = run.craft, 0.0
    if not craft.elements and not (translation and craft.translation):
        both = zip(run.pieces("rate"), run.pieces("momentum"), strict=True)
        return 0.5 * max(float((rate * momentum).sum(axis=1).max()) for rate, momentum in both)
    size = craft.layout.size
    found = run.kinetic_energies if run.recorded is None else None
    if found is not None:  # in memory, and shared by several metrics
        if translation and craft.translation:
            found = found + _of_translation(craft, run.x)
        before = kinetic_energy(craft, run.start[None, :size])
        if translation and craft.translation:
            before = before + _of_translation(craft, run.start[None, :size])
        return max(largest, float(before[0]), float(found.max()))
    for first in range(-1, len(run.t), AT_ONCE):
        rows = run.states[max(first, 0) : first + AT_ONCE, :size]
        states = np.vstack((run.start[:size], rows)) if first < 0 else np.asarray(rows)
        found = kinetic_energy(craft, states)
        if translation and craft.translation:
            found = found + _of_translation(craft, states)
        largest = max(largest, float(found.max()))
    return largest


def _of_translation(craft: Spacecraft, states: Array) -> Array:
    return 0.5 * (states[:, craft.layout.linear_momentum] ** 2).sum(axis=1) / craft.mass_at(states)


def slow_energy(craft: Spacecraft) -> float:
    """Return the kinetic energy of a rotation at 1e-6 rad/s, J: a floor for relative errors."""
    return 0.5 * SLOW * SLOW * float(np.trace(craft.body.inertia)) / 3.0
