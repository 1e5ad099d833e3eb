"""Steady spin of a spacecraft with any elements, including flexible arms deformed by the spin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import unit_quaternion, vector
from ...errors import EquilibriumError, InputError
from ...hub.dead_zones import without_dead_zones
from ...in_range import in_range
from ...one_thread import one_thread
from .. import own_chart
from ..deviations import deviations, ignorable
from ..holding import held_coordinates, holding_torques, require_held
from ..outputs import select_outputs
from ..steady import Matrices, require_steady
from ..tangent import matrices_at, moved_by
from .reduced import NO_FRICTION, require_alone

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]

ITERATIONS = 40
LARGEST_TURN = 0.2  # largest rotation of a node in one Newton step, rad
LARGEST_SHARE = 0.3  # largest relative change of momentum in one Newton step
CUT = 1e-12  # relative singular value below which a direction belongs to a family


@one_thread
@in_range("the steady spin")
def steady_spin(craft: Spacecraft, rate: ArrayLike, *, attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> Array:
    """Return the state of the steady spin nearest to a given rate, with the same speed.

    Newton's method is applied, with exact derivatives, to the equations of motion in axes that rotate with the hub, in
    which a steady spin is constant. The spin stretches arms, and bends arms that are neither along nor normal to the
    axis. The spin axis moves to the principal axis of the deformed spacecraft, or to the direction that the wheels
    require. A wheel without friction, or with a motor that can hold its rate (`holds_rate`), rotates at the
    `relative_rate` of its element; any other wheel rotates at the rate at which friction balances its constant
    `motor_torque`.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft, without external loads.
    rate : array_like, shape (3,)
        Body rate, hub axes, rad/s: near a principal axis.
    attitude : array_like, shape (4,)
        Euler parameters of the hub.

    Returns
    -------
    numpy.ndarray, shape (nx,)
        The state, for `Spacecraft.linearize` and simulation; |omega| is |rate|.

    Raises
    ------
    InputError
        When the rate is zero, or an external load acts on the spacecraft.
    EquilibriumError
        When no steady spin is found near the given rate.

    Examples
    --------
    A rod of 2 m that spins about its clamped end has the root strain m w^2 L^2 / 2 E A, with the mass per length m.

    >>> from polhode import plant
    >>> from polhode.plant.flexible import Arm, BeamSection, node_strains
    >>> section = BeamSection(
    ...     area=1e-2, second_moment_m=2e-7, second_moment_n=2e-7, youngs_modulus=7e8, shear_modulus=2.7e8,
    ...     density=120.0,
    ... )
    >>> arm = Arm(section=section, length=2.0, elements=2, direction=(1, 0, 0))
    >>> craft = plant.Spacecraft(plant.RigidBody((1e6, 1e6, 1.5e6), mass=1e6), elements=[arm])
    >>> x = plant.steady_spin(craft, (0, 0, 10.0))
    >>> print(f"{node_strains(craft, [x])[0][0, 0]:.3e} {120.0 * 10.0**2 * 2.0**2 / (2 * 7e8):.3e}")
    3.429e-05 3.429e-05
    """
    require_alone(craft)
    craft = without_dead_zones(craft)
    spin = vector("rate", rate, unit="rad/s")
    speed = float(np.linalg.norm(spin))
    if speed == 0.0:
        raise InputError("the rate must not be zero; for a spacecraft at rest use craft.at_rest()")
    e = unit_quaternion("attitude", attitude)
    x = craft.spinning(spin)
    outputs = select_outputs(craft, ("rate",), x[3:7])
    best, least, stalled = x, np.inf, 0
    for _ in range(ITERATIONS):
        model = matrices_at(craft, x, 0.0, outputs, held=holding_torques(craft, x))
        errors, slopes, kept = _equations(craft, x, model, speed)
        rows, columns = _scales(slopes)
        scaled = slopes * rows[:, None] * columns
        size = float(np.abs(errors * rows).max())
        if not np.isfinite(size):
            break
        stalled = stalled + 1 if size > 0.5 * least else 0
        if size < least:
            best, least = x, size
        if stalled > 2:
            break
        algebra: Any = np.linalg
        change = np.zeros(len(model.a))
        change[kept] = columns * algebra.lstsq(scaled, -errors * rows, rcond=CUT)[0]
        x = np.asarray(moved_by(craft, x, change * _share(craft, x, change)))
    try:
        held = holding_torques(craft, best)
        require_held(craft, best, held)
        require_steady(craft, best, matrices_at(craft, best, 0.0, outputs, held=held))
    except EquilibriumError as error:
        raise EquilibriumError(
            f"no steady spin found near {spin.tolist()} rad/s ({error}); spin about a principal axis of the "
            "spacecraft, or more slowly"
        ) from None
    best = best.copy()
    best[craft.layout.own] = own_chart.turned(craft, best, e)
    best[3:7] = e
    return best


def _equations(craft: Spacecraft, x: Array, found: Matrices, speed: float) -> tuple[Array, Array, NDArray[np.int64]]:
    """Return residuals, their derivatives with respect to the unknowns, and the indices of the unknowns."""
    n = len(craft.layout.coordinates)
    cyclic = ignorable(craft)  # ignorable coordinates
    omitted = {0, 1, 2, *cyclic}
    if craft.translation:
        omitted |= set(range(6 + 2 * n, 12 + 2 * n))
    kept = np.array([k for k in range(len(found.a)) if k not in omitted], dtype=np.int64)
    errors, slopes = found.residual.copy(), found.a.copy()
    held = held_coordinates(craft)
    p = slice(6 + n, 6 + 2 * n)
    for k in cyclic:
        momentum = k + n
        if k - 6 in held or np.abs(found.a[momentum, p]).max() <= NO_FRICTION * speed:  # constant momentum
            errors[momentum] = found.residual[k] - craft.initial_rates[k - 6]
            slopes[momentum] = found.a[k]
    omega = craft.rate(x)
    rate_error = 0.5 * (float(omega @ omega) / speed**2 - 1.0)
    by_rate = omega @ found.c / speed**2
    return np.append(errors[kept], rate_error), np.vstack([slopes[kept][:, kept], by_rate[kept]]), kept


def _scales(matrix: Array) -> tuple[Array, Array]:
    """Return row and column factors that scale the largest entry of each row and column to about one."""
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    for _ in range(6):
        sizes = np.abs(matrix * rows[:, None] * columns)
        rows /= np.sqrt(np.where(sizes.max(axis=1) > 0.0, sizes.max(axis=1), 1.0))
        columns /= np.sqrt(np.where(sizes.max(axis=0) > 0.0, sizes.max(axis=0), 1.0))
    return rows, columns


def _share(craft: Spacecraft, x: Array, change: Array) -> float:
    """Return the step fraction that limits the rotation of nodes and the change of momentum."""
    _, units, places = deviations(craft)
    turns = [abs(change[k]) for k, unit in zip(places, units, strict=True) if unit == "rad"]
    bounds = (
        (LARGEST_TURN, max(turns, default=0.0)),
        (LARGEST_SHARE, float(np.linalg.norm(change[3:6]) / np.linalg.norm(x[:3]))),
    )
    return min([1.0, *(most / size for most, size in bounds if size > most)])
