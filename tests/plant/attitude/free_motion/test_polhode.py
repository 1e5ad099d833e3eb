"""Polhodes are on the sphere and the ellipsoid, are closed, and contain the motion."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude.free_motion import FreeMotion, Polhode, energy_limits, polhode, polhode_family, separatrix
from polhode.plant.errors import InputError

J = (200.0, 307.808385, 400.0)
TENSOR = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])


def check(computed: Polhode, inertia: np.ndarray, size: float) -> None:
    h, w = computed.momentum_curves, computed.rate_curves
    np.testing.assert_allclose(np.linalg.norm(h, axis=-1), size, rtol=1e-14)
    np.testing.assert_allclose(0.5 * (h * w).sum(axis=-1), computed.energy, rtol=1e-13)  # the ellipsoid
    np.testing.assert_allclose(w @ inertia, h, rtol=0.0, atol=1e-13 * size)
    np.testing.assert_allclose(h[:, 0], h[:, -1], rtol=0.0, atol=1e-14 * size)  # closed


@pytest.mark.parametrize("share", [0.0, 1e-9, 0.2, 0.49, 0.7, 1.0])
@pytest.mark.parametrize("inertia", [np.diag(J), TENSOR, np.diag((2.0, 2.0, 3.0)), np.diag((1.0, 3.0, 3.0))])
def test_polhode_is_on_sphere_and_ellipsoid(inertia: np.ndarray, share: float) -> None:
    limits = energy_limits(inertia, 10.0)
    energy = limits.lowest + share * (limits.highest - limits.lowest)
    computed = polhode(inertia, momentum=10.0, energy=energy)
    assert computed.energy == pytest.approx(energy, rel=1e-14)
    check(computed, inertia, 10.0)
    if 0.0 < share < 1.0:
        assert computed.regime == ("minor" if energy > limits.separatrix else "major")


def test_polhode_contains_the_motion() -> None:
    motion = FreeMotion(TENSOR, rate=(0.4, 0.1, -0.2))
    curves = polhode(TENSOR, momentum=motion.initial_momentum, samples=4001).momentum_curves
    for h in motion.momentum(np.linspace(0.0, 100.0, 40)):
        apart = np.linalg.norm(curves[0] - h, axis=-1).min()
        # half the distance between 4000 samples of a curve no longer than the great circle
        assert apart < 0.5 * 2.0 * np.pi * np.linalg.norm(h) / 4000


def test_separatrix_is_two_great_circles() -> None:
    computed = separatrix(J, momentum=10.0)
    check(computed, np.diag(J), 10.0)
    assert computed.regime == "separatrix"
    assert computed.energy == pytest.approx(energy_limits(J, 10.0).separatrix, rel=1e-14)
    for circle in computed.momentum_curves:
        assert np.linalg.matrix_rank(circle, tol=1e-11) == 2  # a plane
        assert np.abs(circle[:, 1]).max() == pytest.approx(10.0, rel=1e-14)
    slope = np.abs(computed.momentum_curves[:, 0, 2] / computed.momentum_curves[:, 0, 0])
    expected = np.sqrt((1 / J[0] - 1 / J[1]) / (1 / J[1] - 1 / J[2]))
    np.testing.assert_allclose(slope, expected, rtol=1e-13)


def test_polhode_family_covers_both_axes() -> None:
    family = polhode_family(J, momentum=5.0, count=4, samples=37)
    assert [curve.regime for curve in family] == ["minor"] * 4 + ["major"] * 4
    energies = [curve.energy for curve in family]
    assert energies == sorted(energies, reverse=True)
    for curve in family:
        assert curve.momentum_curves.shape == (2, 37, 3)
        check(curve, np.diag(J), 5.0)
    assert len(polhode_family((2.0, 2.0, 3.0), momentum=5.0, count=4)) == 4  # one axis to circle only


def test_polhode_of_steady_spin_is_two_points() -> None:
    computed = polhode(J, momentum=(0.0, -3.0, 0.0), samples=5)
    assert computed.regime == "steady"
    assert np.unique(computed.momentum_curves, axis=1).shape == (2, 1, 3)


def test_polhode_rejects_bad_input() -> None:
    with pytest.raises(InputError, match="energy must be from"):
        polhode(J, momentum=10.0, energy=1.0)
    with pytest.raises(InputError, match="magnitude with the energy"):
        polhode(J, momentum=10.0)
    with pytest.raises(InputError, match="magnitude with the energy"):
        polhode(J, momentum=(1, 0, 0), energy=1.0)
    with pytest.raises(InputError, match="at rest"):
        polhode(J, momentum=(0, 0, 0))
    with pytest.raises(InputError, match="no separatrix"):
        separatrix((2, 2, 3), momentum=1.0)
    with pytest.raises(InputError, match="every spin is steady"):
        polhode_family((2, 2, 2), momentum=1.0)
    with pytest.raises(InputError, match="greater than 0"):
        energy_limits(J, 0.0)
