"""Every metric against a motion with a result in closed form, and requirements on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from math import radians
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.scenarios import run_case
from polhode.scenarios.case.schema import RequireTable
from polhode.scenarios.report.metrics import METRICS, measure
from polhode.scenarios.report.metrics.attitude import settling_time
from polhode.scenarios.report.metrics.kind import MetricKind
from polhode.scenarios.report.metrics.kinds import FILES
from polhode.scenarios.report.requirements import judge


@dataclass(eq=False)  # like a run, equal only to itself
class StandIn:
    """What the metrics read of a run."""

    t: Any
    table: dict[str, Any]
    reference: Any = None
    law: Any = None
    status: str = "completed"
    warnings: tuple[str, ...] = ()
    counters: dict[str, float] = field(default_factory=dict)
    signals: tuple[Any, ...] = ()
    blocks: tuple[Any, ...] = ()
    craft: Any = field(default_factory=lambda: plant.Spacecraft(plant.RigidBody((3, 2, 1))))
    ledger: bool = True
    recorded: Any = "rows of a stand-in"

    @property
    def names(self) -> tuple[str, ...]:
        """Available quantities; without a reference no attitude error."""
        hidden = {"attitude_error", "error_vector"} if self.reference is None else set[str]()
        return tuple(name for name in self.table if name not in hidden)

    def values(self, name: str) -> Any:
        return self.table[name]

    def pieces(self, name: str) -> Any:
        """Two rows at a time, as from a file."""
        return (self.table[name][row : row + 2] for row in range(0, len(self.t), 2))


def about_x(angle: Any) -> Any:
    """Attitudes rotated about the first axis, rad."""
    e = np.zeros((len(angle), 4))
    e[:, 0], e[:, 1] = np.cos(angle / 2), np.sin(angle / 2)
    return e


@pytest.fixture
def stand_in() -> Callable[..., StandIn]:
    """A decaying oscillation about x, 10 deg at first, with one command."""

    def make(angle_deg: Any = None, **changes: Any) -> StandIn:
        t = np.arange(0.0, 5.0)
        angle = np.radians(np.array([10.0, -4.0, 2.0, -0.05, 0.02]) if angle_deg is None else angle_deg)
        table = {
            "attitude": about_x(angle),
            "attitude_error": np.abs(angle),
            "error_vector": np.outer(angle, [1.0, 0.0, 0.0]),
            "rate": np.array([[0, 0, 0.0], [0.03, 0, 0.04], [0, 0, 0], [0, 0.01, 0], [0, 0, 0]]),
            "command": np.array([[1.0, -2.0, 0.0], [1.0, 0.0, 0.0], [0, 0, 0.5], [0, 0, 0], [0, 0, 9.0]]),
            "momentum": np.array([[0, 0, 0.0], [3, 0, 4], [0, 0, 0], [0, 1, 0], [0, 0, 0]]),
            "energy_balance": np.array([0.0, 1e-13, -8e-13, 0.0, 0.0]),
            "momentum_balance": np.array([[0, 0, 0.0], [3e-14, 0, 4e-14], [0, 0, 0], [0, 0, 0], [0, 0, 0]]),
        }
        law = controllers.RateDamping(gain=1.0, sample=0.1)
        run = StandIn(t, table, reference=controllers.FixedReference((1.0, 0.0, 0.0, 0.0)), law=law)
        for name, value in changes.items():
            if name in table:
                table[name] = value
            else:
                setattr(run, name, value)
        return run

    return make


def test_every_metric_by_hand(stand_in) -> None:
    values = {name: metric.value for name, metric in measure(stand_in(), settling_band_deg=0.1).items()}
    assert list(values) == sorted(METRICS)
    # the error falls from 2 to 0.05 deg between 2 s and 3 s and passes 0.1 deg at 2 + 1.9/1.95
    assert values["settling_time_s"] == pytest.approx(2.0 + 1.9 / 1.95, rel=1e-12)
    assert values["final_attitude_error_deg"] == pytest.approx(0.02, rel=1e-12)
    assert values["peak_attitude_error_deg"] == pytest.approx(10.0, rel=1e-12)
    assert values["overshoot_deg"] == pytest.approx(4.0, rel=1e-12)
    assert values["final_rate_deg_s"] == 0.0
    assert values["peak_rate_deg_s"] == pytest.approx(np.degrees(0.05), rel=1e-15)
    assert values["peak_torque_N_m"] == 9.0
    assert values["effort_N2_m2_s"] == 5.0 + 1.0 + 0.25  # the last command acts for no time
    assert values["energy_drift_relative"] == pytest.approx(8e-13 / 0.125, rel=1e-12)  # w.h / 2 is largest at 1 s
    assert values["momentum_drift_relative"] == pytest.approx(1e-14, rel=1e-12)
    assert values["quaternion_norm_error"] == pytest.approx(0.0, abs=3e-16)  # rounding of cos^2 + sin^2


def test_settling() -> None:
    t = np.array([0.0, 1.0, 2.0, 3.0])
    assert settling_time(t, np.array([0.0, 0.0, 0.0, 0.0]), 1.0) == 0.0
    assert settling_time(t, np.array([1.0, 1.0, 1.0, 1.0]), 1.0) == 0.0  # a value on the band is inside
    assert settling_time(t, np.array([3.0, 0.0, 3.0, 0.0]), 1.5) == 2.5  # it leaves the band again
    assert settling_time(t, np.array([3.0, 0.0, 0.0, 2.0]), 1.0) is None
    assert settling_time(t, np.array([3.0, 0.0, 0.0, np.nan]), 1.0) is None


def test_no_overshoot(stand_in) -> None:
    run = stand_in(np.array([10.0, 4.0, 2.0, 0.1, 0.0]))
    assert measure(run, settling_band_deg=0.1)["overshoot_deg"].value == 0.0


def test_motors_are_measured_by_what_was_counted_at_every_step(stand_in) -> None:
    run = stand_in(
        signals=tuple(
            (wheel, plant.Signal(name=name, unit="N m", words=""))
            for wheel in ("wheel_1", "wheel_2")
            for name in ("motor_torque", "at_speed_limit")
        ),
        counters={
            "wheel_1_motor_torque_peak": 0.2,
            "wheel_2_motor_torque_peak": 0.3,
            "wheel_1_motor_torque_square_integral": 1.0,
            "wheel_2_motor_torque_square_integral": 2.0,
            "wheel_1_at_speed_limit_s": 55.0,
            "wheel_2_at_speed_limit_s": 5.0,
        },
    )
    values = {name: metric.value for name, metric in measure(run, settling_band_deg=0.1).items()}
    assert values["peak_motor_torque_N_m"] == 0.3
    assert values["motor_effort_N2_m2_s"] == 3.0
    assert values["time_at_speed_limit_s"] == 55.0
    assert values["time_at_torque_limit_s"] is None


def test_times_at_limits_and_switches_of_modes_are_counted_from_the_rows() -> None:
    slew = run_case("slew-lqr", overrides=["run.output_s=0.1"])
    commands = np.abs(slew.run.values("command"))[:-1]
    at_limit = 0.1 * np.count_nonzero((commands >= 1.0).any(axis=1))
    assert slew.metrics["time_at_command_limit_s"].value == pytest.approx(at_limit)
    assert run_case("guided-slew").metrics["time_above_rate_limit_s"].value == 0.0
    assert run_case("acquisition").metrics["mode_switches_per_minute"].value == 1.0  # at 28 s and at 106 s


@pytest.mark.parametrize(
    ("changes", "metric", "reason"),
    [
        ({"reference": None}, "settling_time_s", "the case has no [reference]"),
        ({"reference": None}, "final_attitude_error_deg", "the case has no [reference]"),
        ({"reference": None}, "overshoot_deg", "the case has no [reference]"),
        ({"law": None}, "peak_torque_N_m", "the case has no [controller]"),
        ({"law": None}, "effort_N2_m2_s", "the case has no [controller]"),
        ({"status": "singular"}, "settling_time_s", "the run ended early (singular)"),
        (
            {"attitude_error": np.full(5, radians(1.0))},
            "settling_time_s",
            "the attitude error is 1 deg at the end",
        ),
        ({"error_vector": np.zeros((5, 3))}, "overshoot_deg", "the run starts at the reference"),
        ({"momentum": np.zeros((5, 3))}, "momentum_drift_relative", "the angular momentum is zero"),
        ({"rate": np.zeros((5, 3))}, "energy_drift_relative", "the spacecraft never rotates"),
        ({}, "peak_wheel_rate_rad_s", "the case has no [[plant.elements]]"),
        ({}, "peak_motor_torque_N_m", "the case has no motor"),
        ({}, "time_at_speed_limit_s", "the case has no motor with a speed limit"),
        ({"rate": np.full((5, 3), np.nan)}, "peak_rate_deg_s", "the run is not finite"),
    ],
)
def test_metric_without_meaning_says_why(stand_in, changes: Any, metric: str, reason: str) -> None:
    found = measure(stand_in(**changes), settling_band_deg=0.1)[metric]
    assert found.value is None
    assert found.reason.startswith(reason)
    (verdict,) = judge([RequireTable(metric=metric, max=1e9)], {metric: found})
    assert not verdict.met
    assert verdict.reason.startswith(f"{metric} has no value: {reason}")


@pytest.mark.parametrize(
    ("bounds", "met", "reason"),
    [
        ({"max": 5.0}, True, ""),
        ({"max": 4.0}, True, ""),
        ({"max": 3.0}, False, "overshoot_deg is 4, above its maximum of 3"),
        ({"min": 4.5}, False, "overshoot_deg is 4, below its minimum of 4.5"),
        ({"min": 3.0, "max": 5.0}, True, ""),
    ],
)
def test_requirements(stand_in, bounds: dict[str, float], met: bool, reason: str) -> None:
    metrics = measure(stand_in(np.array([10.0, -4.0, 0.0, 0.0, 0.0])), settling_band_deg=0.1)
    metrics["overshoot_deg"] = type(metrics["overshoot_deg"])(4.0)
    (verdict,) = judge([RequireTable(metric="overshoot_deg", **bounds)], metrics)
    assert (verdict.met, verdict.reason) == (met, reason)


def test_peak_nutation_is_that_of_the_polhode() -> None:
    """With h = (0.2, 0, 2) in J = (1, 1.5, 2) energy and momentum leave h_y^2 = 0.12 where h_x passes zero."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=1e-9)
    craft = plant.Spacecraft(plant.RigidBody((1.0, 1.5, 2.0)), elements=[wheel])
    run = sim.simulate(craft, rate=(0.2, 0.0, 1.0), duration=20.0, output_step=0.005)
    found = measure(run, settling_band_deg=0.1)
    assert found["initial_nutation_deg"].value == pytest.approx(np.degrees(np.arctan(0.1)), rel=1e-8)
    assert found["peak_nutation_deg"].value == pytest.approx(np.degrees(np.arcsin(np.sqrt(0.12 / 4.04))), rel=1e-5)


def test_momentum_drifts_by_what_the_parts_hold() -> None:
    """Two wheels that cancel: the spacecraft has no total momentum, and 2 x 3 N m s as the scale of its loss."""
    wheels = [plant.Wheel(axis=(0, 0, 1), inertia=0.3, relative_rate=rate) for rate in (10.0, -10.0)]
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.5, 2.0)), elements=wheels)
    push = plant.TorquePulse((1e-3, 0.0, 0.0), start=0.0, stop=1.0)
    run = sim.simulate(craft, duration=2.0, torques=[push], integrator="rk4", step=0.1, output_step=0.5)
    assert run.largest_momentum == pytest.approx(6.0, rel=1e-3)
    off = float(np.linalg.norm(run.values("momentum_balance"), axis=1).max())
    drift = measure(run, settling_band_deg=0.1)["momentum_drift_relative"].value
    assert drift == pytest.approx(off / run.largest_momentum, rel=1e-12)
    still = sim.simulate(craft, duration=2.0, integrator="rk4", step=0.1, output_step=0.5)
    assert measure(still, settling_band_deg=0.1)["momentum_drift_relative"].value == 0.0


def test_no_metric_replaces_another_of_its_name():
    for name in FILES:
        for each in vars(import_module(f"polhode.scenarios.report.metrics.{name}")).values():
            assert not isinstance(each, MetricKind) or METRICS[each.name] is each
