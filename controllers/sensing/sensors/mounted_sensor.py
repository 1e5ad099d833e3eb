"""Base class of sensors fixed to the structure, at a place that vibration modes may rotate relative to the hub."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import DesignError, InputError
from ....plant.quantity import NAMES, OPTIONAL_COLUMNS, Shape, declared, quantity
from ...contracts.block_form import BlockForm
from ...laws.shaped_noise import ShapedNoise
from ...loop.linear_blocks import error_of
from .sensor import MeasurementKernel, Sensor

Array = NDArray[np.float64]

SMALL_DEFLECTION = 1e-9  # rad: largest rotation of the place at an operating point, as `linear_blocks` requires

OPTIONAL_NAMES: "Shape[str | tuple[str, ...] | None, tuple[str, ...] | None]" = NAMES  # pyright: ignore[reportAssignmentType]


@declared
class MountedSensor(Sensor):
    """Base class of sensors fixed to the structure of the spacecraft.

    Without modal slopes, the sensor rotates with the hub. With modal slopes Psi it rotates relative to the hub by the
    small rotation ``a = Psi eta`` (a rotation vector, body axes), with eta the modal coordinates of `FlexibleModes`.
    The sensor then measures the attitude ``e o Exp(a)`` and the rate ``omega + omega x a + Psi eta'``. Like the modes,
    this is of first order in eta. Column k of Psi is the rotation of the finite-element node of the sensor in mode k,
    of unit modal mass and with the hub fixed.

    Parameters
    ----------
    modal_slopes : array_like, shape (3, n), optional
        Psi: rotation of the sensor relative to the hub per unit of each modal coordinate, body axes,
        rad/(kg^0.5 m). None: the sensor rotates with the hub.
    modal_coordinates : sequence of str, optional
        Names of the n modal coordinates; by default mode_1 to mode_n, those of the only `FlexibleModes`.
    """

    modal_slopes: Array | None = quantity(
        "rad/sqrt(kg)/m", converter=OPTIONAL_COLUMNS, optional=True, default=None,
        doc="rotation of the sensor relative to the hub per unit of each modal coordinate, one vector per mode, "
        "body axes",
    )  # fmt: skip
    modal_coordinates: tuple[str, ...] | None = quantity(
        converter=OPTIONAL_NAMES, optional=True, default=None,
        doc="names of the modal coordinates of modal_slopes; by default those of all flexible-modes elements",
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Check the arguments."""
        super().__post_init__()
        names, slopes = self.modal_coordinates, self.modal_slopes
        if slopes is None:
            if names is not None:
                raise InputError(f"modal coordinates of {self.name} are given without modal slopes; give both or none")
            return
        if names is None:
            names = tuple(f"mode_{k + 1}" for k in range(slopes.shape[1]))
            object.__setattr__(self, "modal_coordinates", names)
        if len(set(names)) < len(names):
            raise InputError(f"modal coordinates of {self.name} must be different; got {', '.join(names)}")
        if len(names) != slopes.shape[1]:
            raise InputError(
                f"modal slopes of {self.name} must have one vector for each of its {len(names)} modal coordinates "
                f"({', '.join(names)}); got {slopes.shape[1]}"
            )

    def at_place(self, reading: MeasurementKernel) -> MeasurementKernel:
        """Return a measurement on the hub as a measurement at the place of the sensor.

        Parameters
        ----------
        reading : MeasurementKernel
            Measurement that reads attitude, rate and possibly more, without modal slopes.

        Returns
        -------
        MeasurementKernel
            The measurement, which also reads modal coordinates and rates if there are modal slopes.
        """
        slopes, names = self.modal_slopes, self.modal_coordinates
        if slopes is None or names is None:
            return reading
        form, noise = reading.form, reading.noise
        more = dict.fromkeys((*names, *(f"{name}_rate" for name in names)), 1)
        return replace(
            reading,
            reads={**reading.reads, **more},
            numbers=[*reading.numbers, *slopes.T.ravel().tolist()],
            form=None if form is None else partial(_form_at_place, form, slopes, self.name),
            noise=None if noise is None else partial(_noise_at_place, noise, slopes.shape[1]),
        )


def _form_at_place(form: Callable[[Array], BlockForm], slopes: Array, name: str, y0: Array) -> BlockForm:
    """Return the linear form of a measurement at a place, from that of the measurement on the hub.

    Raises DesignError if the modes are deflected at the operating point.
    """
    n = slopes.shape[1]
    size = y0.size - 2 * n
    turn = slopes @ y0[size : size + n]
    if np.linalg.norm(turn) > SMALL_DEFLECTION:
        raise DesignError(
            f"at the operating point vibration modes rotate the place of {name} by {np.linalg.norm(turn):.3g} rad from "
            "the hub, so law and sensor have different operating points; choose an operating point without deflection"
        )
    found = form(y0[:size])
    place = np.zeros((size, y0.size))
    place[:, :size] = np.eye(size)
    place[:4, size : size + n] = 0.25 * error_of(y0[:4]).T @ slopes
    place[4:7, size : size + n] = np.cross(y0[4:7], slopes, axisb=0).T
    place[4:7, size + n :] = slopes
    rests = found.at(y0[:size])
    return replace(found, B=np.asarray(found.B) @ place, D=np.asarray(found.D) @ place, rests=rests)


def _noise_at_place(
    noise: Callable[[Array, float], Sequence[ShapedNoise]], n: int, y0: Array, sample: float
) -> Sequence[ShapedNoise]:
    """Return the noise of a measurement, which does not depend on the n modal coordinates and rates in y0."""
    return noise(y0[: y0.size - 2 * n], sample)
