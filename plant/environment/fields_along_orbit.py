"""Tables of position, Sun vector, magnetic field, relative wind and density along an orbit."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..checks import positive
from ..errors import InputError
from ..frozen import frozen_arrays
from .density import Density
from .eclipse import Contact, eclipse_contacts
from .frames import earth_rate, gcrf_to_itrf
from .magnetic_field import MagneticField
from .orbit import Orbit, lowest_radius
from .spline_table import COLUMNS, spline_coefficients, spline_weights
from .sun_moon import sun_position

Array = NDArray[np.float64]

TOLERANCE, LIMIT = 3e-5, 1e-4
"""Relative interpolation error at which refinement ends, and the largest accepted error."""
FINEST = 2.0  # s, smallest step of the table
ROWS_PER_ORBIT = 60


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class FieldsAlongOrbit:
    """Environment of a spacecraft along an orbit, as a quintic spline over time, from `fields_along`.

    Attributes
    ----------
    orbit : Orbit
        The orbit.
    duration : float
        Duration that the table covers, from t = 0, s.
    coefficients : numpy.ndarray, shape (intervals + 5, 13)
        B-spline coefficients of the columns `COLUMNS`.
    contacts : tuple of Contact
        Contacts with the shadow of the Earth, computed for the apparent Sun.
    errors : dict
        Largest relative error of each column group between the rows, compared with direct evaluation.
    magnetic, dense : bool
        Whether the table has a magnetic field and a density, respectively.
    """

    orbit: Orbit
    duration: float
    coefficients: Array
    contacts: tuple[Contact, ...]
    errors: dict[str, float] = field(default_factory=dict[str, float])
    magnetic: bool = False
    dense: bool = False

    @property
    def intervals(self) -> int:
        """Number of intervals of the table."""
        return len(self.coefficients) - 5

    @property
    def step(self) -> float:
        """Step of the table, s."""
        return self.duration / self.intervals

    def at(self, t: NDArray[np.float64]) -> Array:
        """Return the interpolated columns, identical to the values in the kernels.

        Parameters
        ----------
        t : numpy.ndarray, shape (n,)
            Times, s, 0 to `duration`.

        Returns
        -------
        numpy.ndarray, shape (n, 13)
            Columns as in `COLUMNS`.
        """
        place = np.asarray(t, dtype=np.float64) / self.step
        row = np.clip(place.astype(np.int64), 0, self.intervals - 1)
        weights = spline_weights(place - row)
        return sum((w[:, None] * self.coefficients[row + k] for k, w in enumerate(weights)), np.zeros(()))


@lru_cache(maxsize=16)
def fields_along(
    orbit: Orbit, duration: float, *, magnetic: MagneticField | None = None, density: Density | None = None
) -> FieldsAlongOrbit:
    """Return the environment along an orbit, computed once for a run.

    The step begins at a sixtieth of the period and is halved until the spline reproduces the models between its rows
    to 3e-5, relative to position and Sun distance, local magnetic field, speed and density. The result is cached.

    Parameters
    ----------
    orbit : Orbit
        The orbit; it must be defined a few steps before 0 and after the end.
    duration : float
        Duration of the run, s.
    magnetic : MagneticField, optional
        Model of the magnetic field. None: zero field.
    density : Density, optional
        Model of the density. None: zero density.

    Returns
    -------
    FieldsAlongOrbit
        The table, with its measured errors.

    Raises
    ------
    InputError
        When the orbit enters the Earth, a model does not cover the dates, or steps of 2 s do not reach 1e-4.
    """
    duration = positive("duration", duration, "s")
    period = orbit.period
    step = min(period / ROWS_PER_ORBIT, 3600.0) if np.isfinite(period) else 60.0

    def rows(t: Array) -> Array:
        return _rows(orbit, t, magnetic, density)

    intervals = max(4, int(np.ceil(duration / step)))
    while True:
        coefficients = spline_coefficients(rows, 0.0, duration, intervals)
        table = FieldsAlongOrbit(
            orbit=orbit, duration=duration, coefficients=coefficients, contacts=(),
            magnetic=magnetic is not None, dense=density is not None,
        )  # fmt: skip
        errors = _errors(table, rows)
        worst = max(errors.values())
        if worst <= TOLERANCE or duration / intervals < 2.0 * FINEST:
            break
        intervals *= 2
    if not worst <= LIMIT:
        name = max(errors, key=lambda each: errors[each])
        raise InputError(
            f"the {name} along the orbit changes too fast for a table with steps of {FINEST:g} s: the error is "
            f"{worst:.2g}, above {LIMIT:g}; use a smoother model"
        )
    lowest_radius(orbit, table.at(np.linspace(0.0, duration, 4 * intervals + 1))[:, :3])
    contacts = eclipse_contacts(lambda t: _places(orbit, t), start=0.0, stop=duration, step=min(step, 60.0))
    return FieldsAlongOrbit(
        orbit=orbit, duration=duration, coefficients=coefficients, contacts=contacts, errors=errors,
        magnetic=magnetic is not None, dense=density is not None,
    )  # fmt: skip


def _places(orbit: Orbit, t: Array) -> tuple[Array, Array]:
    return orbit.state(t)[0], sun_position(orbit.epoch, t)


def _rows(orbit: Orbit, t: Array, magnetic: MagneticField | None, density: Density | None) -> Array:
    position, velocity = orbit.state(t)
    lowest_radius(orbit, position)
    table = np.zeros((t.size, COLUMNS.size))
    table[:, COLUMNS.position : COLUMNS.sun] = position
    table[:, COLUMNS.sun : COLUMNS.field] = sun_position(orbit.epoch, t) - position
    if magnetic is not None:
        table[:, COLUMNS.field : COLUMNS.wind] = magnetic.along(orbit.epoch, t, position=position)
    if density is not None:
        omega = earth_rate(gcrf_to_itrf(orbit.epoch, t))
        table[:, COLUMNS.wind : COLUMNS.log_density] = velocity - np.cross(omega, position)
        table[:, COLUMNS.log_density] = np.log(density.along(orbit.epoch, t, position=position))
    return table


def _errors(table: FieldsAlongOrbit, rows: Callable[[Array], Array]) -> dict[str, float]:
    """Return the largest relative error of each column group, at 1/2 and 1/3 of each interval."""
    first: Array = np.arange(table.intervals, dtype=np.float64) * table.step
    t = np.concatenate([first + 0.5 * table.step, first + table.step / 3.0])
    direct, spline = rows(t), table.at(t)
    errors: dict[str, float] = {}
    groups = {"position": COLUMNS.position, "Sun": COLUMNS.sun, "magnetic field": COLUMNS.field, "wind": COLUMNS.wind}
    for name, at in groups.items():
        size = np.linalg.norm(direct[:, at : at + 3], axis=1)
        off = np.linalg.norm((spline - direct)[:, at : at + 3], axis=1)
        errors[name] = float((off / np.where(size > 0.0, size, 1.0)).max())
    errors["density"] = float(np.abs((spline - direct)[:, COLUMNS.log_density]).max())
    return errors
