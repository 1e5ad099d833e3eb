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


def distillation(w):
    """Return the robust performance matrix of Skogestad & Postlethwaite (2005), example 8.9, at w rad/s."""
    s, eye = 1j * w, np.eye(2)
    steady = np.array([[87.8, -86.4], [108.2, -109.6]])
    G = steady / (75.0 * s + 1.0)
    K = 0.7 * (75.0 * s + 1.0) / (s + 1e-5) * np.linalg.inv(steady)
    uncertainty, performance = (s + 0.2) / (0.5 * s + 1.0), 0.5 * (10.0 * s + 1.0) / (10.0 * s + 1e-5)
    S, T = np.linalg.inv(eye + G @ K), K @ G @ np.linalg.inv(eye + K @ G)
    return np.block([[-uncertainty * T, -uncertainty * K @ S], [performance * S @ G, performance * S]])


def test_upper_bound_matches_robust_performance_of_distillation():
    """Skogestad & Postlethwaite, table 8.2: mu 5.7726 and 0.5242, each the largest of 61 frequencies, 0.001 to 1000."""
    blocks = (COMPLEX, COMPLEX, UncertainBlock("full", 2, 2))
    near = np.logspace(-3.0, 3.0, 61)[30:34]  # the peak, between 1 and 2 rad/s
    performance = [structured_upper_bound(distillation(w), blocks) for w in near]
    assert max(performance) == pytest.approx(5.7726, rel=2e-4)
    assert np.argmax(performance) not in {0, 3}
    stability = [structured_norm(distillation(w)[:2, :2]) for w in np.logspace(-3.0, 3.0, 61)]
    assert max(stability) == pytest.approx(0.5242, rel=2e-4)


def two_masses(w):
    """Return M for masses and stiffness of 1 with deviations of 20 %, under C = 100 ((s + 1)/(0.001 s + 1))^3."""
    s = 1j * w
    C = 100.0 * ((s + 1.0) / (0.001 * s + 1.0)) ** 3
    plant = np.array([[s * s + 1.0, C - 1.0], [-1.0, s * s + 1.0]])
    forces = np.array([[-1.0, -1.0, 0.0], [1.0, 0.0, -1.0]])  # of the deviations of stiffness and both masses
    x = np.linalg.solve(plant, forces)
    return 0.2 * np.stack((x[0] - x[1], s * s * x[0], s * s * x[1]))


def two_masses_decay(size):
    """Return the largest real part of the poles with masses smaller and stiffness larger by `size` times 20 %."""
    m, k = 1.0 - 0.2 * size, 1.0 + 0.2 * size
    lag, lead = np.poly1d([0.001, 1.0]) ** 3, 100.0 * np.poly1d([1.0, 1.0]) ** 3
    body = np.poly1d([m, 0.0, k])
    return float(((body * body - k * k) * lag + k * lead).roots.real.max())


def test_upper_bound_matches_robust_margin_of_two_masses():
    """MathWorks' robust margin is between 2.8826 and 2.8864; the poles cross the axis at the deviation found."""
    lower = min(1.0 / structured_upper_bound(two_masses(w), (REAL,) * 3) for w in np.linspace(573.0, 577.0, 9))
    assert lower == pytest.approx(2.8864, abs=4e-4)
    assert two_masses_decay(lower * 0.999) < 0.0 < two_masses_decay(lower * 1.001)
