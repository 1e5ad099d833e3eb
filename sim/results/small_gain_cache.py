"""Stability of a law on a rigid spacecraft at rest, inferred from an analysis for a different inertia.

Let J_0 = S S be the analysed inertia, and T = L (1 + L)^-1 the complementary sensitivity of its sampled loop L. With
a different inertia J, the loop of a rigid spacecraft at rest is L multiplied by E = J_0 J^-1 at the torque. The new
loop is stable if |S^-1 T S| |S J^-1 S - 1| < 1 at every frequency. For twice the gain, stability follows in the same
way from the T of that loop. A spacecraft with frictionless wheels counts as such a body, with J the inertia of the hub,
as long as the total momentum of the wheels is zero. (Small-gain theorem; Zhou, Doyle & Glover 1996, Robust and Optimal
Control, section 9.2.)
"""

from math import pi
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...controllers import Law
from ...controllers.loop.attitude_model import ATTITUDE_STATES
from ...controllers.loop.crossings import frequency_grid
from ...controllers.loop.robustness.frequency_intervals import Transfer, proven_arc
from ...controllers.loop.robustness.multipliers import Multipliers
from ...controllers.loop.sampled_loop import SampledLoop
from ...controllers.loop.schur_system import on_circle
from ...plant import Spacecraft, Wheel

Array = NDArray[np.float64]

ABOVE = 1.05  # factor on the largest norm on a grid, giving a bound that is proven for every frequency
CANCELS = 1e-12  # rad/s of the spacecraft: a smaller momentum of the wheels is round-off
KEPT = 16  # number of poses and timings for each law
_Key = tuple[object, ...]


class _Room(NamedTuple):
    """Set of inertias with a known stable loop: |root J^-1 root - 1| < size."""

    root: Array
    size: float


class SmallGainCache:
    """Cache of laws with the set of inertias, around an analysed one, for which the loop is stable."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[object, dict[_Key, _Room]] = WeakKeyDictionary()

    def holds(self, craft: Spacecraft, law: Law, pose: Array) -> bool:
        """Return whether the loop is known to be stable, also with twice the gain; pose (7,)."""
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
        """Store the set of inertias around a spacecraft whose loop is stable, also with twice the gain."""
        key = _key(craft, law, pose)
        if key is None or loop.states != ATTITUDE_STATES:
            return
        rooms = self._known.setdefault(key[0], {})
        if key[1] in rooms:
            return
        if len(rooms) >= KEPT:
            rooms.clear()
        values, axes = np.linalg.eigh(craft.body.inertia)
        root = (axes * np.sqrt(values)) @ axes.T
        rooms[key[1]] = _Room(root, min(_size(loop, root, factor) for factor in (1.0, 2.0)))


def _key(craft: Spacecraft, law: Law, pose: Array) -> tuple[object, _Key] | None:
    """Return the key of a loop, excluding its inertia; None if the loop depends on anything else."""
    form: object = getattr(law, "plant_independent", None)
    more = craft.potentials or craft.user_forces or craft.translation or craft.body.pivot is not None
    if form is None or more or pose[4:].any() or not _rigid(craft):
        return None
    torques = craft.torques
    return form, (law.sample, law.delay, torques.code, tuple(torques.axes), pose.tobytes())


def _rigid(craft: Spacecraft) -> bool:
    """Return whether all elements are frictionless wheels with zero total momentum."""
    total = np.zeros(3)
    for wheel in craft.elements:
        if type(wheel) is not Wheel or wheel.friction or wheel.dry_friction or wheel.motor_torque:
            return False
        total += wheel.inertia * wheel.relative_rate * np.asarray(wheel.axis)
    return bool(np.linalg.norm(total) <= CANCELS * np.trace(craft.body.inertia))


def _size(loop: SampledLoop, root: Array, factor: float) -> float:
    """Return a bound on |E - 1| for a stable loop with a factor on the gain; 0 if none is proven."""
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
