"""Margins, each verified by changing that quantity until an independently assembled loop leaves the unit
circle."""

import json
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

from polhode import controllers, plant

INERTIA = np.array([[12.0, -1, 0.5], [-1, 10, 0.2], [0.5, 0.2, 8]])


def held(A, B, duration):
    n, m = B.shape
    whole = expm(np.vstack((np.hstack((A, B)), np.zeros((m, n + m)))) * duration)
    return whole[:n, :n], whole[:n, n:]


def closed_loop(law, model, gain, *, factor=(1, 1, 1), late=(0, 0, 0)):
    """Return one sample of plant, delay lines and law memory as a matrix, assembled along the timeline.

    `factor` multiplies each plant input, `late` delays it further; the law uses neither.
    """
    h = law.sample
    delays = [law.delay + extra for extra in late]
    lines = [int(np.ceil(delay / h - 1e-9)) for delay in delays]
    remembered = (gain.shape[1] - 6) // 3
    size = 6 + sum(lines) + 3 * remembered
    starts = np.cumsum([6, *lines])[:3]
    K = np.zeros((3, size), dtype=complex)
    K[:, :6] = gain[:, :6]
    K[:, size - 3 * remembered :] = gain[:, 6:]
    # input i: the row that selects u[k - j] from the state, where j = 0 is the new command
    picks = [[-factor[i] * K[i], *np.eye(size)[starts[i] : starts[i] + lines[i]]] for i in range(3)]
    edges = sorted({0.0, h, *(delay % h for delay in delays)})
    edges = [edges[0], *(b for a, b in pairwise(edges) if b - a > 1e-12)]
    x = np.eye(size, dtype=complex)[:6]
    for start, stop in pairwise(edges):
        middle = 0.5 * (start + stop)
        u = [picks[i][int(np.ceil((delays[i] - middle) / h))] for i in range(3)]
        flow, gamma = held(model.A, model.B, stop - start)
        x = flow @ x + gamma @ np.array(u)
    rows = [x]
    for i in range(3):
        rows += [np.atleast_2d(pick) for pick in picks[i][: lines[i]]]
    if remembered:
        rows += [-K, np.eye(size)[size - 3 * remembered : size - 3]]
    return np.vstack(rows)


def radius(*arguments, **change):
    return np.abs(np.linalg.eigvals(closed_loop(*arguments, **change))).max()


def on_axis(axis, value, rest):
    return [value if n == axis else rest for n in range(3)]


def rigid(inertia=INERTIA, rate=None, basis=("body",)):
    craft = plant.Spacecraft(plant.RigidBody(inertia), torques=plant.TorqueBasis(*basis))
    if rate is None:
        return craft.linearize(craft.at_rest(plant.attitude.from_euler_angles((0.4, 0.7, -0.3), "3-1-3")))
    axis = np.linalg.eigh(inertia)[1][:, 2]
    return craft.linearize(craft.spinning(rate * axis))


def top():
    """An upright top without spin: unstable, so its gain has a lower limit too."""
    craft = plant.Spacecraft(
        plant.RigidBody((3, 4, 2), mass=2.0, pivot=(0, 0, -1)),
        potentials=(plant.UniformGravity(g=(0, 0, -1.5)),),
    )
    return craft.linearize(craft.at_rest())


def by_hand(model, *, sample, delay, kp, kd):
    body_rate = np.linalg.inv(model.inertia)
    on_torque = np.linalg.inv(model.B[3:6])
    gain = on_torque @ np.hstack((kp * model.inertia, kd * model.inertia @ body_rate @ model.inertia @ body_rate))
    return controllers.LinearFeedback.from_gain(gain, model, sample=sample, delay=delay)


WEIGHTS = {"attitude": 25.0, "rate": 9.0, "effort": 0.5}
CASES = {
    "rest": controllers.lqr(rigid(), **WEIGHTS, sample=0.5),
    "rest, fraction": controllers.lqr(rigid(), **WEIGHTS, sample=0.5, delay=0.2),
    "rest, two samples": controllers.lqr(rigid(), **WEIGHTS, sample=0.5, delay=1.0),
    "spin": controllers.lqr(rigid(rate=0.8), **WEIGHTS, sample=0.4, delay=0.3),
    "dual Euler": controllers.lqr(rigid(basis=("dual-euler", "3-1-3")), **WEIGHTS, sample=0.5, delay=0.7),
    "top": controllers.lqr(top(), **WEIGHTS, sample=0.3, delay=0.1),
    "by hand, late": by_hand(rigid(), sample=0.5, delay=0.8, kp=0.09, kd=0.3),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    law = CASES[request.param]
    return law, law.model, law.gain, law.margins()


@pytest.mark.thinned(3)
def test_assembled_loop_has_poles_of_the_law(case):
    law, model, gain, margins = case
    # equal spectra: traces of powers agree. (Dead-beat poles scatter too much to be compared one by one.)
    mine = closed_loop(law, model, gain)
    poles = law.closed_loop_poles()
    for power in (1, 2, 5):
        trace = np.trace(np.linalg.matrix_power(mine, power))
        assert trace == pytest.approx(np.sum(poles**power), abs=1e-9)
    np.testing.assert_array_equal(margins.closed_loop_poles, poles)
    assert np.all(np.diff(np.abs(poles)) < 1e-11)  # largest first, conjugates side by side


@pytest.mark.parametrize("axis", range(3))
def test_gain_margins_match_stability_edge(case, axis):
    *loop, margins = case
    found = margins.axes[axis]
    assert found.gain_up > 1.0 > found.gain_down
    # 1e-6 either side: the crossing is a simple root, found to 1e-9 or so
    assert radius(*loop, factor=on_axis(axis, found.gain_up * (1 - 1e-6), 1)) < 1.0
    assert radius(*loop, factor=on_axis(axis, found.gain_up * (1 + 1e-6), 1)) > 1.0
    between = np.geomspace(max(found.gain_down, 1e-3), found.gain_up, 40)[1:-1]  # and no other crossing in between
    assert all(radius(*loop, factor=on_axis(axis, k, 1)) < 1.0 for k in between)
    if found.gain_down > 0:
        assert radius(*loop, factor=on_axis(axis, found.gain_down * (1 + 1e-6), 1)) < 1.0
        assert radius(*loop, factor=on_axis(axis, found.gain_down * (1 - 1e-6), 1)) > 1.0


def test_lower_gain_margin_exists_only_for_unstable_plant():
    assert all(axis.gain_down == 0 for axis in CASES["rest"].margins().axes)
    falling = CASES["top"].margins().axes
    assert 0 < falling[0].gain_down < 1
    assert 0 < falling[1].gain_down < 1
    assert falling[2].gain_down == 0  # no torque about the vertical


def test_lower_gain_margin_of_top_is_static():
    """Stability is lost at z = 1 when stiffness times factor equals the toppling moment m g l, for any
    sampling."""
    model, law = top(), CASES["top"]
    K = law.gain
    for axis in (0, 1):
        steady = K[axis, axis] / (1 + K[axis, 6 + axis])  # a constant command is also the stored one
        loop = law.margins().axes[axis]
        moment = 2.0 * 1.5 * 1.0
        # loop gain at z = 1: with the gain on the stored command, u = -K delta - Kh u
        assert loop.gain_down == pytest.approx(moment / steady, rel=1e-9)
        assert model.A[3 + axis, axis] == pytest.approx(moment, rel=1e-12)


@pytest.mark.parametrize("axis", range(3))
def test_phase_margins_match_stability_edge(case, axis):
    *loop, margins = case
    phase = np.radians(margins.axes[axis].phase_deg)

    def leaves(shift):
        return max(radius(*loop, factor=on_axis(axis, np.exp(1j * s * shift), 1)) for s in (1, -1)) > 1.0

    assert not leaves(phase * (1 - 1e-6))
    assert leaves(phase * (1 + 1e-6))
    assert not any(leaves(phase * share) for share in np.linspace(0.05, 0.95, 19))


@pytest.mark.parametrize("axis", range(3))
def test_delay_margin_of_one_input_matches_stability_edge(case, axis):
    *loop, margins = case
    late = margins.axes[axis].delay_s
    assert radius(*loop, late=on_axis(axis, late * (1 - 1e-6), 0)) < 1.0
    assert radius(*loop, late=on_axis(axis, late * (1 + 1e-6), 0)) > 1.0
    assert all(radius(*loop, late=on_axis(axis, late * share, 0)) < 1.0 for share in np.linspace(0.05, 0.95, 19))


def test_delay_margin_of_all_inputs_matches_stability_edge(case):
    *loop, margins = case
    late = margins.delay_s
    assert radius(*loop, late=[late * (1 - 1e-6)] * 3) < 1.0
    assert radius(*loop, late=[late * (1 + 1e-6)] * 3) > 1.0
    assert all(radius(*loop, late=[late * share] * 3) < 1.0 for share in np.linspace(0.05, 0.95, 19))


def test_gain_and_phase_margins_of_all_inputs_match_stability_edge(case):
    *loop, margins = case

    def stable(factor):
        return max(radius(*loop, factor=[each] * 3) for each in (factor, np.conj(factor))) < 1.0

    assert stable(margins.gain_up * (1 - 1e-6))
    assert not stable(margins.gain_up * (1 + 1e-6))
    assert all(stable(k) for k in np.geomspace(max(margins.gain_down, 1e-3), margins.gain_up, 40)[1:-1])
    if margins.gain_down > 0:
        assert stable(margins.gain_down * (1 + 1e-6))
        assert not stable(margins.gain_down * (1 - 1e-6))
    phase = np.radians(margins.phase_deg)
    assert all(stable(np.exp(1j * phase * share)) for share in np.linspace(0.05, 0.95, 19))
    assert stable(np.exp(1j * phase * (1 - 1e-6)))
    assert not stable(np.exp(1j * phase * (1 + 1e-6)))


def test_margins_of_all_inputs_about_spin_are_below_single_ones():
    """Axes coupled by the spin: a common change destabilises sooner, in delay, in phase and in gain."""
    craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)))
    model = craft.linearize(craft.state(rate=(0.0, 0.0, 4.0)))
    found = controllers.lqr(model, attitude=25.0, rate=100.0, effort=1.0, sample=0.05).margins()
    assert min(axis.delay_s for axis in found.axes) > 4.0 * found.delay_s
    assert found.to_dict()["all_inputs"]["delay_s"] == found.delay_s
    law = controllers.pid(model, frequency=0.5, damping_ratio=0.7, sample=0.05)
    found = law.margins()
    assert max(axis.gain_down for axis in found.axes) == 0.0
    assert found.phase_deg < 0.7 * min(axis.phase_deg for axis in found.axes)
    lost = law.loop().broken((0, 1, 2))
    assert np.abs(lost.closed(found.gain_down * (1 + 1e-6))).max() < 1.0
    assert np.abs(lost.closed(found.gain_down * (1 - 1e-6))).max() > 1.0
    assert found.gain_down > 0.1


@pytest.mark.parametrize(
    ("spread", "sample", "delay", "weights", "within"),
    [
        # found by random search: unstable from 0.273 to 0.365 samples, stable again, then unstable from
        # 0.536
        ((85, 118, 121), 0.5466, 1.4703, (0.0444, 0.267, 1.463e-6), (0.2, 0.34)),
        # unstable from 1.39 samples, stable for 0.007 of a sample at 1.434, then unstable
        ((521, 679, 735), 0.42217, 0.24833, (0.00645, 0.1049, 3.145e-8), (1.3, 1.43)),
    ],
)
def test_margins_use_the_first_edge_if_the_loop_recovers(spread, sample, delay, weights, within):
    craft = plant.Spacecraft(plant.RigidBody(spread))
    attitude, rate, effort = weights
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=attitude, rate=rate, effort=effort, sample=sample, delay=delay)
    edge = law.margins().delay_s
    assert within[0] < edge / sample < within[1]
    loop = (law, model, law.gain)
    assert radius(*loop, late=[edge * (1 - 1e-6)] * 3) < 1.0 < radius(*loop, late=[edge * (1 + 1e-6)] * 3)
    shares = np.linspace(0.01, 0.99, 99)
    assert all(radius(*loop, late=[edge * share] * 3) < 1.0 for share in shares)


@pytest.mark.slow
def test_margins_of_random_loops_match_stability_edge():
    """Inertia, spin, weights, sampling and delay over decades; 600 such loops were tested during
    development."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        inertia = turn @ np.diag(rng.uniform(0.6, 1, 3) * 10 ** rng.uniform(-2, 5)) @ turn.T
        inertia = 0.5 * (inertia + inertia.T)
        craft = plant.Spacecraft(plant.RigidBody(inertia))
        spin = rng.choice([0.0, 10 ** rng.uniform(-1, 0.5)])
        model = craft.linearize(craft.spinning(spin * np.linalg.eigh(inertia)[1][:, rng.integers(3)]))
        sample = 10 ** rng.uniform(-1, 0) * min(1, 2.5 / max(spin, 1e-3))
        attitude, rate, effort = 10 ** rng.uniform(-2, 2, 3)
        law = controllers.lqr(
            model,
            attitude=attitude,
            rate=rate,
            effort=effort / np.trace(inertia) ** 2,
            sample=sample,
            delay=rng.choice([0, 1, rng.uniform(0, 3)]) * sample,
        )
        loop, margins = (law, model, law.gain), law.margins()
        for axis, found in enumerate(margins.axes):
            # 1e-5 either side, for gains that differ by decades from axis to axis
            assert radius(*loop, factor=on_axis(axis, found.gain_up * (1 - 1e-5), 1)) < 1.0
            assert radius(*loop, factor=on_axis(axis, found.gain_up * (1 + 1e-5), 1)) > 1.0
        if margins.delay_s < 20 * sample:
            assert radius(*loop, late=[margins.delay_s * (1 - 1e-5)] * 3) < 1.0
            assert radius(*loop, late=[margins.delay_s * (1 + 1e-5)] * 3) > 1.0


def single_axis(h, q=25.0, r=1.0, inertia=400.0):
    """Double integrator, its regulator and its loop, in python-control."""
    import control

    craft = plant.Spacecraft(plant.RigidBody((inertia, 300.0, 200.0)))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=q, rate=1.0, effort=r, sample=h)
    F = np.array([[1, h / inertia], [0, 1]])
    G = np.array([[h * h / 2 / inertia], [h]])
    K = law.gain[[0], :][:, [0, 3]]
    return law, control.ss(F, G, K, 0, h), (F, G, K)


def test_phase_margin_and_crossover_match_python_control():
    import control

    law, loop, _ = single_axis(1.0)
    _, phase, _, _, crossover, _ = control.stability_margins(loop, method="poly")
    found = law.margins().axes[0]
    # two nearly equal roots of its polynomial leave python-control some 1e-8
    assert found.phase_deg == pytest.approx(phase, abs=1e-6)
    assert found.crossover_rad_s == pytest.approx(crossover, rel=1e-6)


@pytest.mark.parametrize("h", [1.0, 0.1, 0.01])
def test_gain_margin_of_double_integrator_matches_closed_form(h):
    """The poles of F - k G K leave at z = -1, where 4 = k h K2 (Jury's test: 1 + trace + det > 0)."""
    law, _, (_, G, K) = single_axis(h)
    found = law.margins().axes[0]
    # characteristic polynomial z^2 - (2 - k (a + b)) z + 1 - k (b - a), a = K1 h^2/2J, b = K2 h; at z = -1: 4
    # = 2 k b
    b = float(K[0, 1] * G[1, 0])
    assert found.gain_up == pytest.approx(2.0 / b, rel=1e-9)
    assert found.gain_up_dB == pytest.approx(20 * np.log10(2.0 / b), rel=1e-9)


def test_disk_margin_of_law_matches_python_control():
    import control

    law, loop, _ = single_axis(0.5)
    omega = np.linspace(1e-3, np.pi / 0.5 - 1e-6, 20001)
    disk, gain_dB, phase = control.disk_margins(loop, omega)
    found = law.margins().axes[0].to_dict()
    # python-control uses the worst grid point (3e-4 rad/s apart near a flat minimum): second order in that
    assert found["disk"] == pytest.approx(disk, rel=1e-5)
    assert found["disk"] <= disk * (1 + 1e-12)
    assert found["disk_gain_dB"] == pytest.approx(gain_dB, rel=1e-5)
    assert found["disk_phase_deg"] == pytest.approx(phase, rel=1e-5)


def test_disk_margin_is_within_other_margins(case):
    for axis in case[-1].axes:
        assert axis.disk_gain <= axis.gain_up
        assert 1 / axis.disk_gain >= axis.gain_down
        assert axis.disk_phase_deg <= axis.phase_deg


def test_bandwidth_is_three_decibels_down():
    law, _, (F, G, K) = single_axis(0.5)

    def complementary(w):
        z = np.exp(1j * w * 0.5)
        L = (K @ np.linalg.solve(z * np.eye(2) - F, G))[0, 0]
        return abs(L / (1 + L)) - np.sqrt(0.5)

    # brentq to 2e-12 absolute on a number near 0.3
    assert law.margins().axes[0].bandwidth_rad_s == pytest.approx(brentq(complementary, 0.1, 1.0), rel=1e-9)


def test_margins_do_not_depend_on_craft_size():
    s = 1e7
    small = controllers.lqr(rigid(), **WEIGHTS, sample=0.5, delay=0.2).margins().to_dict()
    large = controllers.lqr(rigid(s * INERTIA), attitude=25.0, rate=9.0, effort=0.5 / s**2, sample=0.5, delay=0.2)
    for mine, other in zip(small["axes"], large.margins().to_dict()["axes"], strict=True):
        for key in ("gain_up", "phase_deg", "crossover_rad_s", "delay_s", "disk"):
            # the Riccati solutions differ by 1e-10 or so
            assert other[key] == pytest.approx(mine[key], rel=1e-7)


@pytest.mark.parametrize("sample", [1e-3, 1e-2, 5.0, 30.0])
def test_margins_from_very_fast_to_very_slow_sampling(sample):
    """The search finds the true edges for sampling far from the time scale of the loop, 1/w = 3 s, on either
    side."""
    law = controllers.lqr(rigid(), **WEIGHTS, sample=sample)
    loop = (law, law.model, law.gain)
    for axis, found in enumerate(law.margins().axes):
        assert radius(*loop, factor=on_axis(axis, found.gain_up * (1 - 1e-5), 1)) < 1.0
        assert radius(*loop, factor=on_axis(axis, found.gain_up * (1 + 1e-5), 1)) > 1.0
        phase = np.exp(1j * np.radians(found.phase_deg) * np.array([1 - 1e-5, 1 + 1e-5]))
        assert radius(*loop, factor=on_axis(axis, phase[0], 1)) < 1.0
        # the pole with z and the one with 1/z leave for opposite signs of the shift
        assert max(radius(*loop, factor=on_axis(axis, p, 1)) for p in (phase[1], phase[1].conj())) > 1.0


def test_unstable_loop_has_poles_but_no_margins():
    law = by_hand(rigid(), sample=0.5, delay=4.0, kp=0.09, kd=0.3)
    assert np.abs(law.closed_loop_poles()).max() > 1.0
    with pytest.raises(plant.DesignError, match=r"the loop is not stable.*closed-loop pole lies at z = .*modulus 1\."):
        law.margins()


@pytest.mark.parametrize("seed", range(40))
def test_loop_with_a_free_turn_has_no_margins_by_rounding(seed):
    """A turn that the law does not measure has its pole at z = 1, which rounding puts on either side of the circle."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    inertia = axes @ np.diag(1.0 + 0.4 * rng.random(3)) @ axes.T * 10.0 ** rng.uniform(-3, 3)
    craft = plant.Spacecraft(plant.RigidBody(inertia))
    sighted = np.eye(3) - np.outer(axes[0], axes[0])
    h = 10.0 ** rng.uniform(-2, 0)
    w = 0.1 / h * 10.0 ** rng.uniform(-2, 0)
    gain = np.hstack([inertia @ sighted * w**2, 1.4 * w * np.eye(3)])
    law = controllers.LinearFeedback.from_gain(gain, craft.linearize(craft.at_rest()), sample=h, delay=0.3 * h)
    assert not law.loop().stable
    with pytest.raises(plant.DesignError, match=r"pole lies at z = 1[+-]0j, modulus 1; something is left where it is"):
        law.margins()


def test_margins_as_table_and_dictionary():
    margins = CASES["rest"].margins()
    table = str(margins)
    assert len(table.splitlines()) == 9
    assert max(map(len, table.splitlines())) <= 100
    for axis in margins.axes:
        assert f"{axis.input:<10} {axis.gain_up_dB:8.1f}" in table
    plain = json.loads(json.dumps(margins.to_dict(), allow_nan=False))
    assert plain["axes"][0]["gain_down"] == 0.0
    assert plain["axes"][0]["gain_down_dB"] is None  # JSON has no minus infinity
    assert plain["sample_s"] == 0.5
    assert plain["closed_loop_poles"][0] == [
        margins.closed_loop_poles[0].real,
        margins.closed_loop_poles[0].imag,
    ]


def test_margins_of_three_equal_axes_are_equal():
    """Equal axes give triple roots, where a determinant would lose two thirds of the digits."""
    craft = plant.Spacecraft(plant.RigidBody((10.0, 10, 10)))
    margins = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS, sample=0.2).margins()
    single = margins.axes[0].delay_s
    assert all(axis.delay_s == pytest.approx(single, rel=1e-10) for axis in margins.axes)
    assert margins.delay_s == pytest.approx(single, rel=1e-10)
