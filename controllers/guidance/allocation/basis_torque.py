"""Components of a body torque in any of the four torque bases, with detection of singular attitudes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant import TorqueBasis
from ....plant.attitude.sequences import SINGULAR_ANGLE
from ....plant.checks import unit_quaternion, vector
from ....plant.frozen import frozen_arrays
from ....plant.loads.torque.torque_kernels import components, pose_distance
from ...contracts.checks import read_only

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class BasisTorque:
    """Components of a torque in a torque basis.

    Parameters
    ----------
    components : numpy.ndarray, shape (3,)
        Components along the basis vectors, N m; NaN at a singular attitude, except for zero torque.
    singular : bool
        Whether the attitude is singular for the basis within double precision. The basis then cannot represent a torque
        along the normal of g1 and g2.
    distance : float
        Angle between the middle Euler angle and its nearest singular value, rad; infinite if the basis has no Euler
        sequence.
    amplification : float
        Largest component divided by the magnitude of the torque: at most 1 in the body, inertial and dual Euler bases,
        unbounded near a singular attitude in the Euler basis, and infinite at a singular attitude.
    """

    components: Array
    singular: bool
    distance: float
    amplification: float


def to_basis(torque: ArrayLike, attitude: ArrayLike, *, basis: TorqueBasis) -> BasisTorque:
    """Convert a torque from body components to components in a torque basis.

    In the Euler basis tau = sum u_n g_n. In the dual Euler basis u_n = tau . g_n, the generalised forces conjugate to
    the Euler angles. The inverse function is `TorqueBasis.to_body`. The torque limits of the basis are not applied.

    Parameters
    ----------
    torque : array_like, shape (3,)
        Torque in body components, N m.
    attitude : array_like, shape (4,)
        Euler parameters, scalar first.
    basis : TorqueBasis
        Torque basis of the result.

    Returns
    -------
    BasisTorque
        Components, singularity flag, and distance from the nearest singularity.

    Raises
    ------
    InputError
        When a shape or value is invalid.

    Examples
    --------
    Five degrees from the singularity of "3-1-3", a torque of 1 N m may require 11.5 N m along g1 and g3.

    >>> from polhode.plant.attitude import from_euler_angles
    >>> e = from_euler_angles(np.radians((30, 5, 20)), "3-1-3")
    >>> found = to_basis((np.sin(np.radians(20)), np.cos(np.radians(20)), 0), e, basis=TorqueBasis("euler", "3-1-3"))
    >>> found.components.round(3) + 0, found.singular
    (array([ 11.474,   0.   , -11.43 ]), False)
    >>> to_basis((0, 1, 0), (1, 0, 0, 0), basis=TorqueBasis("euler", "3-1-3")).singular
    True
    """
    tau, e = vector("torque", torque, unit="N m"), unit_quaternion("attitude", attitude)
    size = float(np.linalg.norm(tau))
    c = 1.0 if basis.sequence is None else min(float(pose_distance(*basis.axes, *e)), 1.0)
    singular = basis.sequence is not None and c < SINGULAR_ANGLE
    distance = np.inf if basis.sequence is None else float(np.arcsin(c))
    if size == 0.0:
        u = np.zeros(3)
    elif singular:
        u = np.full(3, np.nan)
    else:
        u = np.array(components(basis.code, *basis.axes, *e, *tau), dtype=np.float64)
    largest = np.inf if singular else float(np.abs(u).max()) / size if size else 1.0
    return BasisTorque(components=read_only(u), singular=singular, distance=distance, amplification=largest)
