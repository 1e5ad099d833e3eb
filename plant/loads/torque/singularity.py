"""Behaviour of a torque basis at its singular pose: applicable theorem, distance and amplification.

The generalised forces conjugate to the Euler parameters are Q = 2 G' tau, with |Q| = 2 |tau|. They are unbounded only
if the torque itself is. Torques in the inertial frame (Theorem 1), the body frame (Theorem 2) and the Euler basis
(Theorem 3) stay bounded. In the dual basis (Theorem 4) the second vector has unit length (C1); the first and third
vectors have length 1/c (C2), with c = |cos a2| or |sin a2| (Choi 2014, section 2.1). The theorems leave two points
open. A bounded torque need not be continuous: the second vector of both bases is undefined at the pose and reverses
when the motion passes the pose. Moreover, a motion need not reach a singular pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...checks import of_kind, unit_quaternion, vector
from .basis import TorqueBasis
from .torque_kernels import pose_distance


@dataclass(frozen=True, kw_only=True)
class Singularity:
    """Verdict on a torque basis at an attitude.

    Parameters
    ----------
    theorem : str
        Applicable statement of Choi (2014), section 2.1.
    behaviour : str
        "bounded", "bounded, direction undefined at the pose" or "unbounded at the pose".
    distance : float
        Angle between the middle Euler angle and its nearest singular value, rad; infinite if the basis has no
        singular pose.
    amplification : float
        Largest torque per unit component: 1/c if a first or third dual component acts, otherwise 1.
    """

    theorem: str
    behaviour: str
    distance: float
    amplification: float


def singularity(basis: TorqueBasis, attitude: ArrayLike, *, components: ArrayLike = (1.0, 1.0, 1.0)) -> Singularity:
    """Return the theorem for a torque basis, and the distance of an attitude from the singular pose.

    Parameters
    ----------
    basis : TorqueBasis
        The basis.
    attitude : array_like, shape (4,)
        Euler parameters, scalar first.
    components : array_like, shape (3,)
        Components in use. A zero component does not affect the verdict.

    Returns
    -------
    Singularity
        Theorem, behaviour, distance and amplification.

    Examples
    --------
    >>> case = singularity(TorqueBasis("dual-euler", "3-1-3"), (1, 0, 0, 0), components=(0, 0, 1))
    >>> case.theorem, case.behaviour, case.distance
    ('Theorem 4 (C2)', 'unbounded at the pose', 0.0)
    """
    of_kind("basis", basis, TorqueBasis, such_as="a TorqueBasis")
    e = unit_quaternion("attitude", attitude)
    u = vector("torque components", components, unit="N m")
    if basis.sequence is None:
        theorem = "Theorem 1" if basis.name == "inertial" else "Theorem 2"
        return Singularity(theorem=theorem, behaviour="bounded", distance=np.inf, amplification=1.0)
    c = min(float(pose_distance(*basis.axes, *e)), 1.0)
    distance = float(np.arcsin(c))
    if basis.name == "dual-euler" and (u[0] != 0.0 or u[2] != 0.0):
        return Singularity(
            theorem="Theorem 4 (C2)",
            behaviour="unbounded at the pose",
            distance=distance,
            amplification=1.0 / c if c > 0.0 else np.inf,
        )
    theorem = "Theorem 4 (C1)" if basis.name == "dual-euler" else "Theorem 3"
    behaviour = "bounded, direction undefined at the pose" if u[1] != 0.0 else "bounded"
    return Singularity(theorem=theorem, behaviour=behaviour, distance=distance, amplification=1.0)
