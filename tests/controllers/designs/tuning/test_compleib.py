# pyright: reportOptionalMemberAccess=false
# (results that are None fail the test by themselves)
"""Static output feedback of COMPleib problems by the nonsmooth SQP, against the best known H-infinity norms.

F. Leibfritz, "COMPleib: constraint matrix-optimization problem library", University of Trier (2004): HE1 (VTOL
helicopter), AC7 (transport aircraft), NN2 (oscillator). Norms to four digits as known for HIFOO (Gumussoy & Overton
2008): 0.1538, 0.0651 and 2.2216.
"""

from typing import NamedTuple

import numpy as np
import pytest
from scipy import linalg, optimize

from polhode.controllers.designs.tuning.minimax import Row, Rows, minimise_largest


class Plant(NamedTuple):
    """x' = A x + B1 w + B u, z = C1 x + D12 u, y = C x + D21 w."""

    A: np.ndarray
    B1: np.ndarray
    B: np.ndarray
    C1: np.ndarray
    C: np.ndarray
    D12: np.ndarray
    D21: np.ndarray


def he1():
    A = [
        [-0.0366, 0.0271, 0.0188, -0.4555],
        [0.0482, -1.01, 0.0024, -4.0208],
        [0.1002, 0.3681, -0.707, 1.42],
        [0, 0, 1, 0],
    ]
    B1 = [[0.0468, 0], [0.0457, 0.0099], [0.0437, 0.0011], [-0.0218, 0]]
    B = [[0.4422, 0.1761], [3.5446, -7.5922], [-5.52, 4.49], [0, 0]]
    C1 = np.array([[2.0, 0, 0, 0], [0, 1, 0, 0]]) / np.sqrt(2)
    return Plant(*map(np.array, (A, B1, B, C1, [[0, 1.0, 0, 0]], np.eye(2) / np.sqrt(2), np.zeros((1, 2)))))


def ac7():
    A = np.zeros((9, 9))
    A[0] = [-0.06254, 0.01888, 0, -0.56141, -0.02751, 0, 0.06254, -0.00123, 0]
    A[1] = [0.01089, -0.9928, 0.99795, 0.00097, -0.07057, 0, -0.01089, 0.06449, 0]
    A[2] = [0.07743, 1.6754, -1.31111, -0.0003, -4.2503, 0, -0.07743, -0.10883, 0]
    A[3, 2], A[4, 4:6], A[5, 5] = 1.0, (-20.0, 20.0), -30.0
    A[6, 6], A[7, 7:], A[8, 7:] = -0.88206, (-0.88206, 0.00882), (-0.00882, -0.88206)
    B1, B = np.zeros((9, 4)), np.zeros((9, 1))
    B1[6, 0], B1[7, 1], B1[8, 1], B[5] = 1.3282, 1.62671, -68.75283, 30.0
    C = np.array(
        [[-0.00519, 0.47604, 0.00098, -0.00031, 0.03378, 0, 0.00519, -0.03086, 0], [0, 0, 1, 0, 0, 0, 0, 0, 0]]
    )
    D21 = np.zeros((2, 4))
    D21[1, 3] = 1.0
    return Plant(A, B1, B, C[:1] / np.sqrt(2), C, np.array([[1 / np.sqrt(2)]]), D21)


def nn2():
    return Plant(
        np.array([[0, 1.0], [-1, 0]]), np.eye(2), np.array([[0], [1.0]]), np.diag((1.0, 0)),
        np.array([[0, 1.0]]), np.array([[0], [1.0]]), np.zeros((1, 2)),
    )  # fmt: skip


def closed(plant, K):
    """Closed loop (A, B, C, D) from w to z."""
    p = plant
    return p.A + p.B @ K @ p.C, p.B1 + p.B @ K @ p.D21, p.C1 + p.D12 @ K @ p.C, p.D12 @ K @ p.D21


def rows_of(plant, scale, unit):
    """Rows of all peaks of the largest singular value over a grid, with gradients at the refined peaks."""

    def rows(x, gradients):
        del gradients
        K = scale * x.reshape(plant.B.shape[1], plant.C.shape[0])
        a, b, c, d = closed(plant, K)
        poles = np.linalg.eigvals(a)
        if poles.real.max() >= 0.0:
            return None

        def sizes(w):
            return np.linalg.norm(
                c @ np.linalg.solve(1j * w[:, None, None] * np.eye(len(a)) - a, b + 0j) + d, 2, (1, 2)
            )

        w = np.concatenate((np.geomspace(1e-3, 1e2, 300), abs(poles.imag) + 1e-6))
        w.sort()
        found = sizes(w)
        padded = np.concatenate(([-np.inf], found, [-np.inf]))
        tops = np.flatnonzero((found >= padded[:-2]) & (found >= padded[2:]) & (found > 0.7 * found.max()))
        listed = []
        for n in tops:
            low, high, best = w[max(n - 1, 0)], w[min(n + 1, len(w) - 1)], w[n]
            for _ in range(8):
                near = np.linspace(low, high, 9)
                k = int(np.argmax(sizes(near)))
                low, high, best = near[max(k - 1, 0)], near[min(k + 1, 8)], near[k]
            R = np.linalg.inv(1j * best * np.eye(len(a)) - a)
            u, s, v = np.linalg.svd(c @ R @ b + d)
            left = u[:, 0].conj() @ (plant.D12 + c @ R @ plant.B)
            right = (plant.C @ R @ b + plant.D21) @ v[0].conj()
            listed.append(Row((0, 0), s[0] / unit, scale * np.real(np.outer(left, right)).ravel() / unit))
        return Rows(listed, [])

    return rows


def norm_by_hamiltonian(a, b, c, d):
    """H-infinity norm by bisection: no imaginary eigenvalues of the Hamiltonian matrix above the norm."""
    low, high = np.linalg.norm(d, 2), 1e3
    while high - low > 1e-9 * high:
        g = 0.5 * (low + high)
        R = np.linalg.inv(g**2 * np.eye(b.shape[1]) - d.T @ d)
        S = np.eye(len(c)) + d @ R @ d.T
        e = a + b @ R @ d.T @ c
        poles = linalg.eigvals(np.block([[e, b @ R @ b.T], [-c.T @ S @ c, -e.T]]))
        crossed = (abs(poles.real) < 1e-7 * (1.0 + abs(poles.imag))).any()
        low, high = (g, high) if crossed else (low, g)
    return high


@pytest.mark.parametrize(
    ("plant", "start", "scale", "best"),
    [
        pytest.param(he1, (0.05, 0.25), 20.0, 0.1538, marks=pytest.mark.slow),
        (ac7, (1.0, 0.5), 1.0, 0.0651),
        (nn2, (-0.5,), 1.0, 2.2216),
    ],
)
def test_minimax_reaches_best_known_norm_of_compleib(plant, start, scale, best):
    """The norm is computed from Hamiltonian eigenvalues, and compared with the known value to its last digit."""
    plant = plant()
    start = np.array(start)
    found = minimise_largest(
        rows_of(plant, scale, best), start, low=np.full(len(start), -50.0), high=np.full(len(start), 50.0), most=200
    )
    K = scale * found.x.reshape(plant.B.shape[1], plant.C.shape[0])
    norm = norm_by_hamiltonian(*closed(plant, K))
    assert norm == pytest.approx(best * found.rows.top, rel=1e-6)
    assert norm == pytest.approx(best, rel=5e-3 if plant.A.shape == (4, 4) else 5e-4)


def test_known_norms_are_minima_of_another_search():
    """Bounded scalar minimisation of the Hamiltonian norm for NN2, without gradients or frequencies."""
    plant = nn2()
    found = optimize.minimize_scalar(
        lambda k: norm_by_hamiltonian(*closed(plant, np.array([[k]]))), bounds=(-3.0, -0.5), method="bounded",
        options={"xatol": 1e-6},
    )  # fmt: skip
    assert found.fun == pytest.approx(2.2216, abs=5e-5)
