"""Electrical power of wheels: metrics in closed form, and keys of a wheel array."""

import pytest

from polhode import plant, sim
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.report.metrics import measure


def test_metrics_of_electrical_power():
    """A heavy hub; wheel 1 gains 4 J at 0.5 W/s, wheel 2 gives back 16 J; 3 W + 1.25 W/s t/2 passes 4 W at 1.6 s."""
    wheels = [
        plant.Wheel(axis=(0, 0, 1), inertia=0.5, motor_torque=0.5, motor_efficiency=0.8, standby_power=3.0,
                    rated_power=4.0),
        plant.Wheel(axis=(0, 0, 1), inertia=0.5, motor_torque=-0.5, relative_rate=10.0, motor_efficiency=0.8,
                    regeneration_efficiency=0.6),
    ]  # fmt: skip
    craft = plant.Spacecraft(plant.RigidBody((1e9, 1e9, 1e9)), elements=wheels)
    found = measure(sim.simulate(craft, duration=4.0, output_step=0.5, integrator="rk4", step=0.01))
    assert found["electrical_energy_J"].value == pytest.approx(3.0 * 4.0 + 4.0 / 0.8 - 0.6 * 16.0, rel=1e-7)
    assert found["peak_electrical_power_W"].value == pytest.approx(3.0 + 0.5 * 4.0 / 0.8, rel=1e-7)
    assert found["time_above_rated_power_s"].value == pytest.approx(2.4, abs=0.02)


def test_metrics_of_electrical_power_need_an_efficiency():
    craft = plant.Spacecraft(
        plant.RigidBody((3, 2, 1)), elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.5, torque_limit=1)]
    )
    found = measure(sim.simulate(craft, duration=1.0))
    assert found["electrical_energy_J"].reason == "the case has no motor with motor_efficiency"
    assert found["time_above_rated_power_s"].reason == "the case has no motor with rated_power_W"


def test_case_keys_reach_the_wheels(tmp_path):
    path = tmp_path / "power.toml"
    path.write_text(
        """title = "power"
[plant]
inertia_kg_m2 = [60.0, 50.0, 40.0]
[[plant.elements]]
kind = "wheel-array"
axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
inertia_kg_m2 = 0.02
motor_efficiency = 0.8
standby_power_W = 4.0
regeneration_efficiency = 0.5
rated_power_W = 30.0
[run]
duration_s = 1.0
""",
        encoding="utf-8",
    )
    wheels = build(load_case(path).case).craft.elements
    assert [(w.motor_efficiency, w.standby_power, w.regeneration_efficiency, w.rated_power) for w in wheels] == [
        (0.8, 4.0, 0.5, 30.0)
    ] * 3
