"""Stability of a law on a rigid spacecraft at rest, inferred from its analysis on one with another inertia.

The sampled loop of a rigid spacecraft at rest is the loop with inertia J_0, times E = J_0 J^-1 at the torque. Let
T = L (1 + L)^-1 belong to the loop with J_0, and S S = J_0. The new loop is stable if |S^-1 T S| |S J^-1 S - 1| < 1 at
every frequency. The loop with twice the gain follows from its own T in the same way.
(Small-gain theorem; Zhou, Doyle & Glover 1996, Robust and Optimal Control, section 9.2.)
"""

from math import pi
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...controllers import Law
from ...controllers.laws.compensator import Compensator
from ...controllers.loop.crossings import frequency_grid
from ...controllers.loop.sampled_loop import SampledLoop
from ...controllers.loop.schur_system import on_circle
from ...controllers.robustness.arcs import Transfer, proven_arc
from ...controllers.robustness.multipliers import Multipliers
from ...plant import Spacecraft

__all__ = ["NearLoops"]

Array = NDArray[np.float64]

ABOVE = 1.05  # times the largest norm on a grid: the bound proven for every frequency
KEPT = 16  # poses and timings for each law
_Key = tuple[object, ...]


class _Room(NamedTuple):
    """Set of inertias that need no further analysis: |root J^-1 root - 1| < size."""

    root: Array
    size: float


class NearLoops:
    """Cache of laws by their matrices, each with the set of inertias around its first analysed spacecraft."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Compensator, dict[_Key, _Room]] = WeakKeyDictionary()

    def holds(self, craft: Spacecraft, law: Law, pose: Array) -> bool:
        """Return whether the loop is known to be stable, with twice the gain too; pose (7,): attitude and rate."""
        key = _key(craft, law, pose)
        room = None if key is None else self._known.get(key[0], {}).get(key[1])
        if room is None:
            return False
        try:
            E = room.root @ np.linalg.solve(craft.body.inertia, room.root)
        except np.linalg.LinAlgError:
            return False
        return bool(np.linalg.norm(E - np.eye(3)) < room.size)  # bounds the largest singular value

    def add(self, craft: Spacecraft, law: Law, pose: Array, loop: SampledLoop) -> None:
        """Store the set of inertias around a spacecraft whose loop is stable with its gain and with twice the gain."""
        key = _key(craft, law, pose)
        if key is None:
            return
        rooms = self._known.setdefault(key[0], {})
        if key[1] in rooms:
            return
        if len(rooms) >= KEPT:
            rooms.clear()
        values, axes = np.linalg.eigh(craft.body.inertia)
        root = (axes * np.sqrt(values)) @ axes.T
        rooms[key[1]] = _Room(root, min(_size(loop, root, factor) for factor in (1.0, 2.0)))


def _key(craft: Spacecraft, law: Law, pose: Array) -> tuple[Compensator, _Key] | None:
    """Key of everything but the inertia; None where the loop depends on more than inertia and key."""
    compensator: Compensator | None = getattr(law, "on_any_plant", None)
    more = craft.elements or craft.potentials or craft.efforts or craft.translation or craft.body.pivot is not None
    if compensator is None or more or craft.torques.internal or pose[4:].any():
        return None
    torques = craft.torques
    return compensator, (law.sample, law.delay, torques.code, tuple(torques.axes), pose.tobytes())


def _size(loop: SampledLoop, root: Array, factor: float) -> float:
    """Bound on |E - 1| below which the loop with its gain times a factor is stable; 0 where none is proven."""
    F, G, K = loop.matrices()
    into, out = factor * G @ root, np.asarray(np.linalg.solve(root, K), dtype=np.float64)
    closed = F - factor * G @ K
    angles = frequency_grid(loop, loop.broken((0, 1, 2)))
    most = ABOVE * float(np.linalg.norm(on_circle(closed, into, out, angles), 2, axis=(1, 2)).max())
    B, C = (np.asarray(each / np.sqrt(most), dtype=np.complex128) for each in (into, out))
    system = Transfer(closed.astype(np.complex128), B, C, np.zeros((3, 3), dtype=np.complex128))
    one = np.eye(3, dtype=np.complex128)
    arc = proven_arc(system, 0.5 * pi, Multipliers(one, one, np.zeros_like(one)))
    stable = bool(np.abs(np.linalg.eigvals(closed)).max() < 1.0)
    return 1.0 / most if stable and arc is not None and arc[0] <= 0.0 and arc[1] >= pi else 0.0
