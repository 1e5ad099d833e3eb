# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Coarse Sun sensor: cells that follow the cosine law, and the direction from all lit cells."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import numbers
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import to_body
from ....plant.quantity import NUMBER, Shape, declared, quantity
from ...contracts.block_draws import draw_normals
from ...guidance.inertial_vector import DIRECTION, InertialVector, vector_row
from ...guidance.inertial_vector_kernel import VECTOR, inertial_vector
from ...laws.shaped_noise import ShapedNoise
from .direction_sensor import DirectionSensor, direction_form, seen_from
from .line_of_sight import LineOfSight
from .sensor import RIGHT_ANGLE, WIDTHS, MeasurementKernel, head
from .sensor_kernels import SENSOR, attitude_at_place, tell

Array = NDArray[np.float64]

NUMBERS = fields(head=SENSOR.size, noise=1, edge=1, lit=1, cells=1, sun=VECTOR.size)  # the normals follow
FLAT = 1e-3  # smallest determinant of sum n n' over the lit cells for which the direction is observable


@kernel
def coarse_sun_sensor_kernel(t, y, q, z, v):
    """y = attitude, rate [, Sun signal] -> v = unit vector to the Sun in body axes, validity flag, time.

    The direction is the least-squares solution over the lit cells. The measurement is invalid if fewer than three cells
    are lit, or if their normals are coplanar.
    """
    s0, s1, s2 = inertial_vector(t, y, q, NUMBERS.sun)
    size = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    if size > 0.0:
        e0, e1, e2, e3 = attitude_at_place(y, q)
        s0, s1, s2 = to_body(e0, e1, e2, e3, s0 / size, s1 / size, s2 / size)
    a00, a01, a02, a11, a12, a22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    b0, b1, b2 = 0.0, 0.0, 0.0
    lit = 0
    for n in range(int(q[NUMBERS.cells])):
        k = NUMBERS.size + 3 * n
        n0, n1, n2 = q[k], q[k + 1], q[k + 2]
        current = n0 * s0 + n1 * s1 + n2 * s2
        if current <= q[NUMBERS.edge]:
            current = 0.0
        current += q[NUMBERS.noise] * draw_normals(q, z[0], n)[0]
        if current > q[NUMBERS.lit]:
            lit += 1
            a00, a01, a02 = a00 + n0 * n0, a01 + n0 * n1, a02 + n0 * n2
            a11, a12, a22 = a11 + n1 * n1, a12 + n1 * n2, a22 + n2 * n2
            b0, b1, b2 = b0 + n0 * current, b1 + n1 * current, b2 + n2 * current
    c00, c01, c02 = a11 * a22 - a12 * a12, a02 * a12 - a01 * a22, a01 * a12 - a02 * a11
    c11, c12, c22 = a00 * a22 - a02 * a02, a01 * a02 - a00 * a12, a00 * a11 - a01 * a01
    determinant = a00 * c00 + a01 * c01 + a02 * c02
    seen = lit >= 3 and determinant > FLAT
    if seen:
        v0, v1, v2 = c00 * b0 + c01 * b1 + c02 * b2, c01 * b0 + c11 * b1 + c12 * b2, c02 * b0 + c12 * b1 + c22 * b2
        size = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
        v[0], v[1], v[2] = v0 / size, v1 / size, v2 / size
    tell(t, q, z, v, 3, seen)


def _normals(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    rows = numbers(name, value)
    if rows.ndim != 2 or rows.shape[1] != 3 or len(rows) < 3 or not rows.any(axis=1).all():
        raise InputError(f"{name} must be three or more directions, shape (n, 3); got {rows.shape}")
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


NORMALS: Shape[ArrayLike, Array] = Shape(_normals, "vectors")


@declared
class CoarseSunSensor(DirectionSensor):
    """A coarse Sun sensor: cells with a cosine law, of which three or more give the Sun direction.

    The current of a cell is ``max(0, n . s)`` up to its half-angle and 0 beyond, plus noise. The direction is the
    least-squares solution over the lit cells. A sample is invalid if fewer than three cells are lit, or if their
    normals are coplanar. Light from the Earth (albedo), which adds tens of per cent, is not modelled.

    Parameters
    ----------
    sun : array_like, shape (3,), InertialVector or str
        Direction to the Sun, inertial components, of any length; or the name of a signal with this vector, in which
        (0, 0, 0) means eclipse.
    normals : array_like, shape (n, 3)
        Normals of the cells, body components; n >= 3.
    noise : float
        Noise of each current, relative to the full current.
    half_angle : float
        Largest angle between normal and Sun direction at which a cell is lit, rad; pi/2 by default.
    loss : float
        Probability that a sample is lost.
    outages : array_like, shape (k, 2)
        Intervals (from, to) without samples, s.
    modal_slopes : array_like, shape (3, n), optional
        Rotation of the sensor relative to the hub per unit of each modal coordinate; see `MountedSensor`.
    modal_coordinates : sequence of str, optional
        Names of the modal coordinates; by default mode_1 to mode_n.
    name : str
        Name of the sensor and of its signal; it also selects the random numbers.

    Raises
    ------
    InputError
        When the normals are not directions, the half-angle is out of range, or the noise is too large.

    Examples
    --------
    >>> pyramid = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]
    >>> cells = CoarseSunSensor(sun=(0.1, 0, 1), normals=pyramid, noise=0.01, half_angle=1.2)
    >>> cells.record([0.0], [(1, 0, 0, 0)], seed=1).body.shape
    (1, 3)
    """

    sun: Any = quantity(converter=DIRECTION, doc="direction to the Sun at t = 0, inertial axes, any length but zero")
    normals: Array = quantity(converter=NORMALS, doc="normals of the cells, body axes, three or more")
    noise: float = quantity(
        converter=NUMBER, case="percent", positive=True, below=0.2, hint="of the full current; per cent?",
        doc="noise of each current, relative to the full one, 1 sigma",
    )  # fmt: skip
    half_angle: float = quantity(
        "rad", converter=NUMBER, case="deg", positive=True, at_most=RIGHT_ANGLE, hint="degrees?", default=RIGHT_ANGLE,
        doc="largest angle from its normal at which a cell is lit",
    )  # fmt: skip
    name: str = "sun_cells"

    __repr__ = brief

    @property
    def sigma(self) -> float:
        """RMS noise of the direction about each perpendicular axis over all measurable directions, rad."""
        k = np.arange(400) + 0.5
        height, turn = 1.0 - k / 200.0, np.pi * (1.0 + 5.0**0.5) * k
        across = np.sqrt(1.0 - height**2)
        squares: list[float] = []
        for s in np.column_stack((across * np.cos(turn), across * np.sin(turn), height)):
            lit = np.asarray(self.normals)[np.asarray(self.normals) @ s > max(self._edge, self._lit)]
            if len(lit) >= 3 and np.linalg.det(lit.T @ lit) > FLAT:
                spread = np.linalg.inv(lit.T @ lit)
                squares.append(0.5 * float(np.trace(spread) - s @ spread @ s))
        if not squares:
            raise InputError(f"no direction lights three cells of {self.name}; give more cells or a wider half_angle")
        return float(self.noise * np.sqrt(np.mean(squares)))

    @property
    def _edge(self) -> float:
        return math.cos(self.half_angle)

    @property
    def _lit(self) -> float:
        return 5.0 * self.noise  # noise lights a dark cell only once in 3.5 million samples

    @property
    def lines_of_sight(self) -> tuple[LineOfSight, ...]:
        """Fields of view of the cells, centred on their normals."""
        return tuple(
            LineOfSight(axis=normal, half_angle=self.half_angle) for normal in np.asarray(self.normals).tolist()
        )

    @property
    def looks_for(self) -> Mapping[str, InertialVector | str]:
        """Measured direction, keyed by the label used in figures."""
        return {"Sun": self.sun}

    def reading(self) -> MeasurementKernel:
        """Return the kernel and parameters of this sensor, for replay.

        Returns
        -------
        MeasurementKernel
            Kernel, signals, parameters and memory.
        """
        widths = dict(WIDTHS)
        found = filled(
            NUMBERS,
            head=head(self),
            noise=self.noise,
            edge=self._edge,
            lit=self._lit,
            cells=len(np.asarray(self.normals)),
            sun=vector_row(self.sun, list(widths), widths),
        )
        reading = MeasurementKernel(
            kernel=coarse_sun_sensor_kernel, reads=widths, numbers=[*found, *np.asarray(self.normals).ravel()],
            memory=(0, 0, 0, 1), width=3, unit="1", form=partial(direction_form, self.sun), noise=self._noise,
            silent=(NUMBERS.noise,),
        )  # fmt: skip
        return self.at_place(reading)

    def _noise(self, y0: NDArray[np.float64], sample: float) -> list[ShapedNoise]:
        """Return the noise of the currents, mapped to the direction and projected across the line of sight."""
        del sample
        s = seen_from(self.sun, y0)
        s = s / np.linalg.norm(s)
        normals = np.asarray(self.normals)
        lit = normals[normals @ s > max(self._edge, self._lit)]
        return [ShapedNoise(source="noise", D=self.noise * (np.eye(3) - np.outer(s, s)) @ np.linalg.pinv(lit))]

    def _angle(self, lengths: Sequence[float]) -> float:
        del lengths
        return self.sigma
