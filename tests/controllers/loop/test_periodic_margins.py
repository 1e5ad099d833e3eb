"""Margins of multirate loops compared with a lifted single-rate loop, and verified by inserting the changes."""

from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers import Block, BlockForm, Clock
from polhode.controllers.loop.periodic_margins import FACTORS, TURNS, _edge, _gains, _phase

EYE = np.eye(3)
SPINNER = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)))


def copy(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n]


def lag(sample, share=0.7, signal="rate", **times) -> Any:
    """A low pass."""
    form = BlockForm(A=share * EYE, B=(1.0 - share) * EYE, C=share * EYE, D=(1.0 - share) * EYE)
    return Block(copy, reads=signal, writes=signal, clock=Clock(sample, **times), linear=form)


@pytest.fixture(scope="module")
def model() -> Any:
    return SPINNER.linearize(SPINNER.state(rate=(0.0, 0.0, 0.4)))


@pytest.fixture(scope="module")
def law() -> Any:
    return controllers.quaternion_feedback(SPINNER, frequency=0.8, damping_ratio=0.7, sample=0.1)


@pytest.fixture(scope="module")
def periodic(law, model) -> Any:
    """A loop with a delayed filter at half the law's rate."""
    loop = law.loop(model, blocks=[lag(0.2, delay=0.03)])
    assert loop.repeats == 2
    return loop


def lifted(law, model, blocks, samples) -> Any:
    """A single-rate loop, lifted as a periodic one."""
    loop = law.loop(model, blocks=blocks)
    assert loop.repeats == 1
    loop.repeats = samples
    object.__setattr__(loop._lifted, "repeats", samples)
    return loop


def poles_with(opened, change) -> Any:
    """Return the poles with the signals at all openings multiplied by a matrix."""
    back = np.linalg.solve(np.eye(len(change)) + opened.D @ change, opened.C)
    return np.linalg.eigvals(opened.A - opened.B @ change @ back)


@pytest.mark.parametrize("samples", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_lifted_margins_of_single_rate_loop_are_unchanged(law, model, samples):
    blocks = [lag(0.05, offset=0.01, delay=0.013)]
    one, several = law.loop(model, blocks=blocks), lifted(law, model, blocks, samples)
    wanted, found = one.margins(), several.margins()
    for want, have in zip((wanted, *wanted.axes), (found, *found.axes), strict=True):
        assert have.phase_deg == pytest.approx(want.phase_deg, rel=1e-9)  # both refined to 1e-12
        assert have.gain_up == pytest.approx(want.gain_up, rel=1e-9)
    for want, have in zip(wanted.axes, found.axes, strict=True):
        assert have.disk == pytest.approx(want.disk, rel=1e-7)  # the peak is flat, on another grid
    disks = [controllers.disk_margins(controllers.open_loop(each)).simultaneous for each in (one, several)]
    assert disks[1].alpha == pytest.approx(disks[0].alpha, rel=1e-6)
    assert disks[1].frequency_rad_s == pytest.approx(disks[0].frequency_rad_s, rel=1e-3)
    peaks = [
        [each.peak for each in controllers.sensitivity_peaks(controllers.open_loop(loop))] for loop in (one, several)
    ]
    np.testing.assert_allclose(*peaks, rtol=1e-6)


@pytest.mark.parametrize("at", ["output", "both"])
def test_lifted_loop_opened_at_measurements_is_unchanged(law, model, at):
    blocks = [lag(0.05)]
    one, two = (
        controllers.open_loop(loop, at) for loop in (law.loop(model, blocks=blocks), lifted(law, model, blocks, 2))
    )
    c = len(one.channels)
    for w in (0.01, 0.7, 9.0):
        both = two.sensitivity([w])[0]
        for n in range(2):  # no coupling between the two frequencies, each as at its own
            part = slice(c * n, c * (n + 1))
            want = one.sensitivity([w + n * 2.0 * np.pi / two.sample])[0]
            np.testing.assert_allclose(both[part, part], want, rtol=0, atol=1e-11 * np.abs(want).max())
        assert np.abs(both[:c, c:]).max() < 1e-11 * np.abs(both).max()


def test_periodic_phase_margin_is_smallest_destabilising_rotation(periodic):
    margins = periodic.margins()
    opened = controllers.open_loop(periodic)
    for inputs, phase in [((0, 1, 2), margins.phase_deg), *(((n,), margins.axes[n].phase_deg) for n in range(3))]:

        def radius(deg, inputs=inputs):
            factor = np.where(np.isin(np.arange(3), inputs), np.exp(1j * np.radians(deg)), 1.0)
            return np.abs(poles_with(opened, np.diag(np.tile(factor, 2)))).max()

        assert radius(phase) == pytest.approx(1.0, abs=1e-10)
        assert max(radius(sign * share * phase) for sign in (1, -1) for share in np.linspace(0, 0.999, 30)) < 1.0
        assert radius(1.01 * phase) > 1.0


def test_periodic_disk_margin_is_reached_by_factor_at_two_frequencies(periodic):
    """With two factors the structured singular value is exact: phases attain it, with a pole on the circle."""
    opened = controllers.open_loop(periodic)
    margin = controllers.disk_margins(opened).channels[0]
    w = min(margin.frequency_rad_s, 2.0 * np.pi / opened.sample - margin.frequency_rad_s)
    M = (opened.sensitivity([w])[0] - 0.5 * np.eye(6))[::3, ::3]
    turns = np.exp(1j * np.linspace(-np.pi, np.pi, 100_001))
    trace, det = M[0, 0] + M[1, 1] * turns, np.linalg.det(M) * turns  # of M diag(1, turn)
    root = np.sqrt(trace**2 / 4 - det)
    values = np.array([trace / 2 + root, trace / 2 - root])
    k = np.unravel_index(np.argmax(np.abs(values)), values.shape)
    assert 1.0 / abs(values[k]) == pytest.approx(margin.alpha, rel=1e-6)
    d = np.array([1.0, turns[k[1]]]) / values[k]  # I - M d is singular, of the size of alpha
    f = (1.0 + d / 2.0) / (1.0 - d / 2.0)
    waves = np.exp(1j * np.outer([0, 1], w * opened.sample / 2 + np.array([0.0, np.pi]))) / np.sqrt(2)
    change = np.eye(6, dtype=complex)
    change[::3, ::3] = waves @ np.diag(f) @ waves.conj().T
    near = poles_with(opened, change) - np.exp(1j * w * opened.sample)
    away = poles_with(opened, np.eye(6)) - np.exp(1j * w * opened.sample)
    assert np.abs(near).min() < 1e-5
    assert np.abs(away).min() > 0.01


def test_periodic_factors_inside_disk_do_not_destabilise(periodic, law, model):
    """Real filters on each command, and complex constants, as large as the disk margin."""
    opened = controllers.open_loop(periodic)
    alpha = controllers.disk_margins(opened).simultaneous.alpha
    rng = np.random.default_rng(3)
    largest = 0.0
    for _ in range(300):
        d = alpha * np.exp(1j * rng.uniform(-np.pi, np.pi, 3))
        f = (1.0 + 0.4999 * d) / (1.0 - 0.4999 * d)
        largest = max(largest, np.abs(poles_with(opened, np.diag(np.tile(f, 2)))).max())
    assert 0.98 < largest < 1.0  # nearly attained
    z = np.exp(1j * np.linspace(1e-4, np.pi, 400))
    for _ in range(8):
        k, b, c = np.exp(rng.uniform(-0.5, 0.5, 3)), rng.uniform(-0.9, 0.9, 3), rng.uniform(-0.9, 0.9, 3)
        f = k * (1 - c) / (1 - b) * (z[:, None] - b) / (z[:, None] - c)
        size = (np.abs(f - 1.0) / np.abs(f + 1.0)).max(axis=0)
        if (size < 0.5 * alpha).all():
            gain = k * (1 - c) / (1 - b)
            form = BlockForm(A=np.diag(c), B=np.diag(gain), C=np.diag(c - b), D=np.diag(gain))
            change = Block(copy, reads="command", writes="command", clock=Clock(0.1), linear=form)
            assert law.loop(model, blocks=[lag(0.2, delay=0.03), change]).radius() < 1.0


def test_periodic_loop_with_too_many_samples_has_no_disk_margins(law, model):
    with pytest.raises(plant.DesignError, match=r"12 signals over 50 samples take 600 factors, but the limit is 400"):
        controllers.disk_margins(controllers.open_loop(lifted(law, model, [lag(0.1)], 50), "both"))


class Interval:
    """Stands for a loop that is stable while the factors on its first two inputs are within an interval."""

    def radius(self, *, factor):
        return 1.0 - min(min(factor[:2]) - 0.4905, 3.2 - max(factor[:2]))


def test_periodic_gain_margins_are_both_ends_of_the_stable_interval():
    loop: Any = Interval()
    assert _gains(loop, (0, 1, 2)) == pytest.approx((3.2, 0.4905), rel=1e-9)
    assert _gains(loop, (1,)) == pytest.approx((3.2, 0.4905), rel=1e-9)
    assert _gains(loop, (2,)) == (np.inf, 0.0)


@pytest.mark.slow
def test_lower_gain_margin_of_inverted_body_is_its_weight():
    """Below a stiffness of m g l the body falls: a pole leaves at z = 1, for any sampling."""
    mass, length, stiffness = 1.0, 0.2, 8.0
    body = plant.RigidBody((3.0, 2.0, 1.5), mass=mass, pivot=(0.0, 0.0, -length))
    craft = plant.Spacecraft(body, potentials=[plant.UniformGravity((0.0, 0.0, -9.81))])
    feedback = controllers.QuaternionFeedback(inertia=body.inertia, stiffness=stiffness, damping=6.0, sample=0.1)
    slower = Block(copy, reads="rate", writes="rate", clock=Clock(0.2))
    margins = feedback.margins(craft.linearize(craft.at_rest()), blocks=[slower])
    assert "have a common sample only after" in margins.periodic
    weighed = 2.0 * mass * 9.81 * length / stiffness  # the law's torque is half its stiffness times the angle
    assert margins.gain_down == pytest.approx(weighed, rel=1e-9)
    assert [axis.gain_down for axis in margins.axes[:2]] == pytest.approx([weighed] * 2, rel=1e-9)
    assert margins.axes[2].gain_down == 0.0
    assert 1.0 < margins.gain_up < np.inf


def test_periodic_margins_are_available_by_name_but_not_robust(periodic):
    alpha = controllers.disk_margins(controllers.open_loop(periodic)).simultaneous.alpha
    assert controllers.loop_margin(periodic, "disk_margin_inputs") == pytest.approx(alpha, rel=1e-4)  # another grid
    with pytest.raises(
        plant.DesignError, match="have a common sample only after 2 samples of the law, so the loop has no matri"
    ):
        controllers.robust_margin_bound(lambda x: periodic, numbers=1, margin="disk_margin_inputs", found=alpha)


def first_edge(loop, factors):
    """Midpoint of the first interval of factors with a pole that leaves the unit circle, by a search of all factors."""
    unstable = [loop.radius(factor=(factor,) * 3) > 1.0 for factor in factors]
    n = unstable.index(True)
    return 0.5 * (abs(factors[n - 1]) + abs(factors[n])), 0.5 * np.angle(factors[n - 1] * factors[n])


def test_coarse_search_finds_the_edge_of_a_search_of_every_factor(periodic):
    up, _ = _gains(periodic, range(3))
    assert up == pytest.approx(first_edge(periodic, FACTORS)[0], rel=0.5 * np.log(FACTORS[1]))
    phase = _phase(periodic, range(3))
    assert np.radians(phase) == pytest.approx(first_edge(periodic, np.exp(1j * TURNS))[1], abs=0.5 * TURNS[1])


@pytest.mark.parametrize("width", [0.3, 1.0, 4.0, 30.0])
def test_short_unstable_interval_is_found(width):
    """A pole that leaves the unit circle and returns: moduli of a parabola in dB, some steps of 0.25 dB wide."""
    for centre in np.linspace(1.0, 40.0, 57):
        calls = []

        def excess(size, centre=centre, calls=calls):
            calls.append(size)
            return 0.01 * (1.0 - ((20.0 * np.log10(size) - centre) / width) ** 2)

        if centre > width:
            low = 10.0 ** ((centre - width) / 20.0)
            assert _edge(excess, FACTORS, np.inf) == pytest.approx(low, rel=1e-9)
            assert len(calls) < 100
