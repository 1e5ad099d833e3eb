"""Metrics of guidance against closed forms and the energy of the spacecraft."""

from types import SimpleNamespace

import numpy as np
import pytest

from polhode.controllers import PointingCone
from polhode.scenarios.case_run import run_case
from polhode.scenarios.report.metrics import METRICS, MetricSettings
from polhode.scenarios.report.metrics.guidance import motor_work
from polhode.scenarios.report.metrics.kind import DoesNotApplyError, NoValueError

SETTINGS = MetricSettings(settling_band_deg=0.1, residual_from_s=None)


def turning(*cones):
    """A body that rotates about y at 0.1 rad/s for 20 s, rows every 0.25 s, like a run with a reference with cones."""
    t = np.linspace(0.0, 20.0, 81)
    values = {
        "attitude": np.column_stack((np.cos(0.05 * t), 0 * t, np.sin(0.05 * t), 0 * t)),
        "attitude_error": 0.01 * t,
    }
    reference = SimpleNamespace(cones=cones)
    return SimpleNamespace(t=t, values=values.__getitem__, names=tuple(values), reference=reference)


def test_violation_times_equal_closed_form():
    sun = PointingCone((0, 0, 1), (np.sin(1.0), 0, np.cos(1.0)), half_angle=0.3)
    moon = PointingCone((0, 0, 1), (np.sin(1.2), 0, np.cos(1.2)), half_angle=0.3)  # overlaps: counted once
    station = PointingCone((1, 0, 0), (1, 0, 0), half_angle=0.5, keep="in")
    run = turning(sun, moon, station)
    # z is within a cone from 0.7 to 1.5 rad, x outside its cone from 0.5 to 2.0 rad; 1e-4 rad from the edges
    assert METRICS["keep_out_violation_s"].measure(run, SETTINGS) == pytest.approx(8.0 - 2e-3, abs=1e-9)
    assert METRICS["keep_in_violation_s"].measure(run, SETTINGS) == pytest.approx(15.0 - 1e-3, abs=1e-9)
    with pytest.raises(DoesNotApplyError, match="no keep-in cone"):
        METRICS["keep_in_violation_s"].measure(turning(sun), SETTINGS)


def test_cone_passed_between_rows_is_a_violation():
    """Rows every 5 s, 0.5 rad apart; z crosses a cone of 0.1 rad about its position at 7.3 s."""
    fine = turning(PointingCone((0, 0, 1), (np.sin(0.73), 0, np.cos(0.73)), half_angle=0.1))
    rows = SimpleNamespace(t=fine.t[::20], values=lambda name: fine.values(name)[::20], reference=fine.reference)
    assert METRICS["keep_out_violation_s"].measure(rows, SETTINGS) == pytest.approx(2.0 - 2e-3, abs=1e-9)


def test_attitude_error_integral_equals_closed_form():
    value = METRICS["attitude_error_integral_deg_s"].measure(turning(), SETTINGS)
    assert value == pytest.approx(np.degrees(0.5 * 0.01 * 20.0**2), rel=1e-12)


def test_work_of_the_motors_is_the_change_of_energy():
    """No potential, no friction: the energy of the spacecraft changes by the work of its motors only."""
    run = run_case("four-wheel-pyramid").run
    work, energy = motor_work(run), run.values("energy")
    np.testing.assert_allclose(np.cumsum(work.sum(axis=1)), energy[1:] - energy[0], rtol=0, atol=1e-9)
    drawn = METRICS["wheel_energy_J"].measure(run, SETTINGS)
    assert drawn == pytest.approx(work[work > 0.0].sum(), rel=1e-12)
    assert drawn > 100.0 > abs(energy[-1] - energy[0])  # energy returned by braking is not credited


def test_wheel_energy_needs_a_row_for_each_sample():
    """Rows of 10 s overstated the energy by a third, since the torque of a row was held until the next."""
    run = run_case("four-wheel-pyramid", overrides=["run.output_s=10", "require=[]"]).run
    with pytest.raises(NoValueError, match=r"rows are 10 s apart.*set run\.output_s = 0\.1"):
        METRICS["wheel_energy_J"].measure(run, SETTINGS)
