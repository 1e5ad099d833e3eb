"""Disk margins compared with closed forms, python-control, and destabilising factors."""

import control as ct
import numpy as np
import pytest
from scipy.optimize import minimize

from polhode import controllers, plant
from polhode.controllers.loop.analysis.structured_norm import balanced_norm, structured_norm
from polhode.plant.errors import DesignError, InputError

INERTIA = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])


def doyle(a):
    """The spinning satellite with perfect single-loop margins (Doyle; Zhou, Doyle & Glover 1996, section 9.6)."""
    return ct.ss([[0, a], [-a, 0]], np.eye(2), [[1, a], [-a, 1]], np.zeros((2, 2)))


@pytest.fixture(scope="module")
def model():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA))
    return craft.linearize(craft.at_rest())


@pytest.fixture(scope="module")
def laws(model):
    weights = {"attitude": 1.0, "rate": 1.0, "effort": 1.0, "sample": 0.1, "delay": 0.07}
    return {
        "lqr": controllers.lqr(model, **weights),
        "lqi": controllers.lqi(model, **weights, integral=0.1),
        "lqg": controllers.lqg(model, **weights, torque_noise=1e-3, attitude_noise=1e-4),
    }


def closed_poles(opened, factors):
    """Return the closed-loop poles with every signal multiplied by its factor."""
    f = np.diag(factors)
    back = np.linalg.solve(np.eye(len(f)) + opened.D @ f, opened.C)
    return np.linalg.eigvals(opened.A - opened.B @ f @ back)


def phases_reach(M, starts=12, within=1e-10):
    """Return a lower bound of the structured singular value: the spectral radius over independent phases."""
    rng = np.random.default_rng(0)

    def radius(phases):
        return -np.abs(np.linalg.eigvals(M * np.exp(1j * np.append(phases, 0.0)))).max()

    options = {"maxiter": 4000, "xatol": within, "fatol": 1e-3 * within}
    poses = rng.uniform(-np.pi, np.pi, (starts, len(M) - 1))
    return max(-minimize(radius, pose, method="Nelder-Mead", options=options).fun for pose in poses)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("a", [1.0, *(pytest.param(a, marks=pytest.mark.slow) for a in (3.0, 10.0)), 100.0])
def test_disk_margins_of_spinning_satellite_match_closed_form(a):
    found = controllers.disk_margins(controllers.OpenedLoop.from_control(doyle(a)))
    for one in found.channels:  # each single L is 1 / s: S - 1/2 has size 1/2 everywhere
        assert one.alpha == pytest.approx(2.0, rel=1e-9)
    # the norm of S - I/2 is greatest at w = sqrt(a^2 + 1) - a, where its inverse is twice that
    exact = np.sqrt(a * a + 1.0) - a
    assert found.simultaneous.alpha == pytest.approx(2.0 * exact, rel=1e-9)
    assert found.simultaneous.frequency_rad_s == pytest.approx(exact, rel=1e-3)


def test_disk_margins_of_spinning_satellite_match_published_values():
    together = controllers.disk_margins(controllers.OpenedLoop.from_control(doyle(10.0))).simultaneous
    assert together.alpha == pytest.approx(0.0997, abs=1e-4)
    assert together.gain_dB == pytest.approx(0.867, abs=5e-4)
    assert together.phase_deg == pytest.approx(5.71, abs=5e-3)


def test_disk_margin_of_one_signal_matches_python_control():
    L = ct.tf([25.0], [1.0, 10.0, 10.0, 10.0])
    found = controllers.disk_margins(controllers.OpenedLoop.from_control(L))
    omega = np.geomspace(1.0, 3.0, 20001)
    alpha, gain, phase = ct.disk_margins(L, omega)
    assert found.simultaneous.alpha == pytest.approx(alpha, rel=1e-6)
    assert found.simultaneous.gain_dB == pytest.approx(gain, rel=1e-6)
    assert found.simultaneous.phase_deg == pytest.approx(phase, rel=1e-6)
    assert found.channels[0].alpha == pytest.approx(alpha, rel=1e-6)


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg"])
@pytest.mark.parametrize("at", ["input", "output", "both"])
def test_simultaneous_disk_margins_match_slycot(laws, name, at):
    pytest.importorskip("slycot")
    opened = controllers.open_loop(laws[name].loop(), at)
    found = controllers.disk_margins(opened).simultaneous
    omega = found.frequency_rad_s * np.linspace(0.99, 1.01, 21)
    alpha, _, _ = ct.disk_margins(opened.to_control(), omega)
    assert found.alpha == pytest.approx(alpha, rel=1e-3)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg"])
def test_disk_margins_of_axes_match_margins_of_the_law(laws, name):
    found = controllers.disk_margins(controllers.open_loop(laws[name].loop()))
    for one, axis in zip(found.channels, laws[name].margins().axes, strict=True):
        assert one.channel == axis.input
        assert one.alpha == pytest.approx(axis.disk, rel=1e-6)


@pytest.mark.parametrize("name", ["lqr", "lqg"])
@pytest.mark.parametrize("at", ["input", *(pytest.param(at, marks=pytest.mark.slow) for at in ("output", "both"))])
def test_factors_on_the_disk_destabilise_but_not_inside(laws, name, at):
    opened = controllers.open_loop(laws[name].loop(), at)
    found = controllers.disk_margins(opened).simultaneous
    p = len(opened.channels)
    M = opened.sensitivity([found.frequency_rad_s])[0] - 0.5 * np.eye(p)
    reached = phases_reach(M, starts=4, within=1e-6)
    assert reached <= (1.0 + 1e-9) / found.alpha
    assert reached == pytest.approx(1.0 / found.alpha, rel=2e-2)  # the bound is nearly tight
    rng = np.random.default_rng(5)
    for _ in range(200):
        delta = 0.999 * found.alpha * np.exp(1j * rng.uniform(-np.pi, np.pi, p))
        assert np.abs(closed_poles(opened, (2.0 + delta) / (2.0 - delta))).max() < 1.0


@pytest.mark.slow
def test_structured_norm_is_between_spectral_radius_and_norm():
    rng = np.random.default_rng(3)
    for p in (1, 2, 3, 5, 9):
        for _ in range(10):
            M = (rng.normal(size=(p, p)) + 1j * rng.normal(size=(p, p))) * np.exp(2.0 * rng.normal(size=(p, 1)))
            value = structured_norm(M)
            assert np.abs(np.linalg.eigvals(M)).max() <= value * (1.0 + 1e-12)
            assert value <= balanced_norm(M[None])[0] * (1.0 + 1e-12) <= np.linalg.norm(M, 2) * (1.0 + 1e-9)
            if p in (2, 3):
                assert phases_reach(M) == pytest.approx(value, rel=1e-6)


@pytest.mark.slow
def test_disk_margins_do_not_depend_on_units(laws):
    opened = controllers.open_loop(laws["lqg"].loop(), "output")
    T = np.diag([1.0, 1e3, 1e-3, 57.3, 57.3, 1.0])
    other = controllers.OpenedLoop(
        A=opened.A,
        B=opened.B @ np.linalg.inv(T),
        C=T @ opened.C,
        D=opened.D,
        channels=opened.channels,
        sample=opened.sample,
    )
    first, second = (controllers.disk_margins(one).simultaneous.alpha for one in (opened, other))
    assert first == pytest.approx(second, rel=1e-4)


def test_disk_margins_reject_bad_input(laws):
    with pytest.raises(InputError, match=r"at .*inputs"):
        controllers.open_loop(laws["lqr"].loop(), "inputs")
    with pytest.raises(InputError, match="square"):
        controllers.OpenedLoop.from_control(ct.ss([[-1.0]], [[1.0, 1.0]], [[1.0]], [[0.0, 0.0]]))
    with pytest.raises(InputError, match="sampling period"):
        controllers.OpenedLoop.from_control(ct.ss([[0.5]], [[1.0]], [[1.0]], [[0.0]], True))
    with pytest.raises(DesignError, match="not stable"):
        controllers.disk_margins(controllers.OpenedLoop.from_control(ct.tf([-3.0], [1.0, 1.0])))


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_disk_margins_of_weakly_coupled_signals():
    """The norm is flat in the scaling there: it must stay finite, and between its bounds."""
    rng = np.random.default_rng(0)
    for k in range(200):
        diagonal = rng.normal(size=3) + 1j * rng.normal(size=3)
        M = np.diag(diagonal) + 10.0 ** rng.uniform(-16, -3) * rng.normal(size=(3, 3))
        value = structured_norm(np.triu(M) if k % 2 else M)
        assert value == pytest.approx(np.abs(diagonal).max(), rel=0.02, abs=0.01)


def random_block(rng, size):
    """Return a badly scaled full matrix with its structured singular value, found over phases."""
    scales = np.exp(2.0 * rng.normal(size=(size, 1)))
    block = (rng.normal(size=(size, size)) + 1j * rng.normal(size=(size, size))) * scales
    return block, phases_reach(block) if size > 1 else float(np.abs(block[0, 0]))


@pytest.mark.thinned(2)
@pytest.mark.parametrize("rounding", [0.0, pytest.param(1e-17, marks=pytest.mark.slow), 1e-13])
def test_structured_norm_of_triangular_matrix_is_that_of_largest_block(rounding):
    """Factors of a block triangular matrix destabilise a single block or nothing, whatever couples the blocks."""
    rng = np.random.default_rng(11)
    for _ in range(6):
        blocks = [random_block(rng, size) for size in rng.integers(1, 4, size=3)]
        exact = max(reach for _, reach in blocks)
        p = sum(len(block) for block, _ in blocks)
        whole, at = np.zeros((p, p), dtype=complex), 0
        for block, _ in blocks:
            after = at + len(block)
            whole[at:after, at:after] = block
            whole[at:after, after:] = np.exp(3.0 * rng.normal()) * rng.normal(size=(len(block), p - after))
            at = after
        whole += rounding * rng.normal(size=(p, p))
        order, scale = rng.permutation(p), np.exp(3.0 * rng.normal(size=p))
        M = (scale[:, None] * whole / scale)[np.ix_(order, order)]
        value = structured_norm(M)
        assert value == pytest.approx(exact, rel=1e-5)
        assert value <= balanced_norm(M[None])[0] * (1.0 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("axis", [0, *(pytest.param(axis, marks=pytest.mark.slow) for axis in (1, 2))])
def test_disk_margins_of_spinning_craft_with_star_tracker_only(axis):
    """Opened at the measurements the loop is reducible: the rate that is not fed back acts on nothing."""
    craft = plant.Spacecraft(plant.RigidBody((7.5, 6.1, 5.2)))
    model = craft.linearize(craft.state(attitude=(1, 0, 0, 0), rate=0.3 * np.eye(3)[axis]))
    weights = {"attitude": 1.0, "rate": 1.0, "effort": 1.0, "sample": 0.1, "torque_noise": 1e-3, "attitude_noise": 1e-4}
    law = controllers.lqg(model, **weights, rate_noise=None)
    alone, both = (controllers.disk_margins(controllers.open_loop(law.loop(), at)) for at in ("output", "both"))
    assert alone.simultaneous.alpha <= min(one.alpha for one in alone.channels) * (1.0 + 1e-9)
    assert 0.0 < both.simultaneous.alpha <= alone.simultaneous.alpha * (1.0 + 1e-9)
    assert [one.alpha for one in alone.channels[3:]] == [2.0] * 3  # unused measurements tolerate any factor


@pytest.mark.slow
def test_disk_margin_differs_between_inputs_and_outputs():
    """The values of the README: a sensor factor inside the margin of the inputs destabilises."""
    spinner = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    spin = spinner.linearize(spinner.state(rate=(0.0, 0.0, 2.0)))
    loop = controllers.lqr(spin, attitude=25.0, rate=1.0, effort=1.0, sample=0.05).loop()
    ends = {at: controllers.open_loop(loop, at) for at in ("input", "output", "both")}
    names = {"input": "disk_margin_inputs", "output": "disk_margin_outputs", "both": "disk_margin_all"}
    alpha = {at: controllers.loop_margin(loop, name) for at, name in names.items()}
    assert [round(each, 2) for each in alpha.values()] == [1.15, 0.36, 0.33]
    rng = np.random.default_rng(1)

    def worst(at, size, count=150):
        d = size * np.exp(1j * rng.uniform(-np.pi, np.pi, (count, len(ends[at].channels))))
        return max(np.abs(closed_poles(ends[at], (1 + each / 2) / (1 - each / 2))).max() for each in d)

    assert worst("input", 0.99 * alpha["input"]) < 1.0
    assert worst("output", 0.99 * alpha["output"]) < 1.0 < worst("output", alpha["input"])
