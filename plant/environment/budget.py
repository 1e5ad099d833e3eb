"""Torque budget: contribution of each torque source to the momentum of a spacecraft over a run."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..attitude import rotation_matrix
from ..elements.element import level_slices
from ..elements.hysteresis_rod import HysteresisRod
from ..frozen import frozen_arrays
from ..hub.dynamics import body_rate
from ..hub.parameters import AT_POTENTIALS, W_V
from ..loads.potentials.gravity_gradient import GravityGradient
from ..loads.potentials.kinds import number_of, potential_load
from ..loads.potentials.thrust import Thrust
from .loads import EnvironmentLoads
from .spline_table import COLUMNS

if TYPE_CHECKING:
    from ..loads.potentials.any_potential import AnyPotential
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

RODS = "hysteresis rods"
"""Name of the torque of the hysteresis rods in a budget."""

LARGEST_TURN = 0.5
"""Largest rotation between two rows at which the integrals of a budget are accurate to 2 %, rad."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class TorqueBudget:
    """Torques on a spacecraft over a run, by source.

    Attributes
    ----------
    sources : tuple of str
        Names of the sources.
    torque : numpy.ndarray, shape (sources, n, 3)
        Torque at each time, body axes, N m.
    mean : numpy.ndarray, shape (sources, 3)
        Mean over time, body axes, N m.
    peak : numpy.ndarray, shape (sources,)
        Largest magnitude, N m.
    momentum : numpy.ndarray, shape (sources, 3)
        Change of the angular momentum over `orbits`, inertial axes, N m s.
    secular : numpy.ndarray, shape (sources, 3)
        The same change per orbit, N m s; NaN if the run is shorter than one orbit.
    orbits : int
        Number of whole orbits, starting at the first time, over which the momentum change is taken; 0: the whole run.
    turn : float
        Largest rotation of the body between two rows, rad. The trapezoidal rule has a relative error of about
        turn**2 / 12 for a torque that is fixed in inertial axes. Above `LARGEST_TURN`, mean and momentum are
        unreliable.
    """

    sources: tuple[str, ...]
    torque: Array
    mean: Array
    peak: Array
    momentum: Array
    secular: Array
    orbits: int
    turn: float


def sources_of(craft: "Spacecraft") -> "tuple[tuple[str, AnyPotential], ...]":
    """Return name and load of each torque source along a prescribed orbit, in the order of the potentials."""
    found: list[tuple[str, AnyPotential]] = []
    for potential in craft.potentials:
        if isinstance(potential, EnvironmentLoads):
            found += [(source, potential.only(source)) for source in potential.sources]
        elif potential.time_dependent and not isinstance(potential, Thrust):  # an actuator, not the environment
            found.append((potential.words.removeprefix("the "), potential))
    return tuple(found)


def orbital_period(craft: "Spacecraft") -> float:
    """Return the period of the prescribed orbit of a spacecraft at t = 0, s; NaN if there is none."""
    for potential in craft.potentials:
        if isinstance(potential, EnvironmentLoads):
            return potential.fields.orbit.period
        if isinstance(potential, GravityGradient) and potential.position is not None:
            r, v = np.asarray(potential.position), np.asarray(potential.velocity)
            alpha = 2.0 / float(np.linalg.norm(r)) - float(v @ v) / potential.mu
            return float(2.0 * np.pi / np.sqrt(potential.mu * alpha**3)) if alpha > 0.0 else float("nan")
    return float("nan")


def torque_budget(craft: "Spacecraft", t: Array, *, states: Array, rate: Array, period: float) -> TorqueBudget:
    """Return the torque budget of a motion.

    Integrals over time use the trapezoidal rule, so the rows must resolve the rotation of the spacecraft.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with the loads among its potentials.
    t : numpy.ndarray, shape (n,)
        Times, s, ascending.
    states : numpy.ndarray, shape (n, nx)
        State vectors; the torque of a load that unloads wheels depends on the angular momentum.
    rate : numpy.ndarray, shape (n, 3)
        Body rate, rad/s.
    period : float
        Orbital period, s; NaN or infinity if there is no orbit.

    Returns
    -------
    TorqueBudget
        The budget; empty if there are no sources.
    """
    attitude = states[:, 3:7]
    sources: tuple[tuple[str, AnyPotential | None], ...] = sources_of(craft)
    torque = np.array([_torques(craft, load, t, states, rate) for _, load in sources]).reshape(len(sources), t.size, 3)
    rods = _rod_torques(craft, t, states)
    if rods is not None:
        sources, torque = (*sources, (RODS, None)), np.concatenate([torque, rods[None]])
    span = float(t[-1] - t[0])
    orbits = int(span / period * (1.0 + 1e-9)) if np.isfinite(period) and period > 0.0 else 0
    turns = np.stack([rotation_matrix(e) for e in attitude]) if t.size else np.zeros((0, 3, 3))
    inertial = np.einsum("nij,snj->sni", turns, torque)
    stop = t[0] + orbits * period if orbits else t[-1]
    momentum = _integral(t, inertial, float(stop))
    return TorqueBudget(
        sources=tuple(name for name, _ in sources),
        torque=torque,
        mean=_integral(t, torque, float(t[-1])) / span if span > 0.0 else torque[:, 0],
        peak=np.linalg.norm(torque, axis=2).max(axis=1),
        momentum=momentum,
        secular=momentum / orbits if orbits else np.full_like(momentum, np.nan),
        orbits=orbits,
        turn=_largest_turn(attitude),
    )


def _largest_turn(attitude: Array) -> float:
    """Return the largest rotation between two rows of Euler parameters, rad."""
    if len(attitude) < 2:
        return 0.0
    unit = attitude / np.linalg.norm(attitude, axis=1)[:, None]
    cosine = np.abs(np.einsum("ni,ni->n", unit[1:], unit[:-1]))
    return float(2.0 * np.arccos(np.minimum(cosine, 1.0)).max())


def _torques(craft: "Spacecraft", load: "AnyPotential", t: Array, states: Array, rate: Array) -> Array:
    """Return the torque (n, 3) of one load, evaluated by its kernel."""
    from ..spacecraft import Spacecraft

    loads = [load]
    if any(isinstance(element, HysteresisRod) for element in craft.elements):  # they need the field
        loads.append(EnvironmentLoads(fields=_magnetic(craft).fields))
    one = Spacecraft(
        craft.body, torques=craft.torques, external=craft.external, elements=craft.elements, potentials=loads
    )
    p, w = one.pack(), one.work_space()
    row, kind = int(p[AT_POTENTIALS]) + 1, number_of(load)
    found = np.empty((t.size, 3))
    v = int(p[W_V])
    for k in range(t.size):
        w[v : v + 3] = body_rate(float(t[k]), states[k], np.zeros(3), p, w)  # also sets the inertia of moving elements
        found[k] = potential_load(kind, float(t[k]), states[k], p, row, w)[:3]
    return found


def _rod_torques(craft: "Spacecraft", t: Array, states: Array) -> Array | None:
    """Return the torque (n, 3) of all hysteresis rods, or None if there are none."""
    rods = [element for element in craft.elements if isinstance(element, HysteresisRod)]
    if not rods:
        return None
    fields = _magnetic(craft).fields
    flux = fields.at(t)[:, COLUMNS.field : COLUMNS.field + 3]
    turns = np.stack([rotation_matrix(e) for e in states[:, 3:7]])
    body = np.einsum("nji,nj->ni", turns, flux)
    total = np.zeros((t.size, 3))
    for element, own in level_slices(craft.elements, craft.layout.levels.start):
        if isinstance(element, HysteresisRod):
            total += element.torque(body, states[:, own.start])
    return total


def _magnetic(craft: "Spacecraft") -> EnvironmentLoads:
    """Return the environment whose magnetic field acts on the rods."""
    return next(each for each in craft.potentials if isinstance(each, EnvironmentLoads) and each.fields.magnetic)


def _integral(t: Array, rows: Array, stop: float) -> Array:
    """Return the integral of rows (sources, n, 3) from the first time to `stop`, by the trapezoidal rule."""
    inside = t < stop
    times = np.append(t[inside], stop)
    last: Any = [[np.interp(stop, t, column) for column in source.T] for source in rows]
    values: Any = np.concatenate([rows[:, inside], np.reshape(last, (len(rows), 1, 3))], axis=1)
    return np.asarray(np.trapezoid(values, times, axis=1))
