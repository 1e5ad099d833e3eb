# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Flexible modes of appendages in hybrid coordinates (Likins): small vibrations of a craft that turns at will.

With a displacement u(r, t) = sum_k phi_k(r) eta_k of the mass at r, and modes of unit modal mass,

    M:  J of the undeformed craft, delta = integral r x phi dm (3 x n), identity
    d = L eta,  L = integral phi dm (3 x n)
    eta'' + 2 zeta w eta' + w^2 eta = -delta' omega' - L' (acceleration of the hub)

What hybrid coordinates leave out is of second order about rest: the change of J and of delta by the deformation. The
stiffening and softening of an appendage by spin are therefore not in it; rates should be well below the frequencies.
The linear momentum of a free craft, and the pull of gravity on a pivoted one, do know where d is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..brief import brief
from ..checks import vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..kernels.fields import fields, three
from ..kernels.kernel import kernel
from .assembly import (
    add_energy,
    add_force,
    add_mass,
    add_moment,
    add_moment_slope,
    add_power,
    relative_rate,
)

__all__ = ["FlexibleModes"]

AT = fields(stiffness=1, damping=1, rotation=3, translation=3)
"""Of each mode: w^2, 2 zeta w, delta about the reference point, L."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class FlexibleModes:
    """A set of modes of unit modal mass (mass-normalised), as from a finite-element model.

    Inertia and mass of the hub are those of the whole undeformed craft, appendages included. With a translational
    participation the modes move the mass centre; a free craft then needs the mass of the hub, and recoils.

    Parameters
    ----------
    frequencies : array_like, shape (n,)
        Natural frequencies of the appendages on a hub held fast, rad/s.
    damping_ratios : float or array_like, shape (n,)
        Damping ratios.
    rotation : array_like, shape (3, n)
        Rotational participation delta, about the mass centre of the undeformed craft, body components, kg^0.5 m.
    translation : array_like, shape (3, n), optional
        Translational participation L, kg^0.5; None: the modes are antisymmetric and move no mass centre.
    displacements : float or array_like, shape (n,)
        Modal coordinates eta at t = 0, kg^0.5 m.
    rates : float or array_like, shape (n,)
        Their rates at t = 0, kg^0.5 m/s.

    Raises
    ------
    InputError
        When shapes do not agree, a frequency is not positive or a damping ratio is negative; when a craft takes modes
        with more inertia or mass than it has.

    Examples
    --------
    >>> panels = FlexibleModes(frequencies=(1.2, 4.0), damping_ratios=0.005, rotation=((8, 0), (0, 3), (0, 0)))
    >>> panels.coordinates
    ('mode_1', 'mode_2')
    """

    frequencies: ArrayLike
    damping_ratios: ArrayLike
    rotation: ArrayLike
    translation: ArrayLike | None = None
    displacements: ArrayLike = 0.0
    rates: ArrayLike = 0.0

    __repr__ = brief

    def __post_init__(self) -> None:
        n = int(np.size(self.frequencies))
        frequencies = vector("mode frequencies", self.frequencies, n, "rad/s")
        if n == 0 or not (frequencies > 0.0).all():
            raise InputError(f"mode frequencies must be one or more above 0 (rad/s); got {frequencies.tolist()}")
        object.__setattr__(self, "frequencies", frequencies)
        ratios = _each("mode damping ratios", self.damping_ratios, n, "")
        if not (ratios >= 0.0).all():
            raise InputError(f"mode damping ratios must not be negative; got {ratios.tolist()}")
        object.__setattr__(self, "damping_ratios", ratios)
        object.__setattr__(self, "rotation", _rows("rotational participation", self.rotation, n, "kg^0.5 m"))
        if self.translation is not None:
            translation = _rows("translational participation", self.translation, n, "kg^0.5")
            object.__setattr__(self, "translation", translation)
        object.__setattr__(self, "displacements", _each("mode displacements", self.displacements, n, "kg^0.5 m"))
        object.__setattr__(self, "rates", _each("mode rates", self.rates, n, "kg^0.5 m/s"))

    @property
    def kernel(self) -> Callable[..., Any]:
        """The kernel of every set of modes."""
        return flexible_modes

    @property
    def coordinates(self) -> tuple[str, ...]:
        """mode_1, mode_2 and so on."""
        return tuple(f"mode_{k + 1}" for k in range(int(np.size(self.frequencies))))

    @property
    def units(self) -> tuple[str, ...]:
        """What unit modal mass makes of metres."""
        return ("kg^0.5 m",) * len(self.coordinates)

    @property
    def driven(self) -> tuple[str, ...]:
        """Every mode, by a modal force: phi' times the force of an actuator on the appendage."""
        return self.coordinates

    cyclic = False
    """Its coordinates have a stiffness."""

    constant = True
    """Its share of the mass matrix is constant."""

    @property
    def moves_mass(self) -> bool:
        """Whether there is a translational participation."""
        return self.translation is not None and bool(np.asarray(self.translation).any())

    @property
    def feels_gradient(self) -> bool:
        """Whether a gradient of gravity can act on them: modes do not tell how they change the inertia."""
        return not self.moves_mass

    mass = 0.0
    """Its mass is the hub's."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Modal coordinates and rates at t = 0."""
        return [float(s) for s in np.asarray(self.displacements)], [float(s) for s in np.asarray(self.rates)]

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return its numbers in the order its kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            For each mode as named in AT.
        """
        frequencies, ratios = np.asarray(self.frequencies), np.asarray(self.damping_ratios)
        rotation = np.asarray(self.rotation)
        translation = np.zeros_like(rotation) if self.translation is None else np.asarray(self.translation)
        rotation = rotation + np.cross(offset, translation, axisb=0).T
        table = np.vstack([frequencies**2, 2.0 * ratios * frequencies, rotation, translation])
        return [float(number) for number in table.T.ravel()]


def _each(name: str, given: ArrayLike, n: int, unit: str) -> NDArray[np.float64]:
    """A number for each mode, or one for all."""
    if np.shape(given) == ():
        return np.repeat(vector(name, np.array([given]), 1, unit), n)
    return vector(name, given, n, unit)


def _rows(name: str, given: ArrayLike, n: int, unit: str) -> NDArray[np.float64]:
    """Three rows of a number for each mode."""
    if np.shape(given) != (3, n):
        raise InputError(f"{name} must be 3 rows of {n} ({unit}), one column a mode; got shape {np.shape(given)}")
    return vector(name, np.ravel(given), 3 * n, unit).reshape(3, n)


@kernel
def flexible_modes(phase, t, x, u, p, row, w):
    """The kernel of a set of modes; see `polhode.plant.elements.element`."""
    first = int(p[row + 2])
    for j in range(int(p[row + 3])):
        k = first + j
        n = row + 4 + AT.size * j
        eta = x[7 + k]
        if phase == 0:
            for i in range(3):
                add_mass(p, w, 3 + k, i, p[n + AT.rotation + i])
            add_mass(p, w, 3 + k, 3 + k, 1.0)
            l0, l1, l2 = three(p, n + AT.translation)
            add_moment(p, w, l0 * eta, l1 * eta, l2 * eta)
            add_moment_slope(p, w, k, l0, l1, l2)
        elif phase == 1:
            rate = relative_rate(p, w, k)
            friction = -p[n + AT.damping] * rate
            add_force(p, w, k, friction - p[n + AT.stiffness] * eta)
            add_power(p, w, friction * rate)
        else:
            add_energy(p, w, 0.5 * p[n + AT.stiffness] * eta * eta)
