"""Checks of every reference: consistent motion, unit attitude, continuity, and compiled equal to Python."""

import ctypes
from importlib.util import find_spec

import numpy as np
import pytest

from polhode import controllers
from polhode.plant.attitude import matrix_G
from polhode.plant.environment import Epoch, MeanOrbit
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.sim.codegen.library import has_library
from polhode.sim.engine.addresses import address_of

TINY = 1e-40  # imaginary step: no cancellation
EPS = float(np.finfo(np.float64).eps)
E0 = np.array((0.5, -0.5, 0.1, 0.7)) / np.linalg.norm((0.5, -0.5, 0.1, 0.7))
E1 = np.array((-0.3, 0.4, 0.8, 0.2)) / np.linalg.norm((-0.3, 0.4, 0.8, 0.2))
J = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])

ELLIPSE = controllers.NadirPointing(
    (1.1, 0.4, -0.7), (0.3, 0.6, 0.2), mu=1.3, boresight=(1, 0, 2), clock=(0, 1, 0), clock_target="velocity"
)
LOW_ORBIT = MeanOrbit(
    epoch=Epoch("2026-03-20T12:00:00Z"), semi_major_axis=7e6, eccentricity=0.01, inclination=1.2, raan=0.9
)
CONE_SLEW = build(load_case("keep-out-slew").case).reference  # a saved plan: KeepOutSlew, so TimeOptimalSlew
LEAST_TIME = {}
if find_spec("casadi") is not None:
    planned = controllers.TimeOptimalSlew(E0, E1, inertia=J, torque_limit=1.0, begin=3.0, intervals=10, starts=2)
    LEAST_TIME["slew in least time"] = (planned, 100.0)
SAMPLES = np.linspace(-1.0, 8.0, 181)

CASES = {
    "sampled": (controllers.SampledReference(SAMPLES, [ELLIPSE.at(t)[:4] for t in SAMPLES]), 12.0),
    "sampled with rates": (
        controllers.SampledReference(
            SAMPLES, [ELLIPSE.at(t)[:4] for t in SAMPLES], rate=[ELLIPSE.at(t)[4:7] for t in SAMPLES]
        ),
        12.0,
    ),
    "slew in least time around cones": (CONE_SLEW, 100.0),
    **LEAST_TIME,
    "orbit, yaw steering": (
        controllers.OrbitPointing(LOW_ORBIT, 900.0, boresight=(0, 0, 1), clock=(1, 0.2, 0), clock_target="sun"),
        1000.0,
    ),
    "fixed": (controllers.FixedReference(E0), 100.0),
    "spin": (controllers.SpinReference(E0, rate=(0.3, -0.2, 0.5)), 100.0),
    "slew, ramps only": (controllers.EigenaxisSlew(E0, E1, begin=3.0, inertia=J, torque_limit=1.0), 60.0),
    "slew, coasting": (
        controllers.EigenaxisSlew(E0, E1, rate_limit=0.03, acceleration_limit=0.004, begin=-2.0),
        60.0,
    ),
    "slew, smooth": (
        controllers.EigenaxisSlew(E0, E1, begin=3.0, inertia=J, torque_limit=(1, 0.4, 2), profile="smooth"),
        100.0,
    ),
    "spin-up": (controllers.SpinUp(E0, rate=(0.3, -0.2, 0.5), begin=3.0, duration=20.0), 100.0),
    "spin-up, smooth": (
        controllers.SpinUp(E0, rate=(0.3, -0.2, 0.5), acceleration=0.02, profile="smooth"),
        100.0,
    ),
    "slew, shaped": (
        controllers.ShapedReference(
            controllers.EigenaxisSlew(E0, E1, begin=3.0, inertia=J, torque_limit=1.0),
            [(0.4, 0.01), (1.1, 0.0)],
            kind="ei",
            sample=0.05,
        ),
        100.0,
    ),
    "spin-up, shaped": (
        controllers.ShapedReference(
            controllers.SpinUp(E0, rate=(0.3, -0.2, 0.5), begin=3.0, duration=20.0), [(0.4, 0.01)], kind="zvd"
        ),
        100.0,
    ),
    "nadir, circle": (
        controllers.NadirPointing((1, 0, 0), (0, 0.6, 0.8), mu=1.0, boresight=(0.1, 0.2, 1), clock=(1, 0, 0)),
        30.0,
    ),
    "nadir, ellipse": (ELLIPSE, 60.0),
    "nadir, long ellipse": (
        controllers.NadirPointing((1, 0, 0), (0, 1.39, 0), mu=1.0, boresight=(0, 0, 1), clock=(0, 1, 0)),
        400.0,
    ),
}
"""Each reference and how long it is looked at, s: past its end, where it has one."""


@pytest.fixture(params=list(CASES))
def case(request):
    return CASES[request.param]


def times(last):
    """Times from before the first beginning to after the last end, avoiding switches."""
    return np.linspace(-5.0 + 1e-3, last, 397)


def on_complex_time(reference, t):
    r = np.zeros(10, dtype=np.complex128)
    reference.kernel(t + 1j * TINY, reference.parameters, r)
    return r.real, r.imag / TINY


def test_every_reference_has_consistent_attitude_rate_acceleration(case):
    reference, last = case
    rows, slopes = np.array([on_complex_time(reference, t) for t in times(last)]).transpose(1, 0, 2)
    kinematic = [0.5 * matrix_G(r[:4]).T @ r[4:7] for r in rows]
    # a few products each, relative to the largest on the way: near zero a difference of such terms remains
    np.testing.assert_allclose(slopes[:, :4], kinematic, rtol=0, atol=16 * EPS * np.abs(rows[:, 4:7]).max())
    np.testing.assert_allclose(rows[:, 7:], slopes[:, 4:7], rtol=0, atol=16 * EPS * np.abs(slopes[:, 4:7]).max())
    # real and complex arithmetic round an angle of up to 60 rad apart
    size = max(1.0, np.abs(rows).max())
    np.testing.assert_allclose([reference.at(t) for t in times(last)], rows, rtol=0, atol=64 * EPS * size)


def test_every_reference_has_unit_norm(case):
    reference, last = case
    norms = [np.linalg.norm(reference.at(t)[:4]) for t in times(last)]
    np.testing.assert_allclose(norms, 1.0, rtol=0, atol=8 * EPS)


@pytest.mark.slow
def test_every_reference_is_continuous(case):
    reference, last = case
    grid = np.linspace(-5.0, last, 20001)
    rows = np.array([reference.at(t) for t in grid])
    h = grid[1] - grid[0]
    # |e'| = |omega|/2 and |omega'| = |alpha|: the largest slope bounds every step
    assert (
        np.linalg.norm(np.diff(rows[:, :4], axis=0), axis=1).max()
        <= 0.5001 * h * np.abs(np.linalg.norm(rows[:, 4:7], axis=1)).max() + 8 * EPS
    )
    assert (
        np.linalg.norm(np.diff(rows[:, 4:7], axis=0), axis=1).max()
        <= 1.0001 * h * np.linalg.norm(rows[:, 7:], axis=1).max() + 8 * EPS
    )


@pytest.mark.skipif(not has_library(), reason="no C compiler on this machine")
def test_every_reference_is_equal_compiled_and_in_python(case):
    reference, last = case
    row = (ctypes.c_void_p, ctypes.c_int64)
    compiled = ctypes.CFUNCTYPE(None, ctypes.c_double, *row, *row)(address_of("reference", reference.kernel))
    q = np.array(reference.parameters)
    for t in times(last)[::20]:
        r = np.full(10, np.nan)
        compiled(t, q.ctypes.data, q.size, r.ctypes.data, r.size)
        np.testing.assert_allclose(r, reference.at(t), rtol=0, atol=1e-12)
