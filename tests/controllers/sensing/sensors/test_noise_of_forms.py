"""The noise in the linear forms of sensors matches their kernels: covariance and autocovariance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polhode.controllers.laws.shaped_noise import ShapedNoise
from polhode.controllers.sensing.sensors import (
    CoarseSunSensor,
    FineSunSensor,
    HorizonSensor,
    Magnetometer,
    PositionSource,
    RateGyro,
    StarTracker,
)
from polhode.plant.attitude import from_rotation_vector
from polhode.plant.errors import InputError

E0 = from_rotation_vector((0.3, -0.2, 0.1))
MOUNTED = from_rotation_vector((0.4, -0.2, 0.3))
PYRAMID = [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)]
N, T = 40_000, 0.1
SENSORS: dict[str, Any] = {
    "gyro": RateGyro(angle_random_walk=1e-4, mounting=MOUNTED),
    "gyro walk": RateGyro(angle_random_walk=1e-9, rate_random_walk=1e-3),
    "gyro flicker": RateGyro(angle_random_walk=1e-6, bias_instability=1e-4, correlation_time=0.3, mounting=MOUNTED),
    "gyro counts": RateGyro(angle_random_walk=1e-4, step=4e-5, rate_step=2e-4, mounting=MOUNTED),
    "tracker": StarTracker(
        noise=1e-4, roll_noise=1e-3, field_noise=2e-4, field_roll_noise=1e-3, field_time=0.4, mounting=MOUNTED
    ),
    "sun": FineSunSensor(sun=(0.2, 0.5, 1.0), noise=1e-4, step=2e-4, half_angle=1.4, mounting=MOUNTED),
    "horizon": HorizonSensor(
        nadir=(0.2, 0.1, 1.0), noise=1e-4, radiance=2e-4, radiance_time=0.5, half_angle=1.4, mounting=MOUNTED
    ),
    "cells": CoarseSunSensor(sun=(0.2, 0.1, 1.0), normals=PYRAMID, noise=1e-3, half_angle=1.5),
    "field": Magnetometer(field=(2e-5, 1e-5, -3e-5), noise=1e-8, step=2e-8, mounting=MOUNTED),
    "position": PositionSource(noise=10.0, clock=1e-3),
}


def stated(form, lags) -> list[np.ndarray]:
    """Return covariances of a form's noise at lags; for a random walk, of its steps."""
    found = [np.zeros((len(form.D), len(form.D))) for _ in lags]
    for noise in form.noise:
        A, B, C, D = (np.asarray(each) for each in (noise.A, noise.B, noise.C, noise.D))
        spread = np.zeros((len(A), len(A)))
        for _ in range(400):
            spread = A @ spread @ A.T + B @ B.T
        for n, lag in enumerate(lags):
            if lag == 0:
                found[n] += C @ spread @ C.T + D @ D.T
            else:
                found[n] += C @ np.linalg.matrix_power(A, lag - 1) @ (A @ spread @ C.T + B @ D.T)
    return found


@pytest.mark.parametrize("name", SENSORS)
def test_sensor_noise_form_matches_kernel(name):
    sensor = SENSORS[name]
    block = sensor.block(sample=T)
    t = np.arange(N) * T
    y0 = np.array((7e6, 0.0, 1e6)) if name == "position" else np.concatenate((E0, np.zeros(3)))
    told = block.replay(t, np.broadcast_to(y0, (N, y0.size)), seed=3)
    form = block.small_signal(y0, width=told.shape[1])
    width = told.shape[1] - 2
    assert (told[:, width] == 1.0).all()
    off = (told - np.asarray(form.rests))[1:, :width]
    if name == "position":
        off[:, 3] -= t[1:]
    if name == "gyro walk":  # nonstationary: its steps have a covariance
        off = np.diff(off, axis=0)
        (noise,) = [each for each in form.noise if each.source == "rate random walk"]
        B, D = np.asarray(noise.B), np.asarray(noise.D)[:3]
        first = D @ D.T + (B - D) @ (B - D).T  # b[k] + D w[k] minus the last one: (B - D) w[k-1] + D w[k]
        wanted = [first, D @ (B - D).T]
    else:
        wanted = [each[:width, :width] for each in stated(form, (0, 1, 5))]
    size = np.sqrt(np.diag(wanted[0]))
    keep = size > 0.0
    for lag, each in zip((0, 1, 5), wanted, strict=False):
        m = len(off) - lag
        measured = off[lag:].T @ off[:m] / m
        scale = np.outer(size, size)[np.ix_(keep, keep)]
        # correlations of 40,000 samples, correlated over up to 10 of them: 0.01 (1 sigma)
        np.testing.assert_allclose(
            measured[np.ix_(keep, keep)] / scale, each[np.ix_(keep, keep)] / scale, rtol=0.0, atol=0.05
        )


def test_noise_form_that_does_not_fit_is_rejected():
    with pytest.raises(InputError, match="B of the noise 'n' must be 1 x 2"):
        ShapedNoise(source="n", D=np.zeros((3, 2)), A=[[0.5]], B=[[1.0]], C=np.zeros((3, 1)))
    with pytest.raises(InputError, match="is constant, so it has no A, B and C"):
        ShapedNoise(source="n", D=[[1.0]], A=[[0.5]], B=[[1.0]], C=[[1.0]], constant=True)


def test_sensor_without_noise_equals_its_form():
    sensor = RateGyro(
        angle_random_walk=1e-3, rate_random_walk=1e-3, bias=1e-3, step=1e-3, loss=0.5, outages=[(0.0, 5.0)]
    )
    y0 = np.concatenate((E0, (0.0, 0.0, 0.3)))
    block = sensor.block(sample=T)
    quiet = block.linear_equivalent(y0)
    assert not quiet.random
    t = np.arange(50) * T
    turned = [np.asarray(from_rotation_vector((0.0, 0.0, 0.3 * each))) for each in t]
    told = quiet.replay(t, np.hstack((turned, np.tile(y0[4:], (50, 1)))))
    np.testing.assert_allclose(told[:, :4], np.tile((0.0, 0.0, 0.3, 1.0), (50, 1)), atol=1e-14)
