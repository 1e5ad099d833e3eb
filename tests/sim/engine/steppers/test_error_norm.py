"""Error norm of dop853: each part of a spacecraft separately, so that large values do not hide small ones."""

import numpy as np
import pytest

from polhode import plant, sim


def rates_at_the_end(speed, *, modes, **scheme):
    """Rate of a slow hub with a fast wheel, with a small vibration or without, after 10 s."""
    elements = [plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=speed)]
    if modes:
        mode = {"frequencies": (2.0,), "damping_ratios": (0.001,), "rotation": [[1.0], [0.0], [0.0]]}
        elements.append(plant.FlexibleModes(**mode, displacements=(1e-3,)))
    craft = plant.Spacecraft(plant.RigidBody((10.0, 12.0, 8.0), mass=500.0), elements=elements)
    run = sim.simulate(craft, rate=(1e-4, 1e-4, 0.0), duration=10.0, output_times=[10.0], **scheme)
    return run.values("rate")[-1], run.counters["steps"]


@pytest.mark.parametrize("modes", [False, True])
@pytest.mark.parametrize(("speed", "step"), [(1e3, 1e-3), (1e4, 2e-4)])
def test_fast_wheel_does_not_hide_hub(speed, step, modes):
    # |pi| is 1e5 to 1e6 times that of the hub: weighted by it, the rate had relative errors of 6e-5 and 8e-3
    found, _ = rates_at_the_end(speed, modes=modes)
    wanted, _ = rates_at_the_end(speed, modes=modes, integrator="rk8", step=step)
    assert np.linalg.norm(found - wanted) < 1e-6 * np.linalg.norm(wanted)


def test_growing_angle_takes_no_part():
    # the wheel has rotated by 1e7 rad, or not at all: the steps are the same
    steps = []
    for angle in (0.0, 1e7):
        wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=10.0, angle=angle)
        pendulum = plant.Pendulum(
            hinge=(0, 0, 1), length=0.5, mass=1.0, axis=(1, 0, 0), direction=(0, 0, 1), angle=0.1, stiffness=2.0
        )
        craft = plant.Spacecraft(plant.RigidBody((10.0, 12.0, 8.0), mass=500.0), elements=[wheel, pendulum])
        steps.append(sim.simulate(craft, rate=(0.01, 0.02, 0.1), duration=20.0, output_times=[20.0]).counters["steps"])
    assert steps[0] == steps[1]


def test_idle_wheel_beside_it_changes_nothing_for_pendulum():
    # each element has its own tolerance: a second element at rest does not dilute it
    def craft(*more):
        pendulum = plant.Pendulum(
            hinge=(0, 0, 1), length=0.5, mass=1.0, axis=(1, 0, 0), direction=(0, 0, 1), angle=0.5, stiffness=2.0
        )
        return plant.Spacecraft(plant.RigidBody((1e3, 1e3, 1e3), mass=500.0), elements=[pendulum, *more])

    idle = [plant.Wheel(axis=axis, inertia=1e-6) for axis in np.eye(3)]
    alone, beside = (sim.simulate(each, duration=50.0, output_times=[50.0]) for each in (craft(), craft(*idle)))
    assert alone.counters["steps"] == beside.counters["steps"]
