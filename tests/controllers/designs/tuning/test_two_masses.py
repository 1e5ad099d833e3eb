"""Benchmark problem 1 of Wie & Bernstein (1992, Journal of Guidance, Control, and Dynamics 15(5), 1057).

Two unit masses on a spring of stiffness 0.5 to 2: the force acts on mass 1, and the position of mass 2 is measured.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import linalg
from scipy import signal as scipy_signal

from polhode import plant
from polhode.controllers.designs.discretize import sampled
from polhode.controllers.designs.tuning import SensitivityPeaks, Value, tune_loops
from polhode.controllers.laws.compensator import Compensator
from polhode.controllers.loop.sampled_loop import SampledLoop

signal: Any = scipy_signal
SAMPLE, COUNT, SETTLED = 0.05, 1200, 300  # s; samples of the response, and those before 15 s
PEAK = 7.5  # dB
CRAFT = plant.Spacecraft(plant.RigidBody((1.0, 1.0, 1.0)))
RIGID = CRAFT.linearize(CRAFT.at_rest())


def masses(stiffness):
    """Return a model whose x axis is mass 2, with mass 1 as internal states; y and z are rigid."""
    A, B = np.zeros((8, 8)), np.zeros((8, 3))
    A[:6, :6], B[:6] = RIGID.A, RIGID.B
    at, speed = RIGID.states.index("attitude_error_x"), RIGID.states.index("momentum_x")
    A[speed, [at, 6]], A[7, [at, 6]], A[6, 7] = (-stiffness, stiffness), (stiffness, -stiffness), 1.0
    B[speed], B[7, 0] = 0.0, 1.0
    return replace(
        RIGID, A=A, B=B, C=np.hstack((RIGID.C, np.zeros((len(RIGID.C), 2)))),
        states=(*RIGID.states, "mass_1", "mass_1_speed"), state_units=(*RIGID.state_units, "m", "m/s"),
    )  # fmt: skip


def regulator():
    """Return numerator and denominator of an LQG law for a stiffness of 1, which is unstable for 0.5 and 2."""
    A = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0]])
    B, C = np.array([[0.0], [0.0], [1.0], [0.0]]), np.array([[0.0, 1.0, 0.0, 0.0]])
    K = B.T @ linalg.solve_continuous_are(A, B, np.diag([0.0, 3.0, 0.0, 0.0]) + 1e-3 * np.eye(4), np.eye(1))
    L = linalg.solve_continuous_are(A.T, C.T, np.diag([0.0, 0.0, 1.0, 1.0]), 0.1 * np.eye(1)) @ C.T / 0.1
    above, below = signal.ss2tf(A - B @ K - L @ C, L, K, np.zeros((1, 1)))
    return above[0, 1:], below


ABOVE, BELOW = regulator()
POLES = sorted((each for each in np.roots(BELOW) if each.imag > 0.0), key=abs)
START = np.array((0.0, 0.0, 0.0, 0.0, *np.ravel([(np.log(abs(p)), np.log(-p.real / abs(p))) for p in POLES])))


def transfer(x):
    """Return numerator and denominator: four coefficients, and frequency and damping of two pairs of poles."""
    w, z = np.exp(x[4::2]), np.exp(x[5::2])
    below = np.polymul([1.0, 2.0 * z[0] * w[0], w[0] ** 2], [1.0, 2.0 * z[1] * w[1], w[1] ** 2])
    return ABOVE + np.abs(ABOVE).max() / 3.0 * x[:4], below


def loop_at(stiffness):
    model = masses(stiffness)

    def loop(x):
        a, b, c, _ = signal.tf2ss(*transfer(x))
        enter, out, direct = np.zeros((4, 6)), np.zeros((3, 4)), np.zeros((3, 6))
        enter[:, 0], out[0], direct[1:, 1:3], direct[1:, 4:] = b[:, 0], c[0], np.eye(2), 2.0 * np.eye(2)
        a, b, c, d = sampled((a, enter, out, direct), SAMPLE, method="tustin")
        law = Compensator(A=a, B=b, C=-c, D=-d, tracking=np.zeros((4, 3)))
        return SampledLoop(model, law, sample=SAMPLE, delay=0.0)

    return loop


def responses(loop):
    """Return position of mass 2 and force at the samples after a unit impulse on mass 2."""
    F, G, K = loop.matrices()
    at, speed = (loop.states.index(name) for name in ("attitude_error_x", "momentum_x"))
    closed, s = F - G @ K, np.zeros((len(F), 1))
    s[speed] = 1.0 / loop.T[speed]
    while s.shape[1] < COUNT:
        s, closed = np.hstack((s, closed @ s)), closed @ closed
    return loop.T[at] * s[at, :COUNT], -loop.scale * (K[0] @ s)[:COUNT]


def independent_responses(x):
    """Return the same for a stiffness of 1, by the recursion of the law's difference equation on the plant."""
    A = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0]])
    whole = linalg.expm(SAMPLE * np.block([[A, np.array([[0.0], [0.0], [1.0], [0.0]])], [np.zeros((1, 5))]]))
    above, below = signal.bilinear(*transfer(x), fs=1.0 / SAMPLE)
    state, past_y, past_u = np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(5), np.zeros(4)
    y, u = np.zeros(COUNT), np.zeros(COUNT)
    for n in range(COUNT):
        past_y = np.array((state[1], *past_y[:4]))
        y[n], u[n] = state[1], -(above @ past_y) - below[1:] @ past_u
        past_u = np.array((u[n], *past_u[:3]))
        state = whole[:4, :4] @ state + whole[:4, 4] * u[n]
    return y, u


def independent_peak(x, stiffness):
    """Return the largest |S| and the largest modulus of the poles, from transfer functions in z."""
    top, bottom, _ = signal.cont2discrete(([stiffness], [1.0, 0.0, 2.0 * stiffness, 0.0, 0.0]), SAMPLE)
    above, below = signal.bilinear(*transfer(x), fs=1.0 / SAMPLE)
    closed = np.polyadd(np.polymul(bottom, below), np.polymul(top[0], above))
    z = np.exp(1j * SAMPLE * np.geomspace(1e-2, 20.0, 4000))
    S = np.polyval(np.polymul(bottom, below), z) / np.polyval(closed, z)
    return float(np.abs(S).max()), float(np.abs(np.roots(closed)).max())


@pytest.mark.slow
def test_law_of_two_masses_is_robust_settles_and_limits_force():
    """|y| < 0.1 from 15 s on and |u| < 1 for stiffness 1; stable with |S| < 7.5 dB for every stiffness, 0.5 to 2."""
    loops = [loop_at(each) for each in (1.0, 0.5, 2.0)]
    assert independent_peak(START, 1.0)[1] < 1.0
    assert min(independent_peak(START, each)[1] for each in (0.5, 2.0)) > 1.0
    hard = [
        Value(bound=0.0999, function=lambda loop: np.abs(responses(loop)[0][SETTLED:])),
        Value(bound=0.999, function=lambda loop: np.abs(responses(loop)[1])),
        SensitivityPeaks(bound=PEAK),
    ]
    found = tune_loops(loops, START, low=START - 3.0, high=START + 3.0, hard=hard, starts=1, steps=100)
    assert found.met
    y, u = independent_responses(found.x)
    np.testing.assert_allclose(np.vstack(responses(loops[0](found.x))), np.vstack((y, u)), atol=1e-8)
    assert np.abs(y[SETTLED:]).max() < 0.1
    assert np.abs(u).max() < 1.0
    every = [independent_peak(found.x, each) for each in np.geomspace(0.5, 2.0, 61)]
    assert max(peak for peak, _ in every) < 10.0 ** (PEAK / 20.0) * (1.0 + 1e-4)
    assert max(radius for _, radius in every) < 0.998
