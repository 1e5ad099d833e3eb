"""Scalings compared with closed forms and other programs, and never contradicted by a singular loop."""

import numpy as np
import pytest
from scipy.optimize import linprog

from polhode.controllers.loop.analysis.structured_norm import structured_norm
from polhode.controllers.loop.robustness.multipliers import (
    UncertainBlock,
    structured_multipliers,
    structured_upper_bound,
)

REAL, COMPLEX = UncertainBlock("real", 1, 1), UncertainBlock("complex", 1, 1)


def complex_matrix(rng, rows, columns):
    return rng.normal(size=(rows, columns)) + 1j * rng.normal(size=(rows, columns))


def test_complex_factors_give_disk_margins():
    rng = np.random.default_rng(1)
    for _ in range(2):
        M = complex_matrix(rng, 3, 3)
        # for three complex factors either bound is the structured singular value; 1e-4 is the accuracy asked for
        assert structured_upper_bound(M, (COMPLEX,) * 3) == pytest.approx(structured_norm(M), rel=1.5e-4)


def test_upper_bound_is_exact_for_rank_one():
    """Young (1994, Systems & Control Letters 22): exact for rank one, and a linear programme for real numbers."""
    rng = np.random.default_rng(2)
    for _ in range(2):
        a, b = complex_matrix(rng, 4, 1), complex_matrix(rng, 4, 1)
        M = a @ b.conj().T
        z = (b.conj() * a)[:, 0]
        exact = -linprog(-z.real, A_eq=z.imag[None], b_eq=[0.0], bounds=[(-1.0, 1.0)] * 4).fun
        assert structured_upper_bound(M, (REAL,) * 4, accuracy=1e-3) == pytest.approx(exact, rel=3e-3)
        assert structured_upper_bound(M, (COMPLEX,) * 4, accuracy=1e-3) == pytest.approx(np.abs(z).sum(), rel=2e-3)


def test_upper_bound_of_full_and_repeated_blocks():
    M = complex_matrix(np.random.default_rng(3), 4, 4)
    assert structured_upper_bound(M, (UncertainBlock("full", 4, 4),)) == pytest.approx(np.linalg.norm(M, 2), rel=1e-4)
    radius = np.abs(np.linalg.eigvals(M)).max()
    assert radius * (1 - 1e-9) <= structured_upper_bound(M, (UncertainBlock("complex", 4, 4),)) < 1.005 * radius
    wide = complex_matrix(np.random.default_rng(4), 2, 3)
    assert structured_upper_bound(wide, (UncertainBlock("full", 2, 3),)) == pytest.approx(
        np.linalg.norm(wide, 2), rel=1e-4
    )


def test_real_block_depends_on_real_eigenvalues_only():
    """Repeated: 1 / mu is the smallest real factor that makes I - factor M singular."""
    rng = np.random.default_rng(5)
    M = rng.normal(size=(3, 3))
    values = np.linalg.eigvals(M)
    exact = np.abs(values[np.abs(values.imag) < 1e-12]).max()
    found = structured_upper_bound(M.astype(complex), (UncertainBlock("real", 3, 3),), accuracy=1e-3)
    assert exact * (1 - 1e-9) <= found < 1.05 * exact
    assert structured_upper_bound(np.array([[0, 1], [-1, 0]], dtype=complex), (UncertainBlock("real", 2, 2),)) < 0.01


def nothing_more_is_proven(rng):
    reals = int(rng.integers(1, 5))
    repeats = [int(n) for n in rng.integers(1, 3, size=reals)]
    n = sum(repeats) + 1
    M = complex_matrix(rng, n, n)
    blocks = (*(UncertainBlock("real", k, k) for k in repeats), COMPLEX)
    smallest = np.inf
    for scale in np.geomspace(0.02, 2.0, 60):
        real = scale * np.repeat(rng.uniform(-1.0, 1.0, size=reals), repeats)
        inner = np.linalg.solve(np.eye(n - 1) - M[:-1, :-1] * real, M[:-1, -1])
        last = 1.0 / (M[-1, -1] + (M[-1, :-1] * real) @ inner)  # with this the loop is singular
        smallest = min(smallest, max(np.abs(real).max(), abs(last)))
    assert structured_multipliers(M * smallest * 1.001, blocks) is None


def test_multipliers_never_contradict_a_singular_loop():
    rng = np.random.default_rng(6)
    for _ in range(12):
        nothing_more_is_proven(rng)


@pytest.mark.slow
def test_multipliers_never_contradict_hundreds_of_singular_loops():
    rng = np.random.default_rng(7)
    for _ in range(400):
        nothing_more_is_proven(rng)


def test_upper_bound_matches_slycot():
    """Compared with AB13MD, for real scalars and complex blocks."""
    slycot = pytest.importorskip("slycot")
    rng = np.random.default_rng(8)
    for _ in range(4):
        M = complex_matrix(rng, 4, 4)
        told, *_ = slycot.ab13md(M, np.array([1, 1, 1, 1]), np.array([1, 1, 2, 2]))
        assert structured_upper_bound(M, (REAL, REAL, COMPLEX, COMPLEX)) == pytest.approx(told, rel=5e-3)
