"""Steering of control moment gyros against closed forms of momentum, envelope and singularities."""

import numpy as np
import pytest
from scipy.optimize import minimize

from polhode.controllers import GyroAllocation
from polhode.plant import ControlMomentGyro, InputError, gyro_array, pyramid_axes

GIVEN = {"rotor_inertia": 0.02, "gimbal_inertia": 0.03, "time_constant": 0.02}
CUBE = float(np.arccos(1.0 / np.sqrt(3.0)))
"""Skew angle of 54.74 degrees."""


def pyramid(momentum=1.0, **more):
    return GyroAllocation(gyro_array(*pyramid_axes(CUBE), momentum=momentum, **GIVEN), **more)


def unequal():
    rng = np.random.default_rng(4)
    gyros = []
    for _ in range(5):
        g, b = rng.normal(size=3), rng.normal(size=3)
        gyros.append(ControlMomentGyro(axis=g, spin_axis=np.cross(g, b), momentum=rng.uniform(-3, 3), **GIVEN))
    return GyroAllocation(gyros, method="pseudo-inverse")


def test_jacobian_is_derivative_of_momentum():
    steering, angles, h = unequal(), np.array((0.3, -1.0, 2.0, 0.7, -0.2)), 1e-6
    slopes = [(steering.momentum(angles + h * e) - steering.momentum(angles - h * e)) / (2 * h) for e in np.eye(5)]
    np.testing.assert_allclose(steering.jacobian(angles), np.transpose(slopes), rtol=0, atol=1e-9)


def test_singularity_measure_of_pyramid_at_rest_has_closed_form():
    """Four cos(b)^2 sin(b), Wie, Bailey & Heiberg (2001)."""
    assert pyramid(7.0).singularity_measure((0, 0, 0, 0)) == pytest.approx(1.088662108, abs=5e-10)


@pytest.mark.parametrize("direction", [(0, 0, 1), (1, 0, 0), (0.3, -0.5, 0.2), (1, 1, 1)])
def test_envelope_is_the_largest_momentum_over_all_gimbal_angles(direction):
    """Margulies & Aubrun (1978); the largest momentum is found by a search that does not use the formula."""
    steering = pyramid()
    u = np.array(direction) / np.linalg.norm(direction)
    rng = np.random.default_rng(1)
    best = max(-minimize(lambda d: -steering.momentum(d) @ u, rng.uniform(-3, 3, 4)).fun for _ in range(12))
    assert steering.largest_momentum(direction) == pytest.approx(best, rel=1e-8)
    at = steering.envelope_angles(direction)
    assert steering.momentum(at) @ u == pytest.approx(best, rel=1e-8)
    assert steering.singularity_measure(at) < 1e-7
    np.testing.assert_allclose(u @ steering.jacobian(at), 0.0, atol=1e-14)


def test_envelope_of_pyramid_has_published_size():
    steering = pyramid(1000.0)
    assert steering.largest_momentum((0, 0, 2)) == pytest.approx(3265.986324, abs=1e-6)
    assert steering.largest_momentum((-1, 0, 0)) == pytest.approx(3154.700538, abs=1e-6)


def test_envelope_counts_reversed_rotors():
    steering = unequal()
    u = np.array((0.2, -0.7, 0.4))
    assert steering.momentum(steering.envelope_angles(u)) @ u / np.linalg.norm(u) == pytest.approx(
        steering.largest_momentum(u), rel=1e-13
    )


@pytest.mark.parametrize("null_gain", [0.0, 0.4])
def test_pseudo_inverse_produces_the_torque(null_gain):
    steering = GyroAllocation(unequal().gyros, method="pseudo-inverse", null_gain=null_gain)
    angles, torque = np.array((0.3, -1.0, 2.0, 0.7, -0.2)), np.array((0.4, -0.1, 0.3))
    rates = steering.rates(torque, angles)
    np.testing.assert_allclose(-steering.jacobian(angles) @ rates, torque, rtol=0, atol=1e-13)
    if not null_gain:
        least = np.linalg.lstsq(-steering.jacobian(angles), torque, rcond=None)[0]
        np.testing.assert_allclose(rates, least, rtol=0, atol=1e-13)


def test_null_motion_of_pyramid_raises_singularity_measure():
    steering = pyramid(10.0, method="pseudo-inverse", null_gain=0.5)
    angles = np.array((0.9, -0.4, -0.6, 0.5))
    rates = steering.rates((0, 0, 0), angles)
    A = steering.jacobian(angles) / 10.0
    minors = [(-1) ** i * np.linalg.det(np.delete(A, i, axis=1)) for i in range(4)]
    n = np.array(minors)  # null vector, Wie, Bailey & Heiberg (2001)
    assert np.linalg.norm(n) == pytest.approx(steering.singularity_measure(angles), rel=1e-12)
    np.testing.assert_allclose(rates, (rates @ n) / (n @ n) * n, atol=1e-14)
    h = 1e-6
    slope = [
        (steering.singularity_measure(angles + h * e) ** 2 - steering.singularity_measure(angles - h * e) ** 2)
        / (2 * h)
        for e in np.eye(4)
    ]
    np.testing.assert_allclose(rates, 0.5 * n * (n @ slope) / (n @ n), atol=1e-8)  # gradient projected on n
    assert np.array(slope) @ rates > 1e-3


def test_off_diagonal_terms_leave_the_elliptic_singularity():
    """At (-90, 0, 90, 0) deg no gyro gives a torque along x, and a diagonal matrix alone gives no rates."""
    singular = np.radians((-90.0, 0.0, 90.0, 0.0))
    force = {"method": "singularity-robust", "robust": 0.01, "decay": 10.0}
    np.testing.assert_allclose(pyramid().momentum(singular), (1.154700538, 0, 0), atol=1e-9)
    locked = pyramid(**force, dither=0.0).rates((-0.5, 0, 0), singular)
    np.testing.assert_allclose(locked, 0.0, atol=1e-13)
    moving = pyramid(**force, dither=0.01).rates((-0.5, 0, 0), singular, time=0.4)
    assert np.abs(moving).max() > 1e-3
    A, e = pyramid().jacobian(singular), 0.01 * np.sin(0.5 * np.pi * 0.4 + np.array((0.0, 0.5 * np.pi, np.pi)))
    E = np.array(((1.0, e[2], e[1]), (e[2], 1.0, e[0]), (e[1], e[0], 1.0)))
    expected = A.T @ np.linalg.solve(A @ A.T + 0.01 * np.exp(-10.0 * np.linalg.det(A @ A.T)) * E, (0.5, 0.0, 0.0))
    np.testing.assert_allclose(moving, expected, rtol=1e-9)


def test_rates_beyond_the_limit_are_scaled_together():
    gyros = gyro_array(*pyramid_axes(CUBE), momentum=1.0, **GIVEN, rate_limit=0.2)
    limited = GyroAllocation(gyros, method="pseudo-inverse").rates((1.0, 0.3, -0.2), (0.1, 0.2, 0.3, 0.4))
    free = pyramid(method="pseudo-inverse").rates((1.0, 0.3, -0.2), (0.1, 0.2, 0.3, 0.4))
    assert np.abs(limited).max() == pytest.approx(0.2)
    np.testing.assert_allclose(limited, free * 0.2 / np.abs(free).max(), rtol=1e-13)


def test_pseudo_inverse_gives_no_rates_at_an_exact_singularity():
    gyros = gyro_array([(0, 0, 1)] * 3 + [(0, 1, 0)], [(1, 0, 0)] * 3 + [(1, 0, 0)], momentum=1.0, **GIVEN)
    steering = GyroAllocation(gyros, method="pseudo-inverse")
    assert steering.singularity_measure((0, 0, 0, np.pi / 2)) == pytest.approx(0.0, abs=1e-8)
    assert not steering.rates((0.1, 0, 0), (0, 0, 0, 0)).any()


@pytest.mark.parametrize(
    ("gyros", "more", "message"),
    [
        (gyro_array(*pyramid_axes(CUBE), momentum=1.0, **GIVEN)[:2], {}, "three or more control moment gyros; got 2"),
        (
            gyro_array([(0, 0, 1)] * 3, [(1, 0, 0)] * 3, momentum=1.0, **GIVEN),
            {},
            r"no torque along \[.*1.0\], the direction of all gimbal axes",
        ),
        (gyro_array(*pyramid_axes(CUBE), momentum=1.0, **GIVEN), {"dither": 0.7}, "dither must be below 0.5"),
        (gyro_array(*pyramid_axes(CUBE), momentum=1.0, **GIVEN), {"method": "magic"}, "steering method"),
        (
            [ControlMomentGyro(axis=(0, 0, 1), spin_axis=(1, 0, 0), momentum=1.0, rotor_inertia=1, gimbal_inertia=1)]
            * 3,
            {},
            "control moment gyro 1 has no rate loop",
        ),
    ],
)
def test_invalid_steering_is_refused(gyros, more, message):
    with pytest.raises(InputError, match=message):
        GyroAllocation(gyros, **more)


def test_direction_without_length_is_refused():
    with pytest.raises(InputError, match="direction of a momentum must not be zero"):
        pyramid().largest_momentum((0, 0, 0))
