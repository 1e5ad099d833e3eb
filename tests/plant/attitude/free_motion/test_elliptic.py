"""Exact free motion: published values, integration, conservation laws, all regimes and limits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from polhode.plant import RigidBody, Spacecraft
from polhode.plant.attitude import from_rotation_matrix, rotation_matrix
from polhode.plant.attitude.free_motion import FreeMotion, axisymmetric_motion
from polhode.plant.errors import InputError

TABLE_2 = (400.0, 307.808385, 200.0)  # Shivarama & Fahrenthold (2004)
START = (346.4101616, 0.0, -200.0)
E0 = (0.5, 0.5, -0.5, 0.5)


@pytest.fixture(scope="module")
def table_2() -> FreeMotion:
    return FreeMotion(TABLE_2, momentum=START)


def test_free_motion_matches_published_table_3(table_2: FreeMotion) -> None:
    assert table_2.regime == "major"
    # All digits of the reference (15), computed independently.
    np.testing.assert_allclose(table_2.amplitudes, (200.0, 365.447089415460, 346.4101616), rtol=1e-14)
    assert table_2.path.frequency == pytest.approx(0.473953920599135, rel=2e-15)
    assert table_2.parameter == pytest.approx(0.779596459297165, rel=2e-15)
    assert table_2.period == pytest.approx(9.33928221409417, rel=2e-15)
    assert table_2.smallest == pytest.approx(162.629717141446, rel=3e-15)  # printed as 162.6296
    np.testing.assert_array_equal(table_2.axis, (1.0, 0.0, 0.0))


def test_free_motion_matches_reference_at_two_times(table_2: FreeMotion) -> None:
    h = (
        (318.591596368188, 162.509111336607, -179.137331441255),
        (164.183495269530, 364.453921789129, 14.7349527770526),
    )
    e = (
        (0.793495266398755, 0.412712489316550, 0.125749996327322, -0.429209275049577),
        (-0.815361179964271, 0.335970571804411, -0.103097152241880, 0.460087924519110),
    )
    np.testing.assert_allclose(table_2.momentum((1.0, 5.0)), h, rtol=0.0, atol=1e-12)  # 15 digits of 400
    np.testing.assert_allclose(table_2.attitude((1.0, 5.0)), e, rtol=0.0, atol=2e-15)  # and of 1, including the sign


def test_free_motion_is_periodic(table_2: FreeMotion) -> None:
    t = np.array([0.3, 2.0, 7.7])
    whole, half = table_2.momentum(t + 2.0 * table_2.period), table_2.momentum(t + table_2.period)
    np.testing.assert_allclose(whole, table_2.momentum(t), rtol=0.0, atol=1e-11)  # rounding of t times |h|
    np.testing.assert_allclose(half, table_2.momentum(t) * (1.0, -1.0, -1.0), rtol=0.0, atol=1e-11)


def random_body(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a, b = rng.uniform(0.5, 2.0, 2)
    if kind == "symmetric":
        b = a
    c = rng.uniform(abs(a - b) + 0.05, a + b - 0.05)
    q, e = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 4)))
    turn = np.eye(3) if kind == "diagonal" else rotation_matrix(q)
    tensor = turn @ np.diag((a, b, c)) @ turn.T
    return 0.5 * (tensor + tensor.T), 2.0 * rng.normal(size=3), e


@pytest.mark.thinned(3)
@pytest.mark.parametrize("kind", ["full", "diagonal", "symmetric"])
def test_free_motion_matches_integration(kind: str, integrate: Callable[..., np.ndarray]) -> None:
    rng, seen = np.random.default_rng(5), set[str]()
    for _ in range(5):
        tensor, h, e = random_body(rng, kind)
        motion = FreeMotion(tensor, momentum=h, attitude=e)
        seen.add(motion.regime)
        t = np.array([0.0, 0.5, 4.0, 12.0])
        reached = np.hstack((motion.momentum(t), motion.attitude(t)))
        # error of DOP853 at 1e-13 after 12 s of rotation at 1 to 5 rad/s
        np.testing.assert_allclose(reached, integrate(tensor, h, e, times=t), rtol=0.0, atol=1e-11)
    assert seen == {"major", "minor"}


def test_free_motion_rate_and_momentum_are_consistent() -> None:
    tensor = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])
    motion = FreeMotion(tensor, rate=(0.1, -0.4, 0.2))
    np.testing.assert_allclose(motion.momentum(0.0), tensor @ (0.1, -0.4, 0.2), rtol=1e-14)
    t = np.linspace(0.0, 30.0, 5)
    np.testing.assert_allclose(motion.rate(t) @ tensor, motion.momentum(t), rtol=0.0, atol=1e-14)
    assert motion.energy == pytest.approx(0.5 * np.array((0.1, -0.4, 0.2)) @ motion.initial_momentum, rel=1e-14)


J = (1.0, 2.0, 3.0)
ON = np.sqrt(3.0)  # h3/h1 on the separatrix of J: sqrt((1/1 - 1/2) / (1/2 - 1/3))


@pytest.mark.parametrize("sides", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("h2", [0.0, 0.3, -0.8])
def test_free_motion_on_separatrix_matches_integration(
    sides: tuple[int, int], h2: float, integrate: Callable[..., np.ndarray]
) -> None:
    h = np.array([0.4 * sides[0], h2, 0.4 * ON * sides[1]])
    motion = FreeMotion(J, momentum=h, attitude=E0)
    assert motion.regime == "separatrix"
    assert motion.period == np.inf
    t = np.array([0.0, 1.0, 6.0])  # not longer: an error of the integration grows as exp(p t)
    reached = np.hstack((motion.momentum(t), motion.attitude(t)))
    np.testing.assert_allclose(reached, integrate(J, h, E0, times=t), rtol=0.0, atol=1e-13)
    ends = motion.momentum((-200.0, 200.0))
    size = np.linalg.norm(h)
    np.testing.assert_allclose(ends, ((0.0, -np.sign(ends[1, 1]) * size, 0.0), (0.0, ends[1, 1], 0.0)), atol=1e-14)
    assert motion.mean_precession == pytest.approx(size / 2.0, rel=1e-14)  # it tends to a spin about the middle axis


@pytest.mark.parametrize("off", [1e-3, -1e-3, 1e-9, -1e-9, 1e-13])
def test_free_motion_near_separatrix_matches_integration(off: float, integrate: Callable[..., np.ndarray]) -> None:
    h = np.array([0.4, 0.1, 0.4 * ON * (1.0 + off)])
    motion = FreeMotion(J, momentum=h, attitude=E0)
    assert motion.regime == ("major" if off > 0 else "minor")
    t = np.array([0.0, 1.0, 6.0])
    reached = np.hstack((motion.momentum(t), motion.attitude(t)))
    np.testing.assert_allclose(reached, integrate(J, h, E0, times=t), rtol=0.0, atol=1e-13)
    # the period is finite, K = log(16/m1)/2 to one part in m1
    assert motion.period * motion.path.frequency == pytest.approx(np.log(16.0 / motion.path.complement), rel=2e-3)


@pytest.mark.parametrize(
    "h",
    [(1e-9, 1.0, 0.0), (0.0, -1.0, 1e-9), (1.0, 1e-9, 1e-9), (0.0, 1e-9, -1.0), (1e-170, 0.0, 1.0), (0.2, 1e-12, 0.0)],
)
def test_free_motion_near_steady_spin_matches_integration(
    h: tuple[float, ...], integrate: Callable[..., np.ndarray]
) -> None:
    motion = FreeMotion(J, momentum=h, attitude=E0)
    t = np.array([0.0, 2.0, 9.0])
    reached, expected = np.hstack((motion.momentum(t), motion.attitude(t))), integrate(J, h, E0, times=t)
    np.testing.assert_allclose(reached, expected, rtol=0.0, atol=1e-13)
    assert abs(motion.momentum(9.0) - expected[-1, :3]).max() < 1e-15  # the small components are accurate too


@pytest.mark.parametrize("n", [0, 1, 2])
def test_free_motion_steady_spins_are_exact(n: int) -> None:
    motion = FreeMotion(J, rate=-2.0 * np.eye(3)[n])
    assert motion.regime == "steady"
    t = np.array([0.0, 0.4, -3.0, 100.0])
    np.testing.assert_array_equal(motion.rate(t), np.broadcast_to(-2.0 * np.eye(3)[n], (4, 3)))
    turn = np.zeros((4, 4))
    turn[:, 0], turn[:, 1 + n] = np.cos(t), -np.sin(t)
    np.testing.assert_allclose(motion.attitude(t), turn, rtol=0.0, atol=1e-14)  # rounding of 100 rad
    assert (motion.period, motion.smallest >= 0.0) == (0.0, True)


def test_free_motion_at_rest_and_of_a_sphere() -> None:
    rest = FreeMotion(J, rate=(0, 0, 0), attitude=E0)
    np.testing.assert_allclose(rest.attitude((0.0, 50.0)), (E0, E0), rtol=0.0, atol=1e-16)
    sphere = FreeMotion((2.0, 2.0, 2.0), rate=(0.3, 0.0, 0.4))
    assert sphere.regime == "steady"
    expected = (np.cos(1.0), 0.6 * np.sin(1.0), 0.0, 0.8 * np.sin(1.0))
    np.testing.assert_allclose(sphere.attitude(4.0), expected, rtol=0.0, atol=1e-15)


@pytest.mark.parametrize(("transverse", "axial"), [(2.0, 0.5), (1.0, 1.8)])
def test_free_motion_symmetric_limit_matches_axisymmetric(transverse: float, axial: float) -> None:
    closed = axisymmetric_motion(transverse, axial, rate=(0.3, -0.2, 1.1))
    motion = FreeMotion((transverse, transverse, axial), rate=(0.3, -0.2, 1.1))
    assert motion.parameter == 0.0
    assert motion.mean_precession == pytest.approx(closed.precession, rel=1e-15)
    assert motion.path.frequency == pytest.approx(abs(closed.spin), rel=1e-14)
    t = np.linspace(-5.0, 20.0, 11)
    np.testing.assert_allclose(motion.rate(t), closed.rate(t), rtol=0.0, atol=1e-14)


def test_free_motion_of_nearly_symmetric_body_stays_accurate(integrate: Callable[..., np.ndarray]) -> None:
    """The precession is computed directly here, since a difference of nearly equal integrals would cancel."""
    inertia, h = (2.0, 2.0 * (1.0 + 1e-13), 3.0), (0.1, 0.2, 1e-8)
    motion = FreeMotion(inertia, momentum=h, attitude=E0)
    expected = integrate(inertia, h, E0, times=np.array([0.0, 6.0]))[-1]
    np.testing.assert_allclose(motion.attitude(6.0), expected[3:], rtol=0.0, atol=1e-14)


def test_free_motion_attitude_is_continuous() -> None:
    motion = FreeMotion(J, rate=(1.0, 0.2, -0.3), attitude=E0)
    e = motion.attitude(np.linspace(0.0, 60.0, 20_001))
    np.testing.assert_allclose(e[0], E0, rtol=0.0, atol=1e-15)
    assert np.abs(np.diff(e, axis=0)).max() < 0.003  # half the rate, 1.1 rad/s, times the step: no sign change


momenta = st.tuples(*[st.floats(-5.0, 5.0)] * 3)


@settings(max_examples=60)
@given(st.floats(0.2, 3.0), st.floats(0.2, 3.0), st.floats(0.01, 0.99), momenta, st.floats(-1e3, 1e3))
def test_free_motion_conserves_energy_and_momentum(
    a: float, b: float, share: float, h: tuple[float, float, float], t: float
) -> None:
    c = abs(a - b) + share * 2.0 * min(a, b)
    size = float(np.linalg.norm(h))
    assume(size > 1e-6)
    motion = FreeMotion((a, b, c), momentum=h, attitude=E0)
    pi, e = motion.momentum(t), motion.attitude(t)
    assert np.linalg.norm(e) == pytest.approx(1.0, abs=1e-14)
    assert 0.5 * pi @ motion.rate(t) == pytest.approx(motion.energy, rel=1e-13)
    before = rotation_matrix(E0) @ h
    np.testing.assert_allclose(rotation_matrix(e) @ pi, before, rtol=0.0, atol=1e-13 * size)


@settings(max_examples=40)
@given(momenta, st.floats(0.0, 50.0))
def test_free_motion_satisfies_the_equations_of_motion(h: tuple[float, float, float], t: float) -> None:
    assume(np.linalg.norm(h) > 1e-3)
    tensor = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])
    motion = FreeMotion(tensor, momentum=h)
    craft, d = Spacecraft(RigidBody(tensor)), 1e-4 / np.linalg.norm(h)
    state = np.concatenate((motion.momentum(t), motion.attitude(t)))
    near = np.array([-2.0, -1.0, 1.0, 2.0]) * d + t
    ahead = np.hstack((motion.momentum(near), motion.attitude(near)))
    slope = (ahead[0] - 8.0 * ahead[1] + 8.0 * ahead[2] - ahead[3]) / (12.0 * d)
    # fourth-order difference: rounding of t and of the state over 1e-4 of a turn
    np.testing.assert_allclose(
        slope, craft.derivative(0.0, state), rtol=0.0, atol=2e-9 * np.linalg.norm(h) * max(1.0, np.linalg.norm(h))
    )


def test_free_motion_mean_precession_matches_attitude() -> None:
    for h in ((1.0, 0.2, 0.1), (0.1, 0.2, 1.0)):
        motion = FreeMotion(J, momentum=h)
        axis, n = motion.axis, 41
        start, end = motion.attitude(0.0), motion.attitude(n * motion.period)
        up = np.asarray(h) / np.linalg.norm(h)
        a, b = (rotation_matrix(e) @ axis for e in (start, end))
        a, b = a - (a @ up) * up, b - (b @ up) * up
        turned = np.arctan2(np.cross(a, b) @ up, a @ b)
        expected = n * motion.period * motion.mean_precession
        assert np.sin(0.5 * (turned - expected)) == pytest.approx(0.0, abs=1e-12)  # rounding of 41 periods


def test_free_motion_shapes_and_bad_input() -> None:
    motion = FreeMotion(J, rate=(0.1, 0.2, 0.3))
    assert motion.momentum(1.0).shape == (3,)
    assert motion.attitude(np.zeros((2, 5))).shape == (2, 5, 4)
    with pytest.raises(InputError, match="give either the rate"):
        FreeMotion(J)
    with pytest.raises(InputError, match="give either the rate"):
        FreeMotion(J, rate=(0, 0, 1), momentum=(0, 0, 1))
    with pytest.raises(InputError, match="t must be finite"):
        motion.momentum((0.0, np.nan))
    with pytest.raises(InputError, match="t must be numbers"):
        motion.momentum("soon")
    with pytest.raises(InputError, match="3 numbers"):
        FreeMotion(J, rate=(1.0, 2.0))


def test_free_motion_triad_is_a_rotation() -> None:
    for order in ((1, 2, 3), (3, 1, 2), (2, 3, 1), (1, 3, 2)):
        for h in ((1.0, 0.1, 0.2), (0.1, 0.2, 1.0), (0.2, 1.0, 0.1)):
            assert from_rotation_matrix(FreeMotion(order, momentum=h).path.triad).shape == (4,)
