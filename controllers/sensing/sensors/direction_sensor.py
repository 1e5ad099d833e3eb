"""Base class of sensors that measure a direction, as blocks and for records."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.attitude import rotation_matrix
from ....plant.errors import DesignError
from ....plant.quantity import declared
from ...contracts.block_form import BlockForm
from ...guidance.inertial_vector import InertialVector
from ...loop.linear_blocks import error_of
from ..estimators.observation import Observation
from ..estimators.sightings import VectorSightings
from .line_of_sight import LineOfSight
from .mounted_sensor import MountedSensor
from .sensor import message_block, motion_rows


def seen_from(source: InertialVector | str, y0: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a vector (3,) in body axes at the attitude y0[:4]. Raises DesignError if it is a signal."""
    if not isinstance(source, InertialVector):
        raise DesignError(
            f"the direction of the signal {source!r} is unknown before the run, so the sensor has no linear form; "
            "give an InertialVector with its value at the operating point"
        )
    return rotation_matrix(y0[:4]).T @ source.at(0.0)


@declared
class DirectionSensor(MountedSensor, ABC):
    """Base class of sensors that measure a direction; a subclass defines its vector and its noise.

    The measurement is a unit vector in body axes; a magnetometer measures the field, T.
    """

    @property
    def lines_of_sight(self) -> tuple[LineOfSight, ...]:
        """Fields of view of the sensor; empty if the field of view is not limited."""
        return ()

    @property
    @abstractmethod
    def looks_for(self) -> Mapping[str, InertialVector | str]:
        """Measured inertial vector or the name of its signal, keyed by the label used in figures."""

    @property
    def _source(self) -> InertialVector | str:
        """The measured vector in inertial components, or the name of its signal."""
        return next(iter(self.looks_for.values()))

    @abstractmethod
    def _angle(self, lengths: Sequence[float]) -> float:
        """Return the noise about each perpendicular axis, rad, for vectors of the given lengths."""

    def observation(self) -> Observation:
        """Return the measurement model of the sensor's messages for a filter.

        Returns
        -------
        Observation
            A direction with the white noise of the sensor; slowly varying errors are not included.

        Raises
        ------
        InputError
            When the noise as an angle is unknown, as for a magnetometer whose field is a signal.
        """
        return Observation(direction=self._source, sigma=self._angle(()))

    def record(
        self,
        t: ArrayLike,
        attitude: ArrayLike,
        *,
        seed: int,
        run_index: int = 0,
        delay: float = 0.0,
        signals: Mapping[str, ArrayLike] | None = None,
    ) -> VectorSightings:
        """Return the sensor's record of a motion, equal to the output of its block.

        Parameters
        ----------
        t : array_like, shape (m,)
            Times of the samples, s.
        attitude : array_like, shape (m, 4)
            Euler parameters at these times.
        seed : int
            Seed of all sensors of a simulation.
        run_index : int
            Index of the run; each run has different random numbers.
        delay : float
            Time from a sample until its output takes effect, s.
        signals : mapping of str to array_like, optional
            The signals that the sensor reads, with one row for each time.

        Returns
        -------
        VectorSightings
            The valid measurements and their noise; for a magnetometer, the noise divided by the mean field strength.

        Raises
        ------
        InputError
            When times do not ascend, or shapes differ.
        """
        reading, source = self.reading(), self._source
        times, rows = motion_rows(reading, t, attitude, signals)
        found = message_block(self, reading, sample=1.0).replay(times, rows, seed=seed, run_index=run_index)
        kept = found[:, 3] > 0.0
        if isinstance(source, InertialVector):
            known = np.array([source.at(each) for each in times.tolist()])
        else:
            known = np.asarray((signals or {})[source], dtype=np.float64)
        noise = self._angle(np.linalg.norm(known[kept], axis=1).tolist())
        return VectorSightings(
            times[kept], found[kept, :3], inertial=known[kept], sigma=float(noise), delay=delay, name=self.name
        )


def direction_form(
    source: InertialVector | str,
    y0: NDArray[np.float64],
    *,
    unit: bool = True,
    errors: NDArray[np.float64] | None = None,
) -> BlockForm:
    """Return the linear form of a direction or vector sensor about its input at rest.

    A small rotation a changes the vector by w x a. errors (3, 3): matrix of scale errors and misalignments in body
    axes. Raises DesignError when the vector is a signal, because the linear loop does not contain it.
    """
    w = seen_from(source, y0)
    w = w / np.linalg.norm(w) if unit else w
    M = np.eye(3) if errors is None else errors
    D = np.zeros((3, y0.size))
    D[:, :4] = M @ np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]]) @ error_of(y0[:4])
    turning = isinstance(source, InertialVector) and np.asarray(source.rate).any()
    return BlockForm(D=D, rests=M @ w, words="its direction as it is at t = 0" if turning else "")
