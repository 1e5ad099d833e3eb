# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Magnetometer: magnetic field in body axes, T, with scale errors, misalignment, bias and noise."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled, matrix_times
from ....plant.kernels.kernel import kernel
from ....plant.quantity import NUMBER, OPTIONAL_NUMBER, QUATERNION, SMALL_MATRIX, declared, quantity
from ...contracts.block_draws import draw_normals
from ...guidance.inertial_vector import DIRECTION, InertialVector, vector_row
from ...guidance.inertial_vector_kernel import VECTOR
from ...laws.shaped_noise import ShapedNoise, rounding
from ..estimators.observation import Observation
from .direction_sensor import DirectionSensor, direction_form
from .sensor import NO_ERRORS, UPRIGHT, WIDTHS, MeasurementKernel, head, mounted
from .sensor_kernels import SENSOR, in_sensor_axes, rounded, tell

Array = NDArray[np.float64]

NUMBERS = fields(head=SENSOR.size, noise=1, bias=1, step=1, limit=1, errors=9, mounting=9, field=VECTOR.size)
NANOTESLA = "nT? 1 nT is 1e-9 T"

MEMORY = fields(count=1, last=3, bias=3)
BIAS = 3  # random number channel of the bias


@kernel
def magnetometer_kernel(t, y, q, z, v):
    """y = attitude, rate [, field signal] -> v = field in body axes, T, validity flag, time."""
    b0, b1, b2 = in_sensor_axes(t, y, q, NUMBERS.field, NUMBERS.mounting)
    v[0], v[1], v[2] = matrix_times(q, NUMBERS.errors, b0, b1, b2)
    beyond = False
    for n in range(3):
        if z[0] == 0.0:
            z[MEMORY.bias + n] = q[NUMBERS.bias] * draw_normals(q, 0, BIAS + n)[0]
        v[n] += z[MEMORY.bias + n] + q[NUMBERS.noise] * draw_normals(q, z[0], n)[0]
        v[n] = rounded(v[n], q[NUMBERS.step])
        limit = q[NUMBERS.limit]
        beyond = beyond or (limit > 0.0 and abs(v[n]) > limit)
    v[0], v[1], v[2] = matrix_times(q, NUMBERS.mounting, v[0], v[1], v[2])
    tell(t, q, z, v, 3, not beyond)


@declared
class Magnetometer(DirectionSensor):
    """A three-axis magnetometer in a known field, with noise, bias, resolution and range.

    The sensor measures ``b_m = R(mounting) ((I + M) R(mounting)' R(e)' B + bias + noise)``. The rotation about B is
    unobservable. Magnetic torquers are assumed to be off during sampling.

    Parameters
    ----------
    field : array_like, shape (3,), InertialVector or str
        B in inertial components, T; or the name of a signal with this vector.
    noise : float
        Noise of each axis, T.
    bias : float
        Standard deviation of the bias, which is drawn once for each axis, T.
    errors : array_like, shape (3, 3)
        M: scale errors on the diagonal, misalignments (rad) elsewhere.
    mounting : array_like, shape (4,)
        Euler parameters of the sensor axes in the body.
    step : float
        Resolution of the output, T; 0 for none.
    limit : float or None
        Measurement range, T; a sample beyond it is invalid.
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
        When an argument is negative, or so large that its unit is probably nT instead of T.

    Examples
    --------
    >>> Magnetometer.from_data_sheet(field=(2e-5, 0, 1e-5), noise_nT=20.0).noise
    2e-08
    """

    field: Any = quantity("T", converter=DIRECTION, case="nT", doc="the field at t = 0, inertial axes")
    noise: float = quantity(
        "T",
        converter=NUMBER,
        case="nT",
        non_negative=True,
        below=1e-3,
        hint=NANOTESLA,
        doc="noise of each axis, 1 sigma",
    )
    bias: float = quantity(
        "T", converter=NUMBER, case="nT", non_negative=True, below=1e-3, hint=NANOTESLA, default=0.0,
        doc="bias of each axis, drawn once, 1 sigma",
    )  # fmt: skip
    errors: Array = quantity(
        converter=SMALL_MATRIX, case=None, default=NO_ERRORS, doc="scale errors on the diagonal, misalignments off it"
    )
    mounting: Array = quantity(converter=QUATERNION, default=UPRIGHT, doc="Euler parameters of the sensor in the body")
    step: float = quantity(
        "T", converter=NUMBER, case="nT", non_negative=True, below=1e-3, hint=NANOTESLA, default=0.0, doc="resolution"
    )
    limit: float | None = quantity(
        "T", converter=OPTIONAL_NUMBER, case="uT", positive=True, optional=True, default=None, doc="measurement range"
    )
    name: str = "magnetometer"

    __repr__ = brief

    @property
    def looks_for(self) -> Mapping[str, InertialVector | str]:
        """Measured vector, keyed by the label used in figures."""
        return {"field": self.field}

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
            bias=self.bias,
            step=self.step,
            limit=self.limit or 0.0,
            errors=np.eye(3) + np.asarray(self.errors),
            mounting=mounted(self.mounting),
            field=vector_row(self.field, list(widths), widths),
        )
        R = mounted(self.mounting)
        errors = R @ (np.eye(3) + np.asarray(self.errors)) @ R.T
        reading = MeasurementKernel(
            kernel=magnetometer_kernel, reads=widths, numbers=found, memory=[0.0] * MEMORY.size, width=3, unit="T",
            form=partial(direction_form, self.field, unit=False, errors=errors), noise=self._noise,
            silent=(NUMBERS.noise, NUMBERS.bias, NUMBERS.step),
        )  # fmt: skip
        return self.at_place(reading)

    def _noise(self, y0: NDArray[np.float64], sample: float) -> list[ShapedNoise]:
        del y0, sample
        R = mounted(self.mounting)
        found = [ShapedNoise(source="noise", D=self.noise * R)]
        if self.bias > 0.0:
            found.append(ShapedNoise(source="bias", D=self.bias * R, constant=True))
        if self.step > 0.0:
            found.append(rounding("steps", self.step, size=3).through(R))
        return found

    def observation(self) -> Observation:
        """Return the measurement model of the sensor's messages for a filter.

        Returns
        -------
        Observation
            A direction, with the noise divided by the field strength.

        Raises
        ------
        InputError
            When the field is a signal, because its strength is then unknown.
        """
        if isinstance(self.field, str):
            raise InputError(
                f"the strength of the field of {self.name}, the signal {self.field!r}, is unknown before the run; for "
                "a filter give the sensor with an InertialVector of about that strength"
            )
        length = float(np.linalg.norm(self.field.start))
        return Observation(direction=self.field, sigma=self._angle([length]))

    def _angle(self, lengths: Sequence[float]) -> float:
        return max(self.noise, 1e-15) / float(np.mean(lengths)) if len(lengths) else 0.5
