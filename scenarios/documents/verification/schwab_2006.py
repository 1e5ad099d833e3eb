"""Schwab & Meijaard: how to draw Euler angles and use Euler parameters."""

import numpy as np

from ....plant.attitude import from_euler_angles, rotation_matrix
from ....plant.formulations import accelerations, torque_parameters
from . import outside
from .formulation_case import INERTIA, OMEGA, TORQUE, E, load, newton_euler, states
from .row import Row

TITLE = "Schwab & Meijaard, how to draw Euler angles and utilize Euler parameters"


def cans() -> Row:
    """Compare the rotation of an Euler sequence (cans in series) with three elementary rotations."""
    angles = np.radians((30.0, 50.0, 20.0))
    one, two, three = (outside.elementary(n, angle) for n, angle in zip((2, 0, 2), angles, strict=True))
    return Row(
        equations="(1)-(12), cans",
        system="rotation of 3-1-3 by 30, 50, 20 deg",
        where="from_euler_angles, polhode cans",
        reached=rotation_matrix(from_euler_angles(angles, "3-1-3")),
        expected=one @ two @ three,
        kind="closed form",
        tolerance=1e-15,
        note="(9) is the space-fixed frame; the axes of (12) are e_z, e_xi, e_zeta'",
    )


def angles() -> Row:
    """Compare omega' from the Newton-Euler equations in Euler angles, (19)-(21)."""
    names = ("euler-angles", "euler-angles-second-order")
    return Row(
        equations="(19)-(21)",
        system="omega' in Euler angles, first and second order",
        where="plant.formulations",
        reached=[accelerations(*states(name), load=load())[0] for name in names],
        expected=np.tile(newton_euler(TORQUE)[0], (2, 1)),
        kind="independent",
        tolerance=1e-12,
        unit="rad/s^2",
    )


def parameters() -> Row:
    """Compare e'' from the Newton-Euler and Lagrange equations in Euler parameters, (40)-(46)."""
    names = ("newton-euler", "schwab-42")
    return Row(
        equations="(40)-(46)",
        system="e'' in Euler parameters",
        where="plant.formulations",
        reached=[accelerations(*states(name), load=load())[1] for name in names],
        expected=np.tile(newton_euler(TORQUE)[1], (2, 1)),
        kind="independent",
        tolerance=1e-13,
        unit="1/s^2",
        note="(42)'s right side is 8 Qd diag(0,J) Qd^T q with both Q dotted: as printed it is zero, without gyroscopic "
        "torque; after (32), omega = 2 w",
    )


def multiplier() -> Row:
    """Compare the multiplier of (42) with half the multiplier of (29) in the Euler-parameter notes."""
    model, x = states("schwab-42")
    other, y = states("lagrange-29")
    kinetic = float(OMEGA @ INERTIA @ OMEGA)
    return Row(
        equations="(42)",
        system="multiplier omega.J omega, half that of the form (29)",
        where="RotationModel.multiplier",
        reached=(model.multiplier(x, load()), 0.5 * other.multiplier(y, load())),
        expected=(kinetic, kinetic),
        kind="closed form",
        tolerance=1e-12,
        unit="N m",
        note="the gradients of the two constraints are 2q and q, so the multipliers differ by two; both are right",
    )


def torques() -> Row:
    """Compare the power of the torque parameters (44) with the power of the torque, in both frames."""
    e = E / np.linalg.norm(E)
    rate = 0.5 * outside.product(e, np.append(0.0, OMEGA))
    seen = (torque_parameters(e, TORQUE), torque_parameters(e, outside.rotation(e) @ TORQUE, frame="inertial"))
    return Row(
        equations="(44)",
        system="torque parameters: power from body and from inertial components",
        where="plant.formulations.torque_parameters",
        reached=[float(each @ rate) for each in seen],
        expected=[float(TORQUE @ OMEGA)] * 2,
        kind="closed form",
        tolerance=1e-15,
        unit="W",
    )


ROWS = (cans, angles, parameters, multiplier, torques)
