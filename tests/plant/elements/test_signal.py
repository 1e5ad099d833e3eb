"""Output signals of elements of any kind, accessed uniformly."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.elements.assembly import add_signal, relative_rate
from polhode.plant.elements.signal import element_labels, element_signal_table
from polhode.plant.elements.wheel import wheel
from polhode.plant.hub.element_calls import SIGNALS

AXES = np.array([(1.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, 1.0), (1.0, -1.0, 1.0)])


def slewing(**limits):
    """Run of a spacecraft with four wheels that removes an attitude error of 30 degrees."""
    wheels = plant.wheel_array(AXES, inertia=0.02, relative_rates=(20, -20, 20, -20), **limits)
    basis = plant.TorqueBasis(internal=True)
    craft = plant.Spacecraft(plant.RigidBody((60.0, 50.0, 40.0)), torques=basis, elements=wheels)
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.9, sample=0.1)
    turn = np.radians(15.0)
    return sim.simulate(craft, law, attitude=(np.cos(turn), np.sin(turn), 0, 0), duration=60.0, output_step=0.1)


def test_element_labels_match_coordinate_names():
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, friction=0.2)
    wheels = [plant.Wheel(axis=axis, inertia=0.1) for axis in np.eye(3)[:2]]
    assert element_labels([wheels[0], ring, wheels[1]]) == ("wheel_1", "ring", "wheel_2")
    assert element_signal_table([*wheels, ring]) == ()  # no motors


def test_motor_torque_signals_add_up_to_hub_torque():
    run = slewing()
    assert run.components("motor_torque") == (("wheel_1", "wheel_2", "wheel_3", "wheel_4"), "N m")
    np.testing.assert_array_equal(run.values("motor_torque"), run.values("motor_demand"))  # no limits
    np.testing.assert_allclose(run.values("hub_torque"), run.values("command"), rtol=0, atol=1e-15)
    assert not {"at_torque_limit", "at_speed_limit"} & {*run.names}
    assert not run.values("torque").any()  # no external torque


def test_motor_torque_signal_matches_wheel_momentum_change():
    # p' is the motor torque of a wheel without friction, constant between samples
    run = slewing(torque_limit=0.01)
    given = np.diff(run.values("internal_momentum"), axis=0) / np.diff(run.t)[:, None]
    np.testing.assert_allclose(run.values("motor_torque")[:-1], given, rtol=0, atol=1e-9)
    assert np.abs(run.values("motor_torque")).max() == 0.01
    assert np.abs(run.values("motor_demand")).max() > 0.05
    assert run.counters["wheel_1_motor_torque_peak"] == 0.01
    # the time at the limit, accumulated at every step, matches the recorded rows, one per sample
    flags = run.values("at_torque_limit")
    np.testing.assert_array_equal(flags, np.abs(run.values("motor_demand")) > 0.01)
    for n in range(4):
        assert run.counters[f"wheel_{n + 1}_at_torque_limit_s"] == pytest.approx(flags[:-1, n].sum() * 0.1)
    effort = (run.values("motor_torque")[:-1, 0] ** 2).sum() * 0.1
    assert run.counters["wheel_1_motor_torque_square_integral"] == pytest.approx(effort, rel=1e-12)
    assert any("wheel 1 was at its torque limit of 0.01 N m" in warning for warning in run.warnings)


def test_element_signals_are_recorded_as_labelled_arrays():
    run = slewing(torque_limit=0.01, speed_limit=40.0)
    array = run["motor_torque"]
    assert array.dims[0] == "time"
    assert array.attrs["units"] == "N m"
    assert list(array.coords[array.dims[1]].values) == ["wheel_1", "wheel_2", "wheel_3", "wheel_4"]
    assert {"motor_torque", "motor_demand", "at_speed_limit", "hub_torque"} <= {*run.to_dataset().data_vars}
    with pytest.raises(plant.InputError, match="needs elements with motor signals"):
        sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0).values("hub_torque")


def test_element_signals_compiled_and_plain_agree():
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.5, motor_torque=2.0, torque_limit=0.4, speed_limit=2.0)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 4.0, 2.0)), elements=[wheel])
    fast, slow = (sim.simulate(craft, duration=3.0, output_step=0.5, compiled=compiled) for compiled in (True, False))
    for name in ("motor_torque", "motor_demand", "at_torque_limit", "at_speed_limit"):
        np.testing.assert_allclose(slow.values(name), fast.values(name), rtol=0, atol=1e-12)
    for name, value in fast.counters.items():
        assert slow.counters[name] == pytest.approx(value, rel=1e-9, abs=1e-12)


def reporting_wheel(phase, t, x, u, p, row, w):
    """Kernel of a wheel with a signal of twice its rate."""
    wheel(phase, t, x, u, p, row, w)
    if phase == SIGNALS:
        add_signal(p, w, 2.0 * relative_rate(p, w, int(p[row + 2])))


class ReportingWheel(plant.Wheel):
    """User-defined kind of wheel."""

    @property
    def kernel(self):
        return reporting_wheel

    @property
    def signals(self):
        return (plant.Signal(name="twice_the_rate", unit="rad/s", words="twice its rate"),)


def test_user_defined_element_signals_are_recorded():
    elements = [
        plant.Wheel(axis=(1, 0, 0), inertia=0.1),
        ReportingWheel(axis=(0, 0, 1), inertia=0.1, relative_rate=3.0),
    ]
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), elements=elements)
    run = sim.simulate(craft, rate=(0.1, 0.2, 0.3), duration=1.0, output_step=0.5, compiled=False)
    assert run.components("twice_the_rate") == (("wheel_2",), "rad/s")
    np.testing.assert_allclose(run.values("twice_the_rate")[:, 0], 2.0 * run.values("internal_rate")[:, 1], rtol=1e-14)
    assert run.counters["wheel_2_twice_the_rate_peak"] >= 6.0
    assert run["twice_the_rate"].attrs == {"units": "rad/s", "long_name": "twice its rate"}
    assert "hub_torque" not in run.names  # it does not act on the hub
