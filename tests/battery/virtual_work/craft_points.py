"""A random spacecraft with arms, its state, and the positions of all its points under virtual displacements."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode import plant
from polhode.plant.attitude import rotation_matrix
from polhode.plant.elements.branch import branches
from polhode.plant.hub.dynamics import derivative
from tests.battery.virtual_work.point_masses import KINDS, Heap, arm, beam_points, tensor_points

INERTIA = np.array(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)))
HUB_MASS = 60.0
PIVOT = np.array((0.1, -0.2, 0.3))
SUPPORTS = ("free", "translating", "pivoted")
BEND = 1e-3
"""Of the shapes: the plant integrates sections at three points of an element, which leaves some 1e-7 of their force."""


@dataclass(frozen=True)
class Points:
    """Masses (n), positions (n, 3), position (3) of the hub's mass centre, and R of the hub; inertial components."""

    masses: Any
    places: Any
    hub: Any
    turn: Any


class CraftPoints:
    """A random spacecraft on a support, and its points.

    A virtual displacement `d` is a vector: 3 rotations of the whole (body axes, rad), 3 displacements of the mass
    centre, one for each coordinate, then for each arm the strain at its root and, for each node, displacement,
    rotation (inertial) and strain.
    """

    def __init__(self, seed: int, support: str, *, arms: int, gradient: bool) -> None:
        rng = np.random.default_rng(seed)
        kinds = [KINDS[k] for k in rng.integers(0, len(KINDS) - 1, size=rng.integers(0, 4))]
        heaps = [kind(rng) for kind in kinds]
        self.heaps = [heap for heap in heaps if heap.gradient or not gradient]
        elements = [heap.element for heap in self.heaps] + [arm(rng) for _ in range(arms)]
        self.elements = [elements[k] for k in rng.permutation(len(elements))]
        apart = np.random.default_rng((seed, 1))  # whether there is a gyro leaves the other parts of a seed unchanged
        for _ in range(apart.integers(0, 3)):
            self.heaps.append(KINDS[-1](apart))
            self.elements.insert(apart.integers(0, len(self.elements) + 1), self.heaps[-1].element)
        self.support = support
        self.held = support == "pivoted"
        self.body = plant.RigidBody(INERTIA, mass=HUB_MASS, pivot=PIVOT if self.held else None)
        self.bare = self.craft()
        self.layout = self.bare.layout
        attitude = rng.normal(size=4)
        self.place = rng.normal(size=3)
        self.x = self._somewhere(rng, attitude / np.linalg.norm(attitude))

    def craft(self, **loads: Any) -> plant.Spacecraft:
        """The spacecraft under some loads."""
        return plant.Spacecraft(self.body, elements=self.elements, translation=self.support == "translating", **loads)

    def _somewhere(self, rng: Any, attitude: Any) -> Any:
        place = {"position": self.place, "velocity": rng.normal(size=3)} if self.support == "translating" else {}
        x = self.bare.state(attitude=attitude, rate=0.2 * rng.normal(size=3), **place)
        own = self.layout.own
        x[own] += BEND * rng.uniform(-1, 1, size=own.stop - own.start)
        for at in self.layout.own_units_at:
            x[at : at + 4] /= np.linalg.norm(x[at : at + 4])
        return x

    @property
    def size(self) -> int:
        """Length of a virtual displacement."""
        return 6 + len(self.layout.coordinates) + sum(1 + 7 * each.elements for each in branches(self.elements))

    def _heap_of(self, element: Any) -> Heap | None:
        return next((heap for heap in self.heaps if heap.element is element), None)

    def points(self, d: Any) -> Points:
        """Return all points: inertial positions, or from the mass centre of the whole if that is not part of the
        state.
        """
        turn = rotation_matrix(self.x[3:7])
        turn = turn @ (np.eye(3) + skew(d[:3]))
        hub = -PIVOT if self.held else np.zeros(3)
        masses, places = tensor_points(HUB_MASS, INERTIA)
        masses, places = [masses], [(hub + places) @ turn.T]
        s = self.x[self.layout.internal] + d[6 : 6 + len(self.layout.coordinates)]
        first, at, shift = 0, self.layout.own.start, 6 + len(self.layout.coordinates)
        for element in self.elements:
            heap = self._heap_of(element)
            if heap is None:
                m, r = self._arm(element, at, d[shift : shift + 1 + 7 * element.elements], d[:3], turn, hub)
                at, shift = at + len(element.states), shift + 1 + 7 * element.elements
            else:
                count = len(element.coordinates)
                m, r = heap.masses, (hub + heap.places(s[first : first + count])) @ turn.T
                first += count
                if heap.lent:
                    masses.append(-heap.lent[0])
                    places.append((hub + heap.lent[1]) @ turn.T)
            masses.append(m)
            places.append(r)
        masses, places = np.concatenate(masses), np.concatenate(places)
        origin = np.zeros(3) if self.held else masses @ places / masses.sum()
        if self.support == "translating":
            origin = origin - self.place - d[3:6]
        return Points(masses=masses, places=places - origin, hub=turn @ hub - origin, turn=turn)

    def _arm(self, arm: Any, at: int, d: Any, theta: Any, turn: Any, hub: Any) -> tuple[Any, Any]:
        """Points from the reference point; nodes rotate with the whole by `theta` and then by their own rotation."""
        along = rotation_matrix(self.x[3:7]) @ theta
        r, axes, strain = [turn @ (hub + arm.root)], [turn @ arm.frame], [self.x[at] + d[0]]
        for node in range(arm.elements):
            k, m = at + 1 + 8 * node, 1 + 7 * node
            place = self.x[k : k + 3]
            r.append(place + np.cross(along, place) + d[m : m + 3])
            frame = rotation_matrix(self.x[k + 3 : k + 7])
            axes.append((np.eye(3) + skew(along) + skew(d[m + 3 : m + 6])) @ frame)
            strain.append(self.x[k + 7] + d[m + 6])
        return beam_points(arm, np.array(r), axes, strain)

    def force(self, work: Any) -> Any:
        """Derivative of a function along each virtual displacement, by complex steps."""
        tiny = 1e-40
        return np.array([np.imag(work(1j * tiny * step)) / tiny for step in np.eye(self.size)])

    def load(self, craft: plant.Spacecraft, u: Any = (0.0, 0.0, 0.0), pulses: Any = ()) -> Any:
        """Generalised forces of the loads of `craft`, which is the spacecraft with loads, in displacement order."""
        apart = rates(craft, self.x, u, pulses) - rates(self.bare, self.x, np.zeros(3))
        layout = self.layout
        parts = [apart[:3], apart[layout.linear_momentum] if self.support == "translating" else np.zeros(3)]
        parts.append(apart[layout.internal_momentum])
        at = layout.own.start
        for each in branches(self.elements):
            half = 1 + 8 * each.elements
            parts.append(apart[at + half : at + len(each.states)])
            at += len(each.states)
        return np.concatenate(parts)


def rates(craft: plant.Spacecraft, x: Any, u: Any, pulses: Any = ()) -> Any:
    """dx/dt, as plain Python."""
    dx = np.zeros_like(x)
    derivative(0.0, x, np.asarray(u, dtype=float), craft.pack(pulses), dx, craft.user_loads(), craft.work_space())
    return dx


def skew(a: Any) -> Any:
    zero = 0 * a[0]
    return np.array(((zero, -a[2], a[1]), (a[2], zero, -a[0]), (-a[1], a[0], zero)))
