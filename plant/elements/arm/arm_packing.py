"""Packed parameters of a flexible arm."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from . import arm_layout as at

if TYPE_CHECKING:
    from .arm import Arm

POINTS = 3  # Gauss points per element: exact for the energy of small deformations


@cache
def _quadrature() -> tuple[float, ...]:
    """Return the position (0 to 1), weight and spin weight of each Gauss point in turn."""
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    # Spin weights: the smallest change of the Gauss weights for which their sum is 1 and their central second moment
    # 1/6 instead of 1/12 (see `beam_element`).
    moments = np.array((np.ones(POINTS), 0.25 * places**2))
    spin = 0.5 * weights + np.linalg.pinv(moments) @ (0.0, 1.0 / 12.0)
    return tuple(np.column_stack((0.5 * (1.0 + places), 0.5 * weights, spin)).ravel().tolist())


def pack_arm(arm: "Arm", offset: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the parameters of an arm in the order of `arm_layout`.

    arm: the arm; offset (3,): vector from the reference point to the hub's mass centre, m -> (n,).
    """
    p = np.zeros(at.HEADER_SIZE + at.ARM_SIZE)
    p[at.POINTS] = POINTS
    p[at.GAUSS : at.GAUSS + 3 * POINTS] = _quadrature()
    own, section = p[at.HEADER_SIZE :], arm.section
    own[at.ELEMENTS], own[at.LENGTH] = arm.elements, arm.element_length
    own[at.AXIAL], own[at.TORSION] = section.axial_stiffness, section.torsion_stiffness
    own[at.BEND_M], own[at.BEND_N] = section.bending_stiffness
    own[at.MASS], own[at.SPIN] = section.mass_per_length, section.density * section.polar_moment
    own[at.SPIN_M] = section.density * section.second_moment_m
    own[at.SPIN_N] = section.density * section.second_moment_n
    own[at.DAMPING], own[at.TIP_MASS] = section.damping_time, arm.tip_mass
    own[at.OFFSET : at.OFFSET + 3] = np.asarray(arm.root) + offset
    own[at.FRAME : at.FRAME + 9] = arm.frame.T.reshape(9)
    return p
