"""Stability of the principal spins: linear model against closed form and exact motion."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude.free_motion import FreeMotion, axis_stability
from polhode.plant.errors import InputError

J = np.array([400.0, 307.808385, 200.0])
TENSOR = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])


@pytest.mark.parametrize("inertia", [J, TENSOR])
def test_axis_stability_eigenvalues_match_closed_form(inertia: np.ndarray) -> None:
    spins = axis_stability(inertia, speed=1.5)
    assert [spin.name for spin in spins] == ["minor", "middle", "major"]
    assert [spin.kind for spin in spins] == ["stable", "unstable", "stable"]
    moments = [spin.moment for spin in spins]
    assert moments == sorted(moments)
    for spin in spins:
        expected = np.array([0.0, 0.0, 1.5j, -1.5j, spin.nutation, -spin.nutation])
        for value in expected:
            # a double zero eigenvalue is accurate to the square root of rounding, the others to rounding
            tolerance = 1e-7 if value == 0.0 else 1e-13
            assert np.abs(spin.eigenvalues - value).min() < tolerance
    a, b, c = moments
    assert spins[1].nutation == pytest.approx(1.5 * np.sqrt((b - a) * (c - b) / (a * c)), rel=1e-12)
    assert "unstable" in spins[1].words
    assert "dissipat" in spins[0].words


def test_axis_stability_matches_exact_motion() -> None:
    minor, middle, major = axis_stability(J, speed=1.0)
    for spin in (minor, major):  # the other two components oscillate at the nutation frequency
        motion = FreeMotion(J, rate=spin.axis + 1e-7 * np.roll(spin.axis, 1))
        # the period changes by the square of the amplitude, 1e-14
        assert np.pi / motion.period == pytest.approx(abs(spin.nutation), rel=1e-12)
    motion = FreeMotion(J, rate=middle.axis + 1e-9 * np.roll(middle.axis, 1))
    t = np.array([4.0, 8.0]) / abs(middle.nutation)
    growth = np.log(np.abs(motion.momentum(t)[:, 2])) @ (-1.0, 1.0) / 4.0
    assert growth == pytest.approx(1.0, abs=1e-3)  # cosh, not exp: deviates by exp(-8)


def test_axis_stability_of_equal_moments_is_neutral() -> None:
    assert [spin.kind for spin in axis_stability((2.0, 2.0, 3.0), speed=1.0)] == ["neutral", "neutral", "stable"]
    assert [spin.kind for spin in axis_stability((1.0, 3.0, 3.0), speed=1.0)] == ["stable", "neutral", "neutral"]
    assert {spin.kind for spin in axis_stability((2.0, 2.0, 2.0), speed=1.0)} == {"neutral"}


def test_axis_stability_rejects_zero_speed() -> None:
    with pytest.raises(InputError, match="greater than 0"):
        axis_stability(J, speed=0.0)
