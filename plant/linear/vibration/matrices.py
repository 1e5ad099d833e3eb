"""Dense mass, stiffness and damping matrices of hub and arms, from the nonlinear elements."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...brief import brief
from ...elements.arm import arm_layout as at
from ...elements.arm.arm import Arm
from ...elements.arm.node_equations import arm_configuration, arm_mass
from ...elements.arm.tangent_stiffness import element_tangent
from ...frozen import frozen_arrays
from .mesh import Mesh

Array = NDArray[np.float64]
AXES = tuple(np.eye(3))


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Matrices:
    """Matrices of M nudot + C nu + K x = forces about rest, hub axes, in the order of `Mesh`.

    Attributes
    ----------
    M : numpy.ndarray, shape (degrees, degrees)
        Mass matrix: kg, kg m, kg m^2.
    C : numpy.ndarray, shape (degrees, degrees)
        Matrix of the strain-rate damping.
    K : numpy.ndarray, shape (degrees, degrees)
        Tangent stiffness: minus the derivative of the forces with respect to position, rotation and strain.
    """

    M: Array
    C: Array
    K: Array

    __repr__ = brief


def matrices(mesh: Mesh) -> Matrices:
    """Return the matrices of the undeformed mesh.

    The stiffness is the exact second derivative of the strain energy, by complex steps of the element kernel.
    """
    n = mesh.degrees
    M, C, K = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    M[:6, :6] = mesh.hub
    first = 6
    for arm in mesh.arms:
        own, q = np.array(arm.pack(np.zeros(3))), np.array(arm.straight((1.0, 0.0, 0.0, 0.0), np.zeros(3)))
        pose = arm_pose(arm, own, q)
        size = 1 + 7 * arm.elements
        columns = [0, 1, 2, 3, 4, 5, *range(first, first + size)]
        root = np.eye(6 + size)  # from v and omega of the hub to v and omega of the root; otherwise the identity
        x, y, z = np.asarray(arm.root)
        root[:3, 3:6] = ((0, z, -y), (-z, 0, x), (y, -x, 0))
        stiffness = root.T @ arm_stiffness(arm, own, pose) @ root
        where = np.ix_(columns, columns)
        M[where] += root.T @ _mass(arm, own, pose) @ root
        K[where] += stiffness
        C[where] += arm.section.damping_time * stiffness
        first += size
    return Matrices(M=M, C=C, K=K)


def arm_pose(arm: Arm, own: Array, q: Array) -> Array:
    """Return an arm's rows of the pose table from its positions q, for a hub in the identity attitude."""
    pose = np.zeros((arm.elements + 1, at.POSE))
    arm_configuration(q, 0, np.zeros(3), *AXES, own, at.HEADER_SIZE, pose, 0)
    return pose


def arm_stiffness(arm: Arm, own: Array, pose: Array) -> Array:
    """Return the tangent stiffness of an arm for all nodes; v, omega, strain of the root come first."""
    n = 7 * (arm.elements + 1)
    stiffness = np.zeros((n, n))
    pairs = [np.zeros((2, k), dtype=np.complex128) for k in (at.POSE, 7, 7, 7)]
    for i in range(arm.elements):
        part = np.zeros((14, 14))
        element_tangent(own, at.HEADER_SIZE, i, pose, *pairs, part)
        stiffness[7 * i : 7 * i + 14, 7 * i : 7 * i + 14] += part
    return stiffness


def _mass(arm: Arm, own: Array, pose: Array) -> Array:
    n = 7 * (arm.elements + 1)
    diag, off = np.zeros((arm.elements + 1, 49)), np.zeros((arm.elements + 1, 49))
    arm_mass(own, at.HEADER_SIZE, 0, pose, np.zeros((12, 11)), diag, off)
    mass = np.zeros((n, n))
    for i in range(arm.elements + 1):
        here, there = slice(7 * i, 7 * i + 7), slice(7 * i + 7, 7 * i + 14)
        mass[here, here] = diag[i].reshape(7, 7)
        if i < arm.elements:
            mass[here, there] = off[i].reshape(7, 7)
            mass[there, here] = mass[here, there].T
    return mass
