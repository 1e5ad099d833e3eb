# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Flexible modes of appendages in hybrid coordinates (Likins): small vibrations, arbitrary rotation.

With a displacement u(r, t) = sum_k phi_k(r) eta_k of the mass at r, and modes of unit modal mass,

    M:  J of the undeformed spacecraft, delta = integral r x phi dm (3 x n), identity
    d = L eta,  L = integral phi dm (3 x n)
    eta'' + 2 zeta w eta' + w^2 eta = -delta' omega' - L' (acceleration of the hub)

Hybrid coordinates omit second-order terms in the deformation: the changes of J and delta. They therefore do not
represent stiffening or softening of an appendage by spin; rates should be well below the natural frequencies. The
linear momentum of a free spacecraft, and gravity on a pivoted spacecraft, do include the change of d.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..brief import brief
from ..checks import vector
from ..errors import InputError
from ..kernels.fields import fields, three
from ..kernels.kernel import kernel
from ..quantity import COLUMNS, ONE_OR_SEVERAL, OPTIONAL_COLUMNS, SEVERAL, check_fields, declared, quantity
from .assembly import (
    add_energy,
    add_force,
    add_mass,
    add_moment,
    add_moment_slope,
    add_power,
    relative_rate,
)

Array = NDArray[np.float64]

AT = fields(stiffness=1, damping=1, rotation=3, translation=3)
"""Parameters of each mode: w^2, 2 zeta w, delta about the reference point, L."""


@declared
class FlexibleModes:
    """Flexible appendages as vibration modes: frequencies, damping ratios and participation vectors.

    The modes have unit modal mass (mass-normalised), as from a finite-element model.

    The inertia and mass of the hub must describe the whole undeformed spacecraft, appendages included. Modes with a
    translational participation move the mass centre; the hub of a free spacecraft then recoils, and its mass must be
    given.

    Parameters
    ----------
    frequencies : array_like, shape (n,)
        Natural frequencies of the appendages on a fixed hub, rad/s.
    damping_ratios : float or array_like, shape (n,)
        Damping ratios.
    rotation : array_like, shape (3, n)
        Rotational participation delta, about the mass centre of the undeformed spacecraft, body components, kg^0.5 m.
    translation : array_like, shape (3, n), optional
        Translational participation L, kg^0.5. None: the modes are antisymmetric and leave the mass centre at rest.
    displacements : float or array_like, shape (n,)
        Modal coordinates eta at t = 0, kg^0.5 m.
    rates : float or array_like, shape (n,)
        Modal rates at t = 0, kg^0.5 m/s.

    Raises
    ------
    InputError
        When shapes do not match, a frequency is not positive or a damping ratio is negative; when the modes of a
        spacecraft require more inertia or mass than the spacecraft has.

    Examples
    --------
    >>> panels = FlexibleModes(frequencies=(1.2, 4.0), damping_ratios=0.005, rotation=((8, 0), (0, 3), (0, 0)))
    >>> panels.coordinates
    ('mode_1', 'mode_2')
    """

    frequencies: Array = quantity(
        "rad/s", converter=SEVERAL, positive=True, doc="natural frequencies of the modes on a fixed hub"
    )
    damping_ratios: Array = quantity(converter=ONE_OR_SEVERAL, non_negative=True, doc="damping ratios, one or per mode")
    rotation: Array = quantity(
        "sqrt(kg) m", converter=COLUMNS, doc="participation in rotation, one vector per mode, body axes"
    )
    translation: Array | None = quantity(
        "sqrt(kg)", converter=OPTIONAL_COLUMNS, optional=True, default=None,
        doc="participation in translation, one vector per mode, body axes",
    )  # fmt: skip
    displacements: Array = quantity(
        "sqrt(kg) m", converter=ONE_OR_SEVERAL, default=0.0, start=True, case=None, doc="modal coordinates at t = 0"
    )
    rates: Array = quantity(
        "sqrt(kg) m/s", converter=ONE_OR_SEVERAL, default=0.0, start=True, case=None, doc="their rates at t = 0"
    )

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, of="modes")
        n = self.frequencies.size
        for name in ("damping_ratios", "displacements", "rates"):
            object.__setattr__(self, name, _each(f"{name.replace('_', ' ')} of modes", getattr(self, name), n))
        for name, rows in (("rotation", self.rotation), ("translation", self.translation)):
            if rows is not None and rows.shape != (3, n):
                raise InputError(
                    f"{name} of modes must have one vector for each of the {n} frequencies; got {rows.shape[1]}"
                )

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all sets of modes."""
        return flexible_modes

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names mode_1, mode_2 and so on."""
        return tuple(f"mode_{k + 1}" for k in range(self.frequencies.size))

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of each modal coordinate, with unit modal mass."""
        return ("kg^0.5 m",) * len(self.coordinates)

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of the driven modes: all modes, each driven by the modal force phi' F of an actuator."""
        return self.coordinates

    cyclic = False
    """False: the modes have a stiffness."""

    constant = True
    """True: the contribution to the mass matrix is constant."""

    @property
    def moves_mass(self) -> bool:
        """True if the modes have a translational participation."""
        return self.translation is not None and bool(self.translation.any())

    @property
    def feels_gradient(self) -> bool:
        """True if a gravity gradient may act. Modes that move mass change the inertia by an unknown amount."""
        return not self.moves_mass

    mass = 0.0
    """Zero: the mass of the hub includes that of the appendages."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Modal coordinates and rates at t = 0."""
        return self.displacements.tolist(), self.rates.tolist()

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT for each mode.
        """
        frequencies, ratios, rotation = self.frequencies, self.damping_ratios, self.rotation
        translation = np.zeros_like(rotation) if self.translation is None else self.translation
        rotation = rotation + np.cross(offset, translation, axisb=0).T
        table = np.vstack([frequencies**2, 2.0 * ratios * frequencies, rotation, translation])
        return [float(number) for number in table.T.ravel()]


def _each(name: str, values: Array, n: int) -> Array:
    """Return one value per mode; a scalar applies to all modes."""
    return vector(name, values, n) if values.ndim else np.full(n, float(values))


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
