"""Least and most between rows are those of the steps: they do not depend on how often rows are written."""

import numpy as np
import pytest

from polhode.sim.flexible import HubPulse, pulses_torque, residual_vibration, simulate_flexible

STEP = 2.5e-3


@pytest.fixture(scope="module")
def pulse():
    return pulses_torque([HubPulse(components=(0, 1, 0.3), start=0.0, stop=0.1)])


def runs(satellite, pulse, **others):
    given = {"torque": pulse, "rate": (0.1, 0.5, 0.1), "duration": 1.0, "step": STEP, **others}
    return [simulate_flexible(satellite(), output=output, **given) for output in (given["step"], 0.02, 0.1)]


@pytest.mark.parametrize("method", ["gauss4", "rk8"])
def test_rows_far_apart_tell_of_the_steps_between(satellite, pulse, method):
    given = {} if method == "gauss4" else {"method": method, "step": 1e-4, "duration": 0.2}
    fine, *coarser = runs(satellite, pulse, **given)
    for name in ("tip_deflection", "strain_energy"):
        values = fine.values(name)
        for run in coarser:
            low, high = run.values(f"{name}_lowest"), run.values(f"{name}_highest")
            assert low.shape == high.shape == run.values(name).shape
            ends = [int(np.abs(fine.t - t).argmin()) for t in run.t]
            scale = np.abs(values).max()
            for k in range(1, len(ends)):
                within = values[ends[k - 1] : ends[k] + 1]
                np.testing.assert_allclose(low[k], within.min(axis=0), rtol=0, atol=1e-9 * scale)
                np.testing.assert_allclose(high[k], within.max(axis=0), rtol=0, atol=1e-9 * scale)
    across = np.linalg.norm(fine.values("tip_deflection")[:, :, 1:], axis=2).max(axis=0)
    for run in coarser:
        assert run.values("tip_across_highest").max(axis=0) == pytest.approx(across, rel=1e-9)
        assert run["tip_across_highest"].dims == ("time", "arm")


def test_a_law_with_rows_less_often_than_samples(satellite):
    def law(t, e, rate):
        return (0.0, 0.5 * np.sign(np.sin(40.0 * t)), 0.0)

    fine, coarse = (
        simulate_flexible(satellite(), duration=0.4, law=law, sample=0.02, step=STEP, output=output)
        for output in (STEP, 0.1)
    )
    assert coarse.t.size < 7
    for name in ("tip_deflection_highest", "strain_energy_highest", "tip_swing"):
        np.testing.assert_allclose(coarse.values(name).max(axis=0), fine.values(name).max(axis=0), rtol=1e-9)
    np.testing.assert_allclose(
        coarse.values("tip_deflection_lowest").min(axis=0), fine.values("tip_deflection_lowest").min(axis=0), rtol=1e-9
    )


def test_residual_vibration_does_not_depend_on_the_rows(satellite, pulse):
    """40 Hz in rows 20 ms apart, and further apart than the slowest period: the rows alone would miss its height."""
    fine, *coarser = runs(satellite, pulse, duration=2.0)
    expected = residual_vibration(fine, after=0.2)
    period = 1.0 / float(fine.satellite.modes(count=7).hertz[0])
    tips = fine.values("tip_deflection")[:, :, 1:]
    rows = round(period / STEP)
    swings = [0.5 * np.ptp(tips[k : k + rows + 1], axis=0).max() for k in range(80, fine.t.size - rows)]
    assert expected.tip_deflection.max() == pytest.approx(max(swings), rel=0.02)  # sixteenths of a period, not steps
    for run in coarser:
        found = residual_vibration(run, after=0.2)
        assert found.tip_deflection == pytest.approx(expected.tip_deflection, rel=0.01)
        assert found.strain_energy == pytest.approx(expected.strain_energy, rel=1e-3)


def test_plain_python_notes_the_same(satellite, pulse):
    given = {"torque": pulse, "duration": 0.02, "step": 5e-3, "output": 0.02}
    one, other = (simulate_flexible(satellite(1), compiled=compiled, **given) for compiled in (True, False))
    np.testing.assert_allclose(one.highest, other.highest, rtol=1e-9, atol=1e-18)
    np.testing.assert_allclose(one.lowest, other.lowest, rtol=1e-9, atol=1e-18)
    np.testing.assert_allclose(one.swing, other.swing, rtol=1e-9, atol=1e-18)
