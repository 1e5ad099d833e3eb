"""Pulse-width pulse-frequency modulator: against the static characteristic in closed form, and published numbers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import controllers, sim
from polhode.controllers import blocks
from polhode.plant import InputError, RigidBody, Spacecraft

WIE = {"gain": 4.5, "time_constant": 0.15, "on": 0.45, "off": 0.15}


def test_characteristic_matches_published_numbers():
    found = blocks.pulse_characteristic(**WIE)
    np.testing.assert_allclose((found.deadband, found.saturation), (0.1, 1.0 + 1.0 / 30.0), rtol=1e-14)
    assert 1e3 * found.least_pulse == pytest.approx(10.34893, abs=5e-6)
    np.testing.assert_allclose(1e3 * np.array(found.pulse(0.5)), (17.66746, 23.12260), atol=5e-6)
    assert (found.duty(0.1), found.duty(1.1), found.duty(-1.1)) == (0.0, 1.0, -1.0)
    assert found.duty(-0.5) == -found.duty(0.5)


def test_characteristic_matches_integrated_modulator():
    """Filter and Schmitt trigger as differential equation with events, by scipy."""
    found = blocks.pulse_characteristic(**WIE)
    for level in (0.12, 0.5, 0.95):
        f, u, lengths = WIE["off"], 0, []
        for _ in range(6):
            edge = WIE["off"] if u else WIE["on"]

            def crosses(t, y, edge=edge):
                return y[0] - edge

            vars(crosses).update(terminal=True, direction=-1 if u else 1)
            done = solve_ivp(
                lambda t, y, u=u, level=level: (4.5 * (level - u) - y) / 0.15, (0, 9), [f], events=crosses, rtol=1e-11,
                atol=1e-13,
            )  # fmt: skip
            lengths.append(done.t_events[0][0])
            f, u = edge, 1 - u
        np.testing.assert_allclose((lengths[3], lengths[2]), found.pulse(level), rtol=1e-8)


@pytest.mark.parametrize("level", [0.05, 0.12, 0.5, -0.7, 0.95, 1.2])
def test_mean_output_of_block_is_the_duty(level):
    sample = 2e-5
    block = blocks.pwpf(2.0, sample=sample, **WIE)
    t = sample * np.arange(50_000)
    pulses = block.replay(t, np.full((t.size, 3), 2.0 * level))[:, 0] / 2.0
    assert set(np.unique(pulses)) <= {0.0, np.sign(level)}
    found = blocks.pulse_characteristic(**WIE)
    if not found.deadband < abs(level) < found.saturation:
        assert pulses[1000:].mean() == found.duty(level)
        return
    starts = np.flatnonzero(np.diff(np.abs(pulses)) > 0.5)
    ends = np.flatnonzero(np.diff(np.abs(pulses)) < -0.5)
    on, off = found.pulse(abs(level))
    assert np.mean(np.diff(starts)) * sample == pytest.approx(on + off, rel=4e-3)
    ends = ends[ends > starts[0]][: len(starts)]
    assert np.mean(ends - starts[: len(ends)]) * sample == pytest.approx(on, rel=4e-3)


def test_modulated_torque_in_a_run():
    """The momentum is the torque level times the time that it was on."""
    law = controllers.CustomLaw(lambda t, y, r: (0.5, 0.0, -0.3), sample=0.1, compiled=False)
    block = blocks.pwpf((1.0, 2.0, 3.0), sample=0.002, **WIE)
    run = sim.simulate(Spacecraft(RigidBody(1e3 * np.eye(3))), law, blocks=[block], duration=4.0, output_step=0.002)
    torque = run.values("command")
    assert set(np.unique(torque[:, 0])) == {0.0, 1.0}
    assert not torque[:, 1].any()
    np.testing.assert_allclose(run.values("momentum")[-1], torque[:-1].sum(axis=0) * 0.002, rtol=1e-4, atol=1e-6)
    found = blocks.pulse_characteristic(**WIE)
    assert torque[:, 0].mean() == pytest.approx(found.duty(0.5), rel=0.06)  # pulses of whole samples


def test_margins_count_pulses_with_gain_1():
    craft = Spacecraft(RigidBody(np.diag((40.0, 30.0, 20.0))))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=0.01, rate=1.0, effort=1.0, sample=0.1)
    slow = WIE | {"time_constant": 1.5}
    bare, pulsed = law.margins(model), law.margins(model, blocks=[blocks.pwpf(1.0, sample=0.05, **slow)])
    np.testing.assert_allclose(pulsed.smallest()["phase_margin_deg"], bare.smallest()["phase_margin_deg"], rtol=1e-6)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"sample": 0.01}, "too long for the shortest pulse"),
        ({"off": 0.5}, "off must be below the threshold on"),
        ({"gain": 0.3}, "raise the gain"),
        ({"torque": 0.0}, "torque"),
        ({"torque": (1.0, 2.0)}, "torque"),
    ],
)
def test_wrong_numbers_are_refused(keys, message):
    given = {"torque": 1.0, "sample": 0.001, **WIE, **keys}
    with pytest.raises(InputError, match=message):
        blocks.pwpf(given.pop("torque"), **given)
    with pytest.raises(InputError, match="pulses occur between"):
        blocks.pulse_characteristic(**WIE).pulse(0.05)
