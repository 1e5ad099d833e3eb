# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Input shapers against a modal oscillator integrated independently, and against printed insensitivities."""

import numpy as np
import pytest
from scipy import optimize

from polhode import controllers
from polhode.controllers.guidance.input_shapers import SHAPERS
from polhode.plant.errors import InputError

SLEW = controllers.EigenaxisSlew((1, 0, 0, 0), (0, 0, 0, 1), rate_limit=0.1, acceleration_limit=0.01, begin=1.0)


@pytest.mark.parametrize(("kind", "width"), [("zv", 0.0637), ("zvd", 0.2871), ("ei", 0.3994), ("two-hump", 0.7245)])
def test_shaper_has_printed_insensitivity(kind, width):
    """Width of the frequency range with at most 5 % residual vibration (Singhose, Porter, Tuttle & Singer 1997)."""
    times, amplitudes = controllers.shaper_impulses(3.0, kind=kind)

    def excess(ratio):
        # 1e-12: the humps of ei and two-hump touch 5 % exactly
        return controllers.shaper_vibration(times, amplitudes, frequency=3.0 * ratio) - 0.05 * (1.0 + 1e-12)

    grid = np.linspace(0.4, 1.0, 2001)
    low = grid[np.flatnonzero([excess(r) > 0 for r in grid])[-1]]
    upper = 2.0 - low
    edge = [optimize.brentq(excess, a, b, xtol=1e-12) for a, b in ((low, low + 1e-3), (upper - 1e-3, upper + 1e-3))]
    assert edge[1] - edge[0] == pytest.approx(width, abs=6e-5)  # printed to four decimals


@pytest.mark.parametrize("kind", SHAPERS)
@pytest.mark.parametrize("sample", [None, 0.13])
def test_shaped_recursion_leaves_mode_at_tolerance(kind, sample):
    """The impulses as forces on an oscillator, by its exact recursion, against one impulse."""
    w, z = 1.7, 0.04
    times, amplitudes = controllers.shaper_impulses(w, damping_ratio=z, kind=kind, sample=sample)
    assert (amplitudes > 0).all()
    assert amplitudes.sum() == pytest.approx(1.0, abs=1e-15)
    wd, end = w * np.sqrt(1 - z * z), times[-1]
    x = sum(
        a * np.exp(-z * w * (end - t)) * np.sin(wd * (end - t)) / wd for t, a in zip(times, amplitudes, strict=True)
    )
    v = sum(
        a * np.exp(-z * w * (end - t)) * (np.cos(wd * (end - t)) - z * w / wd * np.sin(wd * (end - t)))
        for t, a in zip(times, amplitudes, strict=True)
    )
    left = np.hypot(v + z * w * x, wd * x)
    assert left == pytest.approx(
        controllers.shaper_vibration(times, amplitudes, frequency=w, damping_ratio=z), abs=1e-14
    )
    if kind in ("zv", "zvd", "two-hump"):
        assert left < 1e-14
    else:
        assert 0.02 < left <= 0.05 + 1e-14
    if sample is not None:
        steps = times / sample
        np.testing.assert_allclose(steps, np.round(steps), rtol=0, atol=1e-9)


def test_zvd_has_zero_derivative_with_damping_and_on_samples():
    w, z = 1.7, 0.04
    for sample in (None, 0.13):
        times, amplitudes = controllers.shaper_impulses(w, damping_ratio=z, kind="zvd", sample=sample)
        # V is |.| of a double zero: at 1e-4 off it is about (pi/2 1e-4)^2, for a single zero pi/2 1e-4
        assert controllers.shaper_vibration(times, amplitudes, frequency=w * (1 + 1e-4), damping_ratio=z) < 1e-7


def test_shaped_slew_stays_within_limits_and_ends_where_unshaped_ends():
    shaped = controllers.ShapedReference(SLEW, [(0.9, 0.01), (2.3, 0.0)], kind="zvd")
    t = np.linspace(0.0, shaped.begin + shaped.duration + 2.0, 4001)
    rows = np.array([shaped.at(time) for time in t])
    assert np.linalg.norm(rows[:, 4:7], axis=1).max() <= SLEW.peak_rate * (1 + 1e-12)
    assert np.linalg.norm(rows[:, 7:], axis=1).max() <= SLEW.peak_acceleration * (1 + 1e-12)
    np.testing.assert_allclose(rows[-1], [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], rtol=0, atol=1e-15)
    assert shaped.duration == pytest.approx(SLEW.duration + 2 * np.pi / (0.9 * np.sqrt(1 - 1e-4)) + 2 * np.pi / 2.3)
    # the angle is the weighted sum of the unshaped angles
    at = 21.7
    angle = sum(
        a * 2 * np.arctan2(SLEW.at(at - s)[3], SLEW.at(at - s)[0])
        for s, a in zip(shaped.times, shaped.amplitudes, strict=True)
    )
    assert 2 * np.arctan2(shaped.at(at)[3], shaped.at(at)[0]) == pytest.approx(angle, abs=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "zvx"}, "zvx"),
        ({"vibration_modes": []}, "one vibration mode or more"),
        ({"vibration_modes": [(1.0, 1.0)]}, "damping ratio must be below 1; got 1"),
        ({"vibration_modes": [(0.0, 0.1)]}, "frequency must be greater than 0"),
        ({"vibration_modes": [1.0]}, "its frequency in rad/s and its damping ratio"),
        ({"vibration_modes": [(40.0, 0.0)], "sample": 0.1}, "above half the sampling frequency"),
        ({"tolerance": 0.7}, "tolerance must be below 0.5; got 0.7"),
        ({"reference": controllers.FixedReference()}, "an EigenaxisSlew or SpinUp; got FixedReference"),
    ],
)
def test_shaped_reference_refuses(change, message):
    arguments = {"reference": SLEW, "vibration_modes": [(1.0, 0.0)], **change}
    with pytest.raises(InputError, match=message):
        controllers.ShapedReference(arguments.pop("reference"), arguments.pop("vibration_modes"), **arguments)


def _after_slew(law, craft, reference):
    """Rate about z after the shaped motion has ended, rad/s."""
    from polhode import sim

    run = sim.simulate(craft, law, reference=reference, duration=60.0, integrator="rk4", step=0.05, output_step=0.1)
    return np.abs(run.values("rate")[run.t > 45.0, 2]).max()


def test_shaper_on_samples_leaves_loop_mode_at_rest_at_equal_margins():
    """A loop of damping ratio 0.05: the sampled reference has an exact zero at its pole, whatever the period."""
    from polhode import plant

    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    model = craft.linearize(craft.at_rest())
    law = controllers.pole_placement(model, poles=[-0.03 + 0.6j, -0.03 - 0.6j] * 3, sample=0.1)
    slew = controllers.EigenaxisSlew(
        (1, 0, 0, 0), (0.995004165278026, 0, 0, 0.0998334166468282), acceleration_limit=0.01
    )
    pole = np.log(law.loop().poles()) / 0.1
    pole = pole[np.argmin(abs(abs(pole) - 0.6))]
    modes = [(abs(pole), -pole.real / abs(pole))]
    before = law.margins().to_dict()
    left = dict.fromkeys((None, "zv"))
    for kind in left:
        shaped = slew if kind is None else controllers.ShapedReference(slew, modes, kind=kind, sample=0.1)
        left[kind] = _after_slew(law, craft, shaped)
    assert left["zv"] < 1e-6 * left[None]
    assert law.margins().to_dict() == before
