"""Time at every kind of limit, under commands whose time is known in closed form."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.scenarios.report.metrics import measure
from polhode.sim.results.limit_times import command_limit_times, rate_excess

AXES = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]) / np.sqrt(3.0)
BODY = plant.RigidBody((10.0, 10.0, 10.0))
WHEELS = plant.wheel_array(AXES, inertia=0.05, torque_limit=0.2)
REACH = controllers.WheelAllocation(AXES, limit=0.2).envelope
SIDES = [(side, way) for side in (1, -1) for way in (1, -1)]
PUSHES = [
    *[((0, side, 0), (0, 0, way)) for side, way in SIDES],  # at y, along z
    *[((side, 0, 0), (0, way, 0)) for side, way in SIDES],
    *[((0, 0, side), (way, 0, 0)) for side, way in SIDES],
]
THRUSTERS = controllers.ThrusterAllocation(*zip(*PUSHES, strict=True), limit=0.1)
PULSE = 3.0  # s at full torque, of 10


def run_of(torques, *, strong, elements=(), weak=0.01, **more):
    """Command `strong` times (1, 0.5, 0) for PULSE, then `weak` times it."""

    def command(t, y, r):
        return (strong if t < PULSE else weak) * np.array((1.0, 0.5, 0.0))

    law = controllers.CustomLaw(command, sample=0.5, compiled=False)
    craft = plant.Spacecraft(BODY, torques=torques, elements=elements)
    return sim.simulate(craft, law, duration=10.0, output_step=0.5, integrator="rk4", step=0.5, compiled=False, **more)


BASES = {
    "component": plant.TorqueBasis(limit=0.2),
    "one axis": plant.TorqueBasis(limit=(0.2, 5.0, 5.0)),
    "direction": plant.TorqueBasis(limit=0.2, keep_direction=True),
    "inertial": plant.TorqueBasis("inertial", limit=0.2),
    "wheel reach": plant.TorqueBasis(envelope=REACH),
    "thruster reach": plant.TorqueBasis(envelope=THRUSTERS.envelope),
}


@pytest.mark.parametrize("strong", [0.2, 5.0], ids=["exactly", "beyond"])
@pytest.mark.parametrize("kind", BASES)
def test_time_at_command_limit(kind, strong):
    basis = BASES[kind]
    if basis.envelope is not None and strong == 0.2:  # 0.2 N m is inside the envelope: use the maximum
        strong = 1.0 / float((basis.envelope @ (1.0, 0.5, 0.0)).max())
    run = run_of(basis, strong=strong)
    assert command_limit_times(run) == {"external": pytest.approx(PULSE)}
    assert measure(run, settling_band_deg=0.1)["time_at_command_limit_s"].value == pytest.approx(PULSE)
    below = run_of(
        basis, strong=0.99 * min(strong, 0.2 if basis.envelope is None else np.inf) if strong != 5.0 else 0.05
    )
    assert command_limit_times(below) == {"external": 0.0}


@pytest.mark.parametrize("envelope", [None, REACH], ids=["cut off", "keep direction"])
def test_time_at_torque_limit_of_a_motor(envelope):
    """Reduced to the envelope of the wheels, no motor exceeds its limit, and one is at it."""
    run = run_of(plant.TorqueBasis(internal=True, envelope=envelope), strong=5.0, elements=WHEELS)
    torque = run.values("motor_torque")
    assert np.abs(torque).max() == pytest.approx(0.2, rel=1e-12)
    at_limit = (np.abs(torque[:-1]) > 0.2 - 1e-12).sum(axis=0) * 0.5
    counted = [run.counters[f"wheel_{n}_at_torque_limit_s"] for n in (1, 2, 3, 4)]
    np.testing.assert_allclose(counted, at_limit)
    assert max(counted) == pytest.approx(PULSE)
    assert measure(run, settling_band_deg=0.1)["time_at_torque_limit_s"].value == pytest.approx(PULSE)
    at = int(np.argmax(at_limit)) + 1
    assert f"wheel {at} was at its torque limit of 0.2 N m for 3 of 10 s" in run.warnings


def test_limit_of_a_command_to_wheels_without_motor_limits():
    wheels = plant.wheel_array(AXES, inertia=0.05)
    run = run_of(plant.TorqueBasis(limit=0.1, internal=True), strong=5.0, elements=wheels)
    found = measure(run, settling_band_deg=0.1)
    assert found["time_at_torque_limit_s"].value is None
    assert found["time_at_command_limit_s"].value == pytest.approx(PULSE)


def run_of_modes():
    """Return a run whose command is at the limit of its first mode for 4 s."""

    def push(size):
        return controllers.CustomLaw(lambda t, y, r: (size, 0.0, 0.0), sample=0.5, compiled=False)

    way = controllers.Transition("high", controllers.Condition("elapsed", above=4.0))
    laws = controllers.Modes(
        [
            controllers.Mode("low", push(1.0), limit=0.1, transitions=way),
            controllers.Mode("high", push(0.5), final=True),
        ]
    )
    craft = plant.Spacecraft(BODY, torques=plant.TorqueBasis(limit=2.0))
    steps = {"duration": 10.0, "output_step": 0.5, "integrator": "rk4", "step": 0.5}
    return sim.simulate(craft, laws, blocks=[laws.block()], **steps, compiled=False)


def test_limit_of_a_mode_counts_while_it_is_in_force():
    run = run_of_modes()
    assert command_limit_times(run) == {"external": pytest.approx(4.0)}


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("name", ["component", "modes"])
def test_time_at_a_limit_is_that_of_all_pieces(name, size, monkeypatch):
    """A long run is read from its file in parts."""
    run = run_of(BASES["component"], strong=5.0) if name == "component" else run_of_modes()
    whole = command_limit_times(run)

    def pieces(self, quantity):
        values = self.values(quantity)
        yield from (values[n : n + size] for n in range(0, len(values), size))

    monkeypatch.setattr(type(run), "pieces", pieces)
    assert command_limit_times(run) == {key: pytest.approx(value) for key, value in whole.items()}
    assert whole["external"] > 0.0


def test_no_limit_and_no_law_have_no_time_at_a_limit():
    free = run_of(plant.TorqueBasis(), strong=5.0)
    assert command_limit_times(free) == {}
    found = measure(free, settling_band_deg=0.1)
    assert found["time_at_command_limit_s"].reason == "the case has no limit on a control torque"
    assert found["time_above_rate_limit_s"].reason == "no reference of the case has a rate limit"
    still = sim.simulate(plant.Spacecraft(BODY, torques=plant.TorqueBasis(limit=1.0)), duration=1.0, rate=(0.1, 0, 0))
    assert measure(still, settling_band_deg=0.1)["time_at_command_limit_s"].value is None
    assert still.warnings == ()


def slew(*, torque_limit, begin=0.0, **start):
    craft = plant.Spacecraft(plant.RigidBody((40.0, 30.0, 20.0)), torques=plant.TorqueBasis(limit=torque_limit))
    turned = (np.sqrt(0.75), 0.0, 0.0, 0.5)
    limits = {"rate_limit": np.radians(1.5), "acceleration_limit": np.radians(0.5)}
    path = controllers.EigenaxisSlew((1, 0, 0, 0), turned, begin=begin, **limits)
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.1)
    steps = {"output_step": 0.1, "integrator": "rk4", "step": 0.1}
    return path, sim.simulate(craft, law, reference=path, duration=90.0, **steps, **start)


def test_body_that_overshoots_the_rate_limit_of_its_path():
    """The path keeps 1.5 deg/s; the torque does not suffice for it, and the body catches up at 1.72 deg/s."""
    path, run = slew(torque_limit=0.1)
    planned = max(float(np.linalg.norm(path.at(t)[4:7])) for t in run.t)
    assert planned == pytest.approx(np.radians(1.5), rel=1e-12)
    rates = np.linalg.norm(run.values("rate"), axis=1)
    excess = rate_excess(run)
    assert excess is not None
    assert excess.peak == rates.max() > 1.1 * excess.limit
    assert excess.time == pytest.approx(0.1 * (rates > 1.01 * planned).sum())
    assert measure(run, settling_band_deg=0.1)["time_above_rate_limit_s"].value == excess.time
    (sentence,) = [each for each in run.warnings if "deg/s" in each]
    assert "of 90 s exceeded the rate limit of 1.5 deg/s" in sentence


def test_body_within_the_rate_limit_of_its_path():
    _, run = slew(torque_limit=1.0)
    excess = rate_excess(run)
    assert excess is not None
    assert excess.time == 0.0
    assert run.warnings == ()


def test_rate_before_the_path_begins_is_not_above_its_limit():
    """An initial rate of 1.72 deg/s is damped before the slew begins."""
    _, run = slew(torque_limit=1.0, begin=40.0, rate=(0.0, 0.03, 0.0))
    excess = rate_excess(run)
    assert excess is not None
    assert np.linalg.norm(run.values("rate")[0]) > 1.1 * excess.limit
    assert excess.time == 0.0
