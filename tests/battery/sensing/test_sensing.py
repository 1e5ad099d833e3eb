"""Every sensor, every estimator and modes that depend on all of them, on every kind of spacecraft, in one run each."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Condition, Mode, Modes, Transition, blocks, sensors
from polhode.controllers.sensing.estimators import MEKF, USQUE, ComplementaryFilter

BODY = plant.RigidBody([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
CRAFTS = {
    "wheels": lambda: plant.Spacecraft(
        BODY, elements=plant.wheel_array(np.eye(3), inertia=0.05), torques=plant.TorqueBasis("body", internal=True)
    ),
    "wheel and modes": lambda: plant.Spacecraft(
        BODY,
        elements=[
            plant.Wheel(axis=(0, 0, 1), inertia=0.05, relative_rate=40.0),
            plant.FlexibleModes(frequencies=[3.0], damping_ratios=[0.02], rotation=[[0.9], [0.3], [-0.2]]),
        ],
    ),
    "wheel and ring": lambda: plant.Spacecraft(
        BODY,
        elements=[
            plant.Wheel(axis=(1, 0, 0), inertia=0.05, relative_rate=-30.0),
            plant.RingDamper(axis=(0, 0, 1), mass=0.8, radius=0.7, friction=0.2),
        ],
    ),
}
START = {"attitude": (0.9, 0.3, 0.3, 0.1), "rate": (0.02, -0.01, 0.015)}
CORNERS = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
SUN = (0.3, 0.2, 1.0)


def every_sensor(craft):
    """One of each, with all its options: outages, losses, delays, blind zones, words."""
    wheels = [name for name in craft.layout.coordinates if "wheel" in name][:1]
    return {
        "gyro": sensors.RateGyro(angle_random_walk=1e-5, rate_random_walk=1e-8, bias=1e-4, step=1e-7, loss=0.05),
        "star_tracker": sensors.StarTracker(
            noise=2e-5, roll_noise=2e-4, delay=0.2, field_noise=1e-5, field_roll_noise=1e-5, field_time=5.0,
            rate_limit=0.5,
            exclusions=[sensors.ExclusionZone(SUN, 0.2)], outages=[(1.0, 1.6)],
        ),
        "sun_cells": sensors.CoarseSunSensor(sun=SUN, normals=[*CORNERS, *np.eye(3), *-np.eye(3)], noise=0.01,
                                             half_angle=1.5),
        "sun_sensor": sensors.FineSunSensor(sun=SUN, noise=1e-3, half_angle=1.5, bias=1e-4, step=1e-5),
        "magnetometer": sensors.Magnetometer(field=(2e-5, -1e-5, 3e-5), noise=2e-8, bias=1e-8, step=1e-9, limit=6e-5),
        "horizon_sensor": sensors.HorizonSensor(nadir=(0.2, 0.1, 1.0), noise=1e-3, half_angle=1.4, radiance=1e-3,
                                                radiance_time=60.0),
        "tachometer": sensors.Tachometer(wheels=wheels, counts_per_revolution=24),
    }  # fmt: skip


KNOWS = {"attitude": START["attitude"], "attitude_sigma": 0.01, "bias_sigma": 1e-4}
LOST = {"bias_sigma": 1e-4}
ESTIMATORS = {
    "mekf": lambda *inputs: MEKF(1e-5, 1e-8, gate=0.9999).block(*inputs, **KNOWS),
    "mekf lost": lambda *inputs: MEKF(1e-5, 1e-8).block(*inputs, **LOST),
    "usque": lambda *inputs: USQUE(1e-5, 1e-8).block(*inputs, **KNOWS),
    "usque lost": lambda *inputs: USQUE(1e-5, 1e-8).block(*inputs, **LOST),
    "complementary": lambda *inputs: ComplementaryFilter(attitude_gain=0.1, bias_gain=1e-3).block(
        *inputs, attitude=START["attitude"]
    ),
    "complementary lost": lambda *inputs: ComplementaryFilter(attitude_gain=0.1).block(*inputs),
}
SEEING = ("star_tracker", "sun_sensor", "magnetometer", "horizon_sensor")


def before(craft, estimator):
    """The blocks of all sensors, the estimator on all measurements, and the Sun direction of the cells as an
    attitude.
    """
    every = every_sensor(craft)
    timed = {name: {"sample": 0.2 if name in SEEING else 0.1} for name in every}
    made = {name: sensor.block(**timed[name]).as_monitor() for name, sensor in every.items()}
    inputs = made["gyro"], [(every[name], made[name]) for name in SEEING]
    pointing = blocks.direction_attitude(reads="sun_cells", axis=(0, 0, 1), sample=0.1, writes="sun_attitude")
    return [*made.values(), ESTIMATORS[estimator](*inputs).as_monitor(), pointing.as_monitor()]


def modes_on(craft, blocks_before):
    """A cycle of modes, each of which waits for one signal of a block."""
    told = {name for block in blocks_before for name in block.writes}
    watched = [f"{name}.valid" for name in every_sensor(craft)] + ["gyro.x", "sun_cells.3", "tachometer.1"]
    written = ("attitude_sigma", "bias_sigma", "estimate_valid", "refused", "restarts", "nis.1", "nis.4")
    watched += [name for name in written if name in told or name.partition(".")[0] in told]
    watched += ["bias", "rate", "rate_error", "attitude_error", "time", "applied", "momentum"]
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.1)
    damping = controllers.RateDamping(gain=5.0, sample=0.1, torques=craft.torques)
    sees = [{"rate": "gyro"}, {"rate": "gyro", "attitude": "sun_attitude"}, {}, {"attitude": "star_tracker"}]
    found = []
    for n, name in enumerate(watched):
        after = f"mode {(n + 1) % len(watched)}"
        # the condition, or a tenth of a second more
        ways = [
            Transition(after, Condition(name, above=0.5)),
            Transition(after, [Condition("elapsed", above=0.1), Condition(name, below=1e9)]),
        ]
        found.append(
            Mode(
                f"mode {n}",
                law if n % 3 else damping,
                remap=sees[n % 4],
                transitions=ways,
                blend_time=0.1 * (n % 2),
                limit=2.0,
            )
        )
    return Modes(found)


PAIRS = [
    pytest.param(estimator, craft, marks=[pytest.mark.slow] * (n % len(CRAFTS) != m))
    for n, estimator in enumerate(ESTIMATORS)
    for m, craft in enumerate(CRAFTS)
]


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("estimator", "name"), PAIRS)
def test_compiled_is_plain_python(estimator, name):
    craft = CRAFTS[name]()
    made = before(craft, estimator)
    modes = modes_on(craft, made)
    settings = {"duration": 4.0, "integrator": "rk4", "step": 0.1, "output_step": 0.1, "seed": 5, **START}
    fast, slow = (
        sim.simulate(craft, modes, blocks=[*made, modes.block(made)], compiled=compiled, **settings)
        for compiled in (True, False)
    )
    assert fast.status == slow.status == "completed"
    assert len({each.mode for each in sim.mode_intervals(fast)}) > 15
    for quantity in fast.names:
        # the largest entries of the filters are variances of pi; the round-off of sines is multiplied by them
        size = max(1.0, float(np.abs(fast.values(quantity)).max()))
        off = float(np.abs(slow.values(quantity) - fast.values(quantity)).max())
        assert off < 1e-13 * size, (quantity, off)
