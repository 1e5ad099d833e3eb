"""The packed parameters of a flexible satellite, and its work space."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rigid_body import RigidBody
from . import layout as at
from .arm import Arm

__all__ = ["Workspace", "pack", "pack_arms"]


def pack(hub: RigidBody, arms: Sequence[Arm], *, points: int) -> NDArray[np.float64]:
    """Return the parameters in the order of `layout`.

    Parameters
    ----------
    hub : RigidBody
        With mass.
    arms : sequence of Arm
        Its arms.
    points : int
        Gauss points in each element.

    Returns
    -------
    numpy.ndarray
        For the kernels.
    """
    p = pack_arms(arms, points=points)
    p[at.HUB_MASS] = hub.mass
    p[at.HUB_INERTIA : at.HUB_INERTIA + 9] = hub.central_inertia.reshape(9)
    return p


def pack_arms(arms: Sequence[Arm], *, points: int) -> NDArray[np.float64]:
    """Return the same of a hub without mass.

    Parameters
    ----------
    arms : sequence of Arm
        Arms.
    points : int
        Gauss points in each element.

    Returns
    -------
    numpy.ndarray
        For the kernels.
    """
    p = np.zeros(at.HEADER_SIZE + at.ARM_SIZE * len(arms))
    p[at.ARMS], p[at.POINTS] = len(arms), points
    places, weights = np.polynomial.legendre.leggauss(points)
    p[at.GAUSS : at.GAUSS + 3 * points : 3] = 0.5 * (1.0 + places)
    p[at.GAUSS + 1 : at.GAUSS + 1 + 3 * points : 3] = 0.5 * weights
    # Spin: the weights nearest to Gauss's with sum 1 and second moment 1/6 about the middle, not 1/12 (see `element`).
    moments = np.array((np.ones(points), 0.25 * places**2))
    p[at.GAUSS + 2 : at.GAUSS + 2 + 3 * points : 3] = 0.5 * weights + np.linalg.pinv(moments) @ (0.0, 1.0 / 12.0)
    for n, arm in enumerate(arms):
        b = at.HEADER_SIZE + n * at.ARM_SIZE
        section = arm.section
        p[b + at.ELEMENTS], p[b + at.LENGTH] = arm.elements, arm.element_length
        p[b + at.AXIAL], p[b + at.TORSION] = section.axial_stiffness, section.torsion_stiffness
        p[b + at.BEND_M], p[b + at.BEND_N] = section.bending_stiffness
        p[b + at.MASS], p[b + at.SPIN] = section.mass_per_length, section.density * section.polar_moment
        p[b + at.SPIN_M] = section.density * section.second_moment_m
        p[b + at.SPIN_N] = section.density * section.second_moment_n
        p[b + at.DAMPING], p[b + at.TIP_MASS] = section.damping_time, arm.tip_mass
        p[b + at.OFFSET : b + at.OFFSET + 3] = np.asarray(arm.root)
        p[b + at.FRAME : b + at.FRAME + 9] = arm.frame.T.reshape(9)
    return p


@dataclass(frozen=True, eq=False, kw_only=True)
class Workspace:
    """Arrays the kernels work in.

    Attributes
    ----------
    pose, vel, mom, frc : numpy.ndarray, shapes (rows, 13) and (rows, 7)
        Nodes: positions, velocities, momenta, forces.
    rho : numpy.ndarray, shape (arms, 3)
        Roots from the hub's mass centre.
    axes : numpy.ndarray, shape (3, 3)
        Columns of the hub's rotation, as rows.
    rows : numpy.ndarray, shape (3, 14)
        For one element.
    diag, off : numpy.ndarray, shape (rows, 49)
        Blocks of a matrix.
    hub : numpy.ndarray, shape (1, 36)
        The hub's block.
    """

    pose: NDArray[Any]
    vel: NDArray[Any]
    mom: NDArray[Any]
    frc: NDArray[Any]
    rho: NDArray[Any]
    axes: NDArray[Any]
    rows: NDArray[Any]
    diag: NDArray[Any]
    off: NDArray[Any]
    hub: NDArray[Any]

    @classmethod
    def of(cls, arms: Sequence[Arm], *, dtype: Any = np.float64) -> "Workspace":
        """Return zeroed work space.

        Parameters
        ----------
        arms : sequence of Arm
            The arms.
        dtype : data-type
            float64 or complex128.

        Returns
        -------
        Workspace
            For the kernels.
        """
        n = sum(arm.elements + 1 for arm in arms)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("vel", "mom", "frc"), (n, 7))
        shapes |= {"pose": (n, at.POSE), "rho": (len(arms), 3), "axes": (3, 3), "rows": (3, 14)}
        shapes |= {"diag": (n, 49), "off": (n, 49), "hub": (1, 36)}
        return cls(**{field.name: np.zeros(shapes[field.name], dtype=dtype) for field in fields(cls)})
