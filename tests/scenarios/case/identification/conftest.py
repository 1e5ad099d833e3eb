"""A tumbling body integrated by scipy, its gyro and star tracker, and the Fisher information of the gyro.

Nothing here uses polhode: Euler's equations and kinematics in scipy, measurements and noise in numpy.
"""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

J = np.array([[6.53, 0.45, -0.30], [0.45, 5.96, 0.22], [-0.30, 0.22, 4.53]])
ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
T, SAMPLES = 0.1, 600
RATE_NOISE = 1e-4  # rad/s
TIMES = np.round(T * np.arange(SAMPLES + 1), 9)

CASE = f"""
title = "a body whose inertia is sought"

[plant]
inertia_kg_m2 = [[6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 5.0]]

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "rate-damping"
gain_N_m_s = 1.0
sample_s = 0.1
torque_limit_N_m = 1.0

[[sensors]]
kind = "gyro"
angle_random_walk_deg_sqrt_h = {float(np.degrees(RATE_NOISE * np.sqrt(T)) * 60.0)!r}

[run]
duration_s = 60.0
integrator = "rk4"
step_s = 0.05
"""

TRACKER = """
[[sensors]]
kind = "star-tracker"
noise_arcsec = 10.0
roll_noise_arcsec = 80.0
sample_s = 0.5
"""


def torque(t):
    """Torque of the example, three sines about three axes, sampled."""
    return 0.1 * np.array([np.sin(0.02 * np.pi * t), np.sin(0.07 * np.pi * t + 1.0), np.sin(0.14 * np.pi * t + 2.0)])


def commands():
    """Active torque from each sample on: its value half a period later."""
    return torque(TIMES + 0.5 * T).T


# Components: np.cross takes most of the time of a motion of a few bodies.
def cross(a, b):
    """Cross product of vectors (..., 3)."""
    x, y, z, u, v, w = (each[..., n] for each in (a, b) for n in range(3))
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def product(a, b):
    """Product of quaternions (..., 4), scalar first."""
    scalar = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True)
    vector = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + cross(a[..., 1:], b[..., 1:])
    return np.concatenate((scalar, vector), axis=-1)


def rotation(v):
    """Quaternion of a rotation vector (..., 3)."""
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate((np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * v), axis=-1)


def slope(inertia, inverse, x, u):
    """Derivative of (..., 7): quaternion and body rate."""
    q, w = x[..., :4], x[..., 4:]
    turn = 0.5 * product(q, np.concatenate((np.zeros_like(w[..., :1]), w), axis=-1))
    momentum = np.einsum("...ij,...j->...i", inertia, w)
    return np.concatenate((turn, np.einsum("...ij,...j->...i", inverse, u - cross(w, momentum))), axis=-1)


@cache
def motion(rate=(0.0, 0.0, 0.0)):
    """Quaternion and rate (n, 7) at the samples by scipy, read-only; the torque is held over each."""
    inverse, rows = np.linalg.inv(J), [np.array((1.0, 0.0, 0.0, 0.0, *rate))]
    for u in commands()[:-1]:
        found = solve_ivp(
            lambda _, x, u=u: slope(J, inverse, x, u), (0.0, T), rows[-1], method="DOP853", rtol=1e-12, atol=1e-14
        )
        rows.append(found.y[:, -1])
    states = np.array(rows)
    states.setflags(write=False)
    return states


def many_motions(inertias):
    """The same for several tensors (m, 3, 3), (m, n, 7), by the classical method of order four in steps of 0.02 s."""
    inverse = np.linalg.inv(inertias)
    x = np.zeros((len(inertias), 7))
    x[:, 0] = 1.0
    rows, h = [x], T / 5.0
    for u in commands()[:-1]:
        for _ in range(5):
            a = slope(inertias, inverse, x, u)
            b = slope(inertias, inverse, x + 0.5 * h * a, u)
            c = slope(inertias, inverse, x + 0.5 * h * b, u)
            x = x + h / 6.0 * (a + 2.0 * b + 2.0 * c + slope(inertias, inverse, x + h * c, u))
        rows.append(x)
    return np.stack(rows, axis=1)


def mean_rates(q):
    """Rotation vector of each interval divided by T (..., n - 1, 3)."""
    turn = product(q[..., :-1, :] * np.array((1.0, -1.0, -1.0, -1.0)), q[..., 1:, :])
    size = np.linalg.norm(turn[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(size, turn[..., :1])
    return turn[..., 1:] * np.where(size > 0.0, angle / np.where(size > 0.0, size, 1.0), 2.0) / T


@cache
def fisher():
    """Information (6, 6) of xx, yy, zz, xy, xz, yz from the gyro: central differences of the motions above."""
    step, tensors = 1e-5, []
    for i, j in ENTRIES:
        for sign in (1.0, -1.0):
            one = J.copy()
            one[i, j] = one[j, i] = J[i, j] + sign * step
            tensors.append(one)
    rates = mean_rates(many_motions(np.array(tensors))[..., :4]).reshape(6, 2, -1)
    rows = (rates[:, 0] - rates[:, 1]) / (2.0 * step) / RATE_NOISE
    information = rows @ rows.T
    information.setflags(write=False)
    return information


@pytest.fixture(scope="session")
def truth():
    """The motion."""
    return motion()


def gyro_rows(truth, seed):
    """Rates that the gyro measures (n, 3); the first sample is at rest."""
    rates = np.vstack((truth[:1, 4:], mean_rates(truth[:, :4])))
    return rates + RATE_NOISE * np.random.default_rng(seed).normal(size=rates.shape)


def tracker_rows(truth, seed):
    """Quaternions of the star tracker each 0.5 s, others nan (n, 4)."""
    sigma = np.radians(np.array((10.0, 10.0, 80.0)) / 3600.0)
    noise = sigma * np.random.default_rng(seed + 1000).normal(size=(len(truth), 3))
    rows = product(truth[:, :4], rotation(noise))
    rows[np.arange(len(rows)) % 5 != 0] = np.nan
    return rows


def write_csv(path, columns):
    """Write columns by name; nan as an empty cell."""
    rows = np.column_stack(list(columns.values()))
    lines = [",".join(columns)]
    lines += [",".join("" if np.isnan(each) else repr(float(each)) for each in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def table(truth, seed=0, *, tracker=False):
    """Columns of a CSV file."""
    found = {"time_s": TIMES}
    found |= {f"command_{n + 1}_N_m": column for n, column in enumerate(commands().T)}
    found |= {f"gyro_{axis}_rad_s": column for axis, column in zip("xyz", gyro_rows(truth, seed).T, strict=True)}
    if tracker:
        found |= {f"star_tracker_{n}": column for n, column in enumerate(tracker_rows(truth, seed).T)}
    return found


@pytest.fixture
def case(tmp_path):
    """Path of the case with a gyro."""
    path = tmp_path / "body.toml"
    path.write_text(CASE, encoding="utf-8")
    return path


@pytest.fixture
def tracked(tmp_path):
    """Path of the case with a gyro and a star tracker."""
    path = tmp_path / "tracked.toml"
    path.write_text(CASE + TRACKER, encoding="utf-8")
    return path
