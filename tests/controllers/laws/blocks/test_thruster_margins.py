"""Plume losses, ramps and closing delay of on-off thrusters in margins, against simulated pulses."""

import math

import numpy as np
import pytest

from polhode import controllers, sim
from polhode.controllers import BlockForm, ThrusterAllocation, blocks
from polhode.plant import InputError, RigidBody, Spacecraft, TorqueBasis

SIX = ThrusterAllocation(
    [(0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0)],
    [(0, 0, 1), (0, 0, 1), (1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 0)], limit=1.0,
)  # fmt: skip
TICK = 0.01


def form_of(block) -> BlockForm:
    assert isinstance(block.linear, BlockForm)
    return block.linear


def response(form, frequency, tick=TICK):
    A, B, C, D = (np.asarray(each) for each in (form.A, form.B, form.C, form.D))
    z = np.exp(1j * frequency * tick)
    return (C @ np.linalg.solve(z * np.eye(len(A)) - A, B) + D)[:3, :3] if len(A) else D[:3, :3]


def first_harmonic(v, frequency, tick=TICK):
    """Return the first harmonic of values that are held for one tick, relative to a sine."""
    t = tick * np.arange(len(v) + 1)
    edges = np.exp(-1j * frequency * t)
    pieces = (edges[1:] - edges[:-1]) / (-1j * frequency)
    return 2j * (v @ pieces) / t[-1]


@pytest.mark.parametrize(
    "late",
    [
        {"rise_time": 0.2, "fall_time": 0.2},
        {"rise_time": 0.3, "fall_time": 0.1},
        {"delay": 0.02, "closing_delay": 0.09},
        {"rise_time": 0.05, "fall_time": 0.07, "closing_delay": 0.12},
        {"rise_time": 0.004, "fall_time": 0.004},
    ],
)
def test_late_edges_have_the_phase_of_the_delay(late):
    """Full pulses of alternating sign: the first harmonic lags by the mean delay of both edges."""
    period, count = 20.0, 5
    t = TICK * np.arange(round(count * period / TICK))
    w = 2.0 * math.pi / period
    y = np.column_stack((5.0 * np.sign(np.sin(w * t + 1e-9)), np.zeros((len(t), 2))))
    block = blocks.thruster_pulses(SIX, sample=0.1, tick=TICK, **late)
    ideal = blocks.thruster_pulses(SIX, sample=0.1, tick=TICK)
    last = round((count - 1) * period / TICK)
    one, two = (first_harmonic(each.replay(t, y)[last:, 0], w) for each in (block, ideal))
    phase = np.angle(one / two)
    assert phase < -w * 1e-3
    assert np.angle(response(form_of(block), w)[0, 0]) == pytest.approx(phase, rel=2e-4)  # (w rise)^2/24


@pytest.mark.parametrize("late", [{"rise_time": 0.04, "fall_time": 0.04}, {"rise_time": 0.08}, {"closing_delay": 0.04}])
def test_margins_with_late_edges_are_those_of_a_clock_delay(late):
    craft = Spacecraft(RigidBody((10.0, 10.0, 10.0)), torques=TorqueBasis("body"))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    model = craft.linearize(craft.at_rest())
    one, other, ideal = (
        law.margins(model, blocks=[blocks.thruster_pulses(SIX, sample=0.1, tick=TICK, **keys)]).axes[0]
        for keys in (late, {"delay": 0.02}, {})
    )
    assert one.phase_deg == pytest.approx(other.phase_deg, rel=1e-9)
    assert one.gain_up_dB == pytest.approx(other.gain_up_dB, rel=1e-9)
    assert one.delay_s == pytest.approx(ideal.delay_s - 0.02, rel=1e-9)


def test_words_state_what_the_margins_neglect():
    block = blocks.thruster_pulses(SIX, sample=0.1, tick=TICK, rise_time=0.05, fall_time=0.07, closing_delay=0.12)
    assert "delay of 0.09 s" in form_of(block).words
    assert "0.13 s more impulse than commanded" in form_of(block).words
    assert "rise time of 0.05 s" in form_of(block).words
    ideal = form_of(blocks.thruster_pulses(SIX, sample=0.1, tick=TICK))
    assert ideal.words == "thruster pulses are treated as unity gain"


def test_plume_losses_of_one_thruster_count_for_half():
    """The thruster serves one direction of its axis: 1 one way, 0.6 the other, so 0.8 for a swing about zero."""
    block = blocks.thruster_pulses(SIX, sample=0.1, tick=TICK, plume_factor=(0.6, 1, 1, 1, 1, 1))
    np.testing.assert_allclose(response(form_of(block), 0.0), np.diag((0.8, 1.0, 1.0)), atol=1e-9)
    t = TICK * np.arange(10000)
    y = np.column_stack((0.9 * np.sin(2 * math.pi * t / 100.0), np.zeros((len(t), 2))))
    swing = first_harmonic(block.replay(t, y)[:, 0], 2 * math.pi / 100.0)
    assert abs(swing) / 0.9 == pytest.approx(0.8, rel=2e-2)
    assert "mean of both directions" in form_of(block).words


@pytest.mark.parametrize("share", [0.85, 1.15])
def test_gain_margin_with_plume_losses_in_the_simulation(share):
    """A law at 0.85 or 1.15 of the largest gain of the linear loop: the pulsed loop decays or grows."""
    craft = Spacecraft(RigidBody((10.0, 10.0, 10.0)), torques=TorqueBasis("body"))
    law = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.7, sample=0.1, delay=1.5)
    plumes = {"sample": 0.1, "plume_factor": 0.5, "offset": 0.0}
    model = craft.linearize(craft.at_rest())
    margins = law.margins(model, blocks=[blocks.thruster_pulses(SIX, tick=0.05, **plumes)])
    gain, ideal = (10.0 ** (each.axes[0].gain_up_dB / 20.0) for each in (margins, law.margins(model)))
    assert gain == pytest.approx(2.0 * ideal, rel=1e-6)
    scaled = controllers.QuaternionFeedback(
        inertia=law.inertia, stiffness=share * gain * law.stiffness, damping=share * gain * law.damping, sample=0.1,
        delay=1.5,
    )  # fmt: skip
    block = blocks.thruster_pulses(SIX, tick=0.0005, **plumes)
    run = sim.simulate(craft, scaled, blocks=[block], rate=(2e-2, 0, 0), duration=60.0, output_step=0.5)
    rate = np.abs(run.values("rate")[:, 0])
    assert (rate[-40:].max() > rate[:40].max()) == (share > 1.0)


def test_assumed_thrusters_of_another_number_are_refused():
    pairs = ThrusterAllocation(
        [*np.eye(3), *-np.eye(3)] * 2,
        [(0, 0, 1), (1, 0, 0), (0, 1, 0)] * 2 + [(0, 0, -1), (-1, 0, 0), (0, -1, 0)] * 2,
        limit=1.0,
    )
    with pytest.raises(InputError, match="6 thrusters need as many assumed thrusters; got 12"):
        blocks.thruster_pulses(SIX, sample=0.1, tick=TICK, assumed=pairs)
