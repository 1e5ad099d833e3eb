# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Flexible modes of appendages in hybrid coordinates (Likins): small vibrations, arbitrary rotation.

With a displacement u(r, t) = sum_k phi_k(r) eta_k of the mass at r, and modes of unit modal mass,

    M:  J of the undeformed craft, delta = integral r x phi dm (3 x n), identity
    d = L eta,  L = integral phi dm (3 x n)
    eta'' + 2 zeta w eta' + w^2 eta = -delta' omega' - L' (acceleration of the hub)

Hybrid coordinates omit second-order terms in the deformation: the changes of J and delta. They therefore do not contain
the stiffening and softening of an appendage by spin; rates should be well below the natural frequencies. The linear
momentum of a free spacecraft, and gravity on a pivoted one, do account for d.
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
"""Parameters of each mode: w^2, 2 zeta w, delta about the reference point, L."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class FlexibleModes:
    """Set of modes of unit modal mass (mass-normalised), as from a finite-element model.

    Inertia and mass of the hub are those of the whole undeformed spacecraft, appendages included. Modes with a
    translational participation move the mass centre; a free spacecraft then recoils and needs the mass of the hub.

    Parameters
    ----------
    frequencies : array_like, shape (n,)
        Natural frequencies of the appendages on a fixed hub, rad/s.
    damping_ratios : float or array_like, shape (n,)
        Damping ratios.
    rotation : array_like, shape (3, n)
        Rotational participation delta, about the mass centre of the undeformed craft, body components, kg^0.5 m.
    translation : array_like, shape (3, n), optional
        Translational participation L, kg^0.5. None: the modes are antisymmetric and leave the mass centre at rest.
    displacements : float or array_like, shape (n,)
        Modal coordinates eta at t = 0, kg^0.5 m.
    rates : float or array_like, shape (n,)
        Their rates at t = 0, kg^0.5 m/s.

    Raises
    ------
    InputError
        When shapes do not agree, a frequency is not positive or a damping ratio is negative; when the modes of a
        spacecraft need more inertia or mass than it has.

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
        """Kernel of all sets of modes."""
        return flexible_modes

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names mode_1, mode_2 and so on."""
        return tuple(f"mode_{k + 1}" for k in range(int(np.size(self.frequencies))))

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of a modal coordinate with unit modal mass."""
        return ("kg^0.5 m",) * len(self.coordinates)

    @property
    def driven(self) -> tuple[str, ...]:
        """All modes, each driven by a modal force: phi' times the force of an actuator on the appendage."""
        return self.coordinates

    cyclic = False
    """False: the modes have a stiffness."""

    constant = True
    """True: the contribution to the mass matrix is constant."""

    @property
    def moves_mass(self) -> bool:
        """Whether the modes have a translational participation."""
        return self.translation is not None and bool(np.asarray(self.translation).any())

    @property
    def feels_gradient(self) -> bool:
        """Whether a gravity gradient can act on the modes; modal data do not contain the change of the inertia."""
        return not self.moves_mass

    mass = 0.0
    """Zero: the mass of the hub includes that of the appendages."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Modal coordinates and rates at t = 0."""
        return [float(s) for s in np.asarray(self.displacements)], [float(s) for s in np.asarray(self.rates)]

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the parameters in the order the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            From the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT for each mode.
        """
        frequencies, ratios = np.asarray(self.frequencies), np.asarray(self.damping_ratios)
        rotation = np.asarray(self.rotation)
        translation = np.zeros_like(rotation) if self.translation is None else np.asarray(self.translation)
        rotation = rotation + np.cross(offset, translation, axisb=0).T
        table = np.vstack([frequencies**2, 2.0 * ratios * frequencies, rotation, translation])
        return [float(number) for number in table.T.ravel()]


def _each(name: str, numbers: ArrayLike, n: int, unit: str) -> NDArray[np.float64]:
    """One number per mode; a scalar applies to all."""
    if np.shape(numbers) == ():
        return np.repeat(vector(name, np.array([numbers]), 1, unit), n)
    return vector(name, numbers, n, unit)


def _rows(name: str, rows: ArrayLike, n: int, unit: str) -> NDArray[np.float64]:
    """Three rows with one column per mode."""
    if np.shape(rows) != (3, n):
        raise InputError(f"{name} must be 3 rows of {n} ({unit}), one column per mode; got shape {np.shape(rows)}")
    return vector(name, np.ravel(rows), 3 * n, unit).reshape(3, n)


@kernel
def flexible_modes(phase, t, x, u, p, row, w):
    """Kernel of a set of modes; see `polhode.plant.elements.element`."""
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
