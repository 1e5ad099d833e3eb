"""The exact sampled plant compared with a timeline: every command applied at its time, transitions by expm."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm

from polhode.controllers.loop.sampled_plant import commands_under_way, hold, sampled_plant, split_delay


def flow(A, B, x, u, duration):
    """Return x after `duration` under constant u, by the exponential of the augmented matrix [[A, B u], [0, 0]]."""
    n = len(A)
    block = np.zeros((n + 1, n + 1))
    block[:n, :n] = A
    block[:n, n] = B @ u
    return (expm(block * duration) @ np.append(x, 1.0))[:n]


def timeline(A, B, x, commands, *, sample, delays):
    """Return the states at the samples; command k of input i reaches the plant at k sample + delays[i]."""
    steps = len(commands)
    arrivals = sorted({k * sample + delay for k in range(steps) for delay in delays})
    edges = sorted({*(t for t in arrivals if t < steps * sample), *(k * sample for k in range(steps + 1))})
    merged = [edges[0]]
    for t in edges[1:]:
        if t - merged[-1] > 1e-9:
            merged.append(t)
    states = [x]
    for start, stop in pairwise(merged):
        middle = 0.5 * (start + stop)
        u = np.zeros(len(delays))
        for i, delay in enumerate(delays):
            k = int(np.floor((middle - delay) / sample))
            u[i] = commands[k, i] if k >= 0 else 0.0
        x = flow(A, B, x, u, stop - start)
        if abs(stop / sample - round(stop / sample)) < 1e-9:
            states.append(x)
    return np.array(states)


@pytest.mark.parametrize(
    "delays",
    [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (1.0, 1.0), (0.1, 1.35), (1.5, 0.0), (0.75, 0.2)],
)
def test_sampled_plant_delay_follows_the_timeline(delays):
    rng = np.random.default_rng(20240101)
    A = rng.normal(size=(4, 4)) - 1.0 * np.eye(4)
    B = rng.normal(size=(4, 2))
    sample, steps = 0.5, 12
    commands = rng.normal(size=(steps, 2))
    x0 = rng.normal(size=4)
    expected = timeline(A, B, x0, commands, sample=sample, delays=delays)
    F, G = sampled_plant(A, B, sample=sample, delays=delays)
    state = np.zeros(len(F))
    state[:4] = x0
    got = [x0]
    for u in commands:
        state = F @ state + G @ u
        got.append(state[:4])
    # both are chains of about 30 matrix exponentials, each accurate to 1e-15 or so
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_sampled_double_integrator_matches_closed_form():
    h, f = 0.2, 0.05
    F, G = sampled_plant(np.array([[0.0, 1], [0, 0]]), np.array([[0.0], [1]]), sample=h, delays=[f])
    late = h * f - f * f / 2  # the old command acts for f, then coasts for h - f
    expected = [[1, h, late], [0, 1, f], [0, 0, 0]]
    # sums of a few numbers below 1
    np.testing.assert_allclose(F, expected, rtol=0, atol=1e-16)
    np.testing.assert_allclose(G[:, 0], [(h - f) ** 2 / 2, h - f, 1], rtol=0, atol=1e-15)


def test_delay_just_below_a_sample_is_a_sample():
    A, B = np.array([[0.0, 1], [-2, -0.3]]), np.array([[0.0], [1]])
    short = sampled_plant(A, B, sample=0.1, delays=[0.1 * (1 - 1e-7)])
    whole = sampled_plant(A, B, sample=0.1, delays=[0.1])
    # the command reaches the plant 1e-8 s earlier, at unit gain
    np.testing.assert_allclose(short[0], whole[0], rtol=0, atol=2e-8)
    np.testing.assert_allclose(short[1], whole[1], rtol=0, atol=2e-8)
    assert np.abs(short[0] - whole[0]).max() > 1e-10


def test_shift_register_of_commands_shifts():
    F, G = sampled_plant(np.zeros((1, 1)), np.eye(1), sample=1.0, delays=[2.5])
    state = np.zeros(4)
    for u in (1.0, 2.0, 4.0):
        state = F @ state + G[:, 0] * u
    np.testing.assert_array_equal(state[1:], [4.0, 2.0, 1.0])  # newest first, unchanged
    assert state[0] == 0.5  # command 1 has acted from t = 2.5 to 3


def test_delay_arithmetic_ignores_rounding():
    assert split_delay(0.1, 0.1 + 0.2) == (3, 0.0)  # 0.30000000000000004
    assert split_delay(0.1, 0.7) == (7, 0.0)  # 0.7 / 0.1 = 6.999999999999999
    assert commands_under_way(0.1, 0.7) == 7
    assert commands_under_way(0.1, 0.701) == 8


def test_hold_matches_quadrature():
    A, B = np.array([[0.0, 1], [-4, -0.2]]), np.array([[0.3], [1]])
    _, gain = hold(A, B, duration=0.8)
    nodes, weights = np.polynomial.legendre.leggauss(30)  # exact to round-off for so smooth an integrand
    expected = sum(0.4 * w * expm(A * 0.4 * (1 + s)) @ B for s, w in zip(nodes, weights, strict=True))
    np.testing.assert_allclose(gain, expected, rtol=0, atol=1e-14)
