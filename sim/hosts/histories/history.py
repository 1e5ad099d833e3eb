"""Attitude and orbit histories as read from files, with their metadata."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.frozen import frozen_results

if TYPE_CHECKING:
    from ....controllers import SampledReference

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class AttitudeHistory:
    """Attitude history: attitudes at given times, with their frames.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times since `epoch`, s, ascending.
    attitude : numpy.ndarray, shape (n, 4)
        Euler parameters, scalar first: a_frame = R(e) a_body.
    epoch : str
        Epoch of t = 0, the first time.
    time_system : str
        Time system of the epoch.
    frame, body_frame : str
        Names of the two frames.
    object_name, object_id : str
        Name and identifier of the spacecraft.
    """

    t: Array
    attitude: Array
    epoch: str
    time_system: str
    frame: str
    body_frame: str
    object_name: str
    object_id: str

    __repr__ = brief

    def reference(self) -> "SampledReference":
        """Return the history as a reference for a law.

        Returns
        -------
        SampledReference
            Reference that rotates at a constant rate from each attitude to the next.
        """
        from ....controllers import SampledReference

        return SampledReference(self.t, self.attitude)


@frozen_results
@dataclass(frozen=True, repr=False, kw_only=True)
class OrbitHistory:
    """Orbit history: positions and velocities at given times, with their frame.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times since `epoch`, s, ascending.
    position : numpy.ndarray, shape (n, 3)
        Position in `frame`, m.
    velocity : numpy.ndarray, shape (n, 3)
        Velocity in `frame`, m/s.
    epoch : str
        Epoch of t = 0, the first time.
    time_system : str
        Time system of the epoch.
    frame, center : str
        Names of the frame, and of the central body.
    object_name, object_id : str
        Name and identifier of the spacecraft.
    """

    t: Array
    position: Array
    velocity: Array
    epoch: str
    time_system: str
    frame: str
    center: str
    object_name: str
    object_id: str

    __repr__ = brief
