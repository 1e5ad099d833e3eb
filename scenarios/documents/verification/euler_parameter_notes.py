"""Euler-parameter equations of motion: augmented Lagrangian forms, multipliers, generalised forces."""

import numpy as np

from ....plant.attitude import matrix_E
from ....plant.formulations import accelerations, matrix_B1, matrix_B2, matrix_H, split_force_matrix
from . import outside
from .formulation_case import FORCE, INERTIA, OMEGA, POINT, TORQUE, E, body_force_torque, load, newton_euler, states
from .row import Row

TITLE = "Equations of motion in Euler parameters, multipliers and generalised torques"
FORMS = ("hamilton-7", "hamilton-8", "lagrange-23", "lagrange-25", "lagrange-29", "lagrange-82", "lagrange-29-82")


def motion() -> Row:
    """Compare e'' from all forms of the equations, (23) to (29), (36) and (82), under a body torque."""
    reached = np.array([accelerations(*states(name), load=load())[1] for name in FORMS])
    return Row(
        equations="(23)-(29), (36), (82)",
        system="e'' of seven forms under a body torque",
        where="plant.formulations",
        reached=reached,
        expected=np.tile(newton_euler(TORQUE)[1], (len(FORMS), 1)),
        kind="independent",
        tolerance=1e-13,
        unit="1/s^2",
    )


def motion_under_a_force() -> Row:
    """Compare omega' from all forms of the equations under a force at a body point, (62) and (82)."""
    reached = np.array([accelerations(*states(name), load=load(force=True))[0] for name in FORMS])
    return Row(
        equations="(62), (82)",
        system="omega' of seven forms under a force at a point",
        where="plant.formulations.Load",
        reached=reached,
        expected=np.tile(newton_euler(body_force_torque())[0], (len(FORMS), 1)),
        kind="independent",
        tolerance=1e-13,
        unit="rad/s^2",
    )


def _multiplier(name: str, *, force: bool) -> float:
    model, x = states(name)
    return model.multiplier(x, load(force=force))


def multipliers() -> Row:
    """Compare the multipliers (24) and (30), the one of (82), and the one of (29) combined with (82)."""
    A = outside.rotation(E / np.linalg.norm(E))
    turned = float(POINT @ (A.T @ FORCE))
    kinetic = float(OMEGA @ INERTIA @ OMEGA)
    names = ("lagrange-23", "lagrange-29", "lagrange-82", "lagrange-29-82", "lagrange-qp2")
    return Row(
        equations="(24), (30), (82)",
        system="multipliers: 0, 2 omega.J omega, 2 u.A'f, their sum, 2u.(A'f + f)",
        where="RotationModel.multiplier",
        reached=[_multiplier(name, force=True) for name in names],
        expected=(
            0.0,
            2.0 * kinetic,
            2.0 * turned,
            2.0 * kinetic + 2.0 * turned,
            2.0 * turned + 2.0 * float(POINT @ FORCE),
        ),
        kind="closed form",
        tolerance=1e-12,
        unit="N m",
        note="convention: left side + e lambda; the multiplier is not a constraint force; it depends on the form",
    )


def force_matrices() -> Row:
    """Compare B1 and B2, each split into a working and an idle part, with the velocity of the body point."""
    e = E / np.linalg.norm(E)
    B1, B2 = matrix_B1(e, POINT), matrix_B2(e, POINT)
    working, idle = split_force_matrix(B1, e)
    both, rest = split_force_matrix(B2, e)
    first, second = outside.force_matrices(e, POINT)
    radial = 2.0 * np.outer(outside.rotation(e) @ POINT + POINT, e)  # B2 e = 2 (A u + u), B1 e = 0
    reached = (B1, B2, 2.0 * matrix_E(e) @ matrix_H(POINT) + 2.0 * np.outer(POINT, e), working, idle, both, rest)
    expected = (first, second, second, first, np.zeros((3, 4)), first, radial)
    return Row(
        equations="(60)-(80)",
        system="B1 and B2 = 2GH + 2ue' of a body point, with one working part",
        where="plant.formulations.matrix_B1, matrix_B2, split_force_matrix",
        reached=np.concatenate([part.ravel() for part in reached]),
        expected=np.concatenate([part.ravel() for part in expected]),
        kind="independent",
        tolerance=1e-14,
        note="B2 depends on which polynomial R(e) is differentiated, but only in its part along e, which does no work",
    )


ROWS = (motion, motion_under_a_force, multipliers, force_matrices)
