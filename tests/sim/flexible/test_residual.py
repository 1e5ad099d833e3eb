"""Residual vibration: amplitudes known beforehand."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.flexible import HubPulse, pulses_torque, residual_vibration, simulate_flexible

# 003's satellite: the slowest elastic mode is 12.56 Hz (symmetric), the slowest that a torque excites 40 Hz


def excited(craft):
    """Modes that a torque of 1 N m about y on the hub excites: rad/s, and what each adds to the tip's deflection, m.

    The static deflection of a mode is (turn of the hub) x (deflection of the tip) / w^2.
    """
    modes = craft.modes()
    turn = modes.shapes[4]
    tip = 6 + 1 + 7 * (craft.arms[0].elements - 1)
    bent = modes.shapes[tip + 2] - (modes.shapes[2] - 2.1 * turn)  # omega x r of a rigid arm: -2.1 omega_y along z
    chosen = (modes.frequencies > 1.0) & (np.abs(turn) > 1e-3)
    w, each = modes.frequencies[chosen], (turn * bent)[chosen]
    pairs = {round(float(value), 3) for value in w}  # two modes of the same frequency, one in each plane
    return [(value, sum(float(a) / value**2 for v, a in zip(w, each, strict=True) if abs(v - value) < 1e-2))
            for value in sorted(pairs)]  # fmt: skip


def test_a_torque_switched_off_leaves_its_static_deflection_vibrating(satellite):
    """Under a constant torque for a time T every mode is left with 2 a |sin(w T/2)|, a its static deflection."""
    craft = satellite(4)
    modes = excited(craft)
    slowest = modes[0][0]
    assert slowest / (2 * np.pi) == pytest.approx(39.976164, rel=1e-3)  # closed form of the antisymmetric mode

    # steady angular acceleration of 1 N m / 43.368157 kg m^2 bends an arm as the load -rho A x a on a cantilever does
    acceleration, EI, line = 1.0 / 43.368157, 7.17e10 * 5.2e-7, 7.0
    x = np.linspace(0.0, 2.0, 20001)
    load = line * acceleration * (0.1 + x) * x**2 * (6.0 - x) / (6.0 * EI)
    assert sum(a for _, a in modes) == pytest.approx(np.trapezoid(load, x), rel=5e-3)  # 003's rotary inertia aside

    def left(periods):
        stop = periods * 2 * np.pi / slowest
        torque = pulses_torque([HubPulse(components=(0, 1, 0), start=0.0, stop=stop)])
        run = simulate_flexible(craft, torque=torque, duration=stop + 0.5, step=2.5e-4, output=2.5e-4)
        expected = sum(abs(2 * a * np.sin(w * stop / 2)) for w, a in modes[:3])
        return residual_vibration(run, after=stop), expected

    for periods in (2.0, 2.5):
        found, expected = left(periods)
        assert found.tip_deflection == pytest.approx([expected] * 2, rel=0.06)  # three modes, when they meet


def test_slow_deflection_is_no_vibration(satellite):
    """003's pulse bends the arms by 0.2 mm and leaves a W^2/(w^2 - W^2) |sin(w T/2)| of each mode, W = 2 pi/T.

    Of the first mode that is 5e-8 m at the 40.19 Hz of two elements, and 7e-9 m at the closed form's 39.976 Hz.
    """
    craft = satellite()
    torque = pulses_torque([HubPulse(components=(0, 15, 0), start=0.0, stop=1.0, shape="raised-cosine")])
    run = simulate_flexible(craft, torque=torque, duration=2.0, step=1e-3, output=1e-3)
    assert np.ptp(run.values("tip_deflection")[:, 0, 2]) == pytest.approx(2.0355e-4, rel=0.005)
    W = 2 * np.pi
    left = sum(abs(15 * a * W**2 / (w**2 - W**2) * np.sin(w / 2)) for w, a in excited(craft)[:2])
    assert residual_vibration(run, after=1.0).tip_deflection == pytest.approx([left] * 2, rel=0.05)


def test_pulses_add_and_steps_end_at_their_edges(satellite):
    """Angular momentum is the impulse: overlapping constants and a raised cosine."""
    torque = pulses_torque(
        [
            HubPulse(components=(0, 2, 0), start=0.1, stop=0.35),
            HubPulse(components=(0, -1, 0), start=0.2, stop=0.5),
            HubPulse(components=(0, 3, 0), start=0.2, stop=0.4, shape="raised-cosine"),
        ]
    )
    assert torque.breakpoints == (0.1, 0.2, 0.35, 0.4, 0.5)
    run = simulate_flexible(satellite(1), torque=torque, duration=0.6, step=0.01, at=(0.123,))
    assert run.values("angular_momentum")[-1] == pytest.approx((0, 2 * 0.25 - 0.3 + 3 * 0.1, 0), abs=1e-12)
    assert 0.123 in run.t.tolist()


def test_what_is_refused(satellite):
    run = simulate_flexible(satellite(1), duration=0.5, step=0.01, output=0.05)
    with pytest.raises(InputError, match="needs one period of the slowest elastic mode"):
        residual_vibration(run, after=0.49)
    with pytest.raises(InputError, match="stop 1 s, start 2 s"):
        HubPulse(components=(0, 1, 0), start=2.0, stop=1.0)
    with pytest.raises(InputError, match="a row is wanted at 2 s, outside the run from 0 to 1 s"):
        simulate_flexible(satellite(1), duration=1.0, at=(2.0,))
