"""The case `spinner-precession`: pulses and impulse by the closed form, nutation, and its metric."""

import numpy as np
import pytest

from polhode import controllers, scenarios
from polhode.plant.attitude import rotation_matrix

RATE, J, TORQUE, ARC = 3.1, 300.0, 8.0, np.radians(40.0)
TARGET = np.array((0.0, 0.0, 1.0))


def test_case_precesses_as_its_comment_says():
    result = scenarios.run_case("spinner-precession")
    run = result.run
    h = np.array(run.values("inertial_momentum"))
    h /= np.linalg.norm(h, axis=1)[:, None]
    steps = np.diff((np.abs(run.values("command")[:, 0]) > 0.0).astype(int), prepend=0)
    first, last = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    made = controllers.SpinPrecession(torque=(TORQUE, 0, 0), axis=(0, 0, 1), arc=ARC, deadband=1e-3, sample=0.01)
    angle = np.arccos(h[0] @ TARGET)
    pulses = angle / made.precession(rate=RATE, momentum=J * RATE)
    assert len(first) == pytest.approx(pulses, abs=2.0)
    on = float(run.t[1] - run.t[0]) * (last - first).sum()
    assert result.metrics["external_impulse_N_m_s"].value == pytest.approx(TORQUE * on, rel=1e-9)
    assert result.metrics["external_impulse_N_m_s"].value == pytest.approx(TORQUE * ARC / RATE * pulses, rel=0.02)
    axis = np.array([rotation_matrix(e)[:, 2] for e in result.run.values("attitude")[::10]])
    nutation = np.arccos(np.minimum((axis * h[::10]).sum(axis=1), 1.0))
    # pulses move the momentum off the axis; these steps, whose phase advances by the nutation frequency over the
    # spin rate, add up to at most delta / sin(phase / 2), and the unequal moments make an ellipse of 7 %
    ratio = 1.0 + np.sqrt((300.0 - 210.0) * (300.0 - 220.0) / (210.0 * 220.0))
    bound = made.precession(rate=RATE, momentum=J * RATE) / np.sin(np.pi * (ratio - 1.0))
    assert 0.5 * bound < nutation.max() < 1.25 * bound
    error = np.degrees(np.arctan2(np.linalg.norm(np.cross(h[-1], TARGET)), h[-1] @ TARGET))
    assert result.metrics["final_spin_axis_error_deg"].value == pytest.approx(error, rel=1e-9)


def test_spin_axis_error_needs_a_spin():
    told = ['require=[{metric="final_spin_axis_error_deg",max=1.0}]', "run.duration_s=1.0"]
    metric = scenarios.run_case("slew-lqr", overrides=told).metrics["final_spin_axis_error_deg"]
    assert metric.value is None
