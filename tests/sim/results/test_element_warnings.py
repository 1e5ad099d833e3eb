"""Warnings about elements of a run, also of the part after its last row."""

from polhode import plant, sim


def test_time_at_a_limit_is_compared_with_the_end_of_the_run():
    """The motor is at 0.1 of 0.2 N m for all 10 s, although the rows end at 1 s."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.05, motor_torque=0.2, torque_limit=0.1)
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.5)), elements=[wheel])
    run = sim.simulate(craft, duration=10.0, output_times=[0.5, 1.0])
    assert run.t[-1] == 1.0
    assert run.end_time == 10.0
    assert "wheel was at its torque limit of 0.1 N m for 10 of 10 s" in run.warnings
