"""Matrices B1, B2 and their parts: Euler-parameter notes (51)-(75)."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.plant.attitude import matrix_E, matrix_G, rotation_matrix
from polhode.plant.formulations import matrix_B1, matrix_B2, matrix_H, split_force_matrix, torque_parameters

EXACT = 1e-14 * 20  # products of numbers of order 1


def printed(e, u):
    """A u with (5) as printed."""
    e0, v = e[0], e[1:]
    return (2.0 * e0 * e0 - 1.0) * u + 2.0 * (v * (v @ u) + e0 * np.cross(v, u))


def homogeneous(e, u):
    """A u with A = E G' of (7)."""
    e0, v = e[0], e[1:]
    return (e0 * e0 - v @ v) * u + 2.0 * (v * (v @ u) + e0 * np.cross(v, u))


@pytest.mark.parametrize("polynomial", [printed, homogeneous])
def test_matrix_B2_is_the_gradient_of_its_polynomial(case, polynomial) -> None:
    e, u = case.attitude, case.load.point
    step = 1e-30
    columns = [polynomial(e + 1j * step * axis, u).imag / step for axis in np.eye(4)]
    B2 = matrix_B2(e, u, polynomial=polynomial.__name__)
    assert np.abs(np.column_stack(columns) - B2).max() < EXACT
    assert np.abs(polynomial(e, u) - rotation_matrix(e) @ u).max() < EXACT


def test_force_matrices_satisfy_published_relations(case) -> None:
    e, u = case.attitude, case.load.point
    EH = 2.0 * matrix_E(e) @ matrix_H(u)
    Au = rotation_matrix(e) @ u
    assert np.abs(matrix_B1(e, u) - (EH - 2.0 * np.outer(Au, e))).max() < EXACT  # (74)
    assert np.abs(matrix_B2(e, u) - (EH + 2.0 * np.outer(u, e))).max() < EXACT  # (68)
    assert np.abs(matrix_B2(e, u, polynomial="homogeneous") - EH).max() < EXACT
    assert np.abs(matrix_H(u) + matrix_H(u).T).max() == 0.0


def test_force_matrices_give_the_velocity_of_the_point(case) -> None:
    e, u = case.attitude, case.load.point
    e_rate = 0.5 * matrix_G(e).T @ case.rate
    velocity = rotation_matrix(e) @ np.cross(case.rate, u)
    for B in (matrix_B1(e, u), matrix_B2(e, u), matrix_B2(e, u, polynomial="homogeneous")):
        assert np.abs(B @ e_rate - velocity).max() < EXACT


def test_force_matrix_split_separates_working_and_idle_part(case) -> None:
    e, u, f = case.attitude, case.load.point, case.load.force
    Au = rotation_matrix(e) @ u
    B1 = matrix_B1(e, u)
    idle_ends = {
        "printed": 2.0 * (u + Au),
        "homogeneous": 2.0 * Au,
    }
    for name, end in idle_ends.items():
        working, idle = split_force_matrix(matrix_B2(e, u, polynomial=name), e)
        assert np.abs(working - B1).max() < EXACT
        assert np.abs(idle - np.outer(end, e)).max() < EXACT
        assert np.abs(matrix_G(e) @ idle.T @ f).max() < EXACT  # no torque
    working, idle = split_force_matrix(B1, e)
    assert np.abs(idle).max() < EXACT
    # the working part according to the notes is not perpendicular to e
    assert np.abs(matrix_E(e) @ matrix_H(u) @ e - Au).max() < EXACT
    moment = np.cross(u, rotation_matrix(e).T @ f)
    assert np.abs(working.T @ f - torque_parameters(e, moment)).max() < EXACT  # (43), (60)


def test_torque_parameters_agree_in_both_frames(case) -> None:
    """Schwab & Meijaard (2006) (44): equal for a torque in either frame; the product with e' is the power."""
    e, M = case.attitude, case.load.body_torque
    Q = torque_parameters(e, M)
    assert np.abs(Q - torque_parameters(e, rotation_matrix(e) @ M, frame="inertial")).max() < EXACT
    assert Q @ (0.5 * matrix_G(e).T @ case.rate) == pytest.approx(M @ case.rate, abs=EXACT)
    assert abs(Q @ e) < EXACT


def test_force_matrices_reject_unknown_options() -> None:
    with pytest.raises(InputError, match="homogeneous"):
        matrix_B2((1, 0, 0, 0), (1, 2, 3), polynomial="homogenous")
    with pytest.raises(InputError, match="'body'"):
        torque_parameters((1, 0, 0, 0), (1, 2, 3), frame="bodies")
