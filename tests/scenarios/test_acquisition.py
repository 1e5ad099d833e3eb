"""The case `acquisition` written in Python: bitwise equal."""

import numpy as np

from polhode import controllers, plant, scenarios, sim
from polhode.controllers import Condition, Mode, Modes, Transition, blocks, sensors
from polhode.controllers.sensing.estimators import MEKF
from polhode.plant.attitude import from_euler_angles

INERTIA = [[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]]
CORNERS = [(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)]
FACES = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
DEG = np.radians(1.0)


def attitude(*degrees):
    return from_euler_angles(np.radians(degrees), "3-2-1")


def sensed():
    """Gyro, sun cells, star tracker and the filter that starts from the tracker."""
    gyro = sensors.RateGyro.from_data_sheet(
        angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=0.05, bias_deg_h=2.0
    )
    cells = sensors.CoarseSunSensor.from_data_sheet(
        sun=(0, 0, 1), normals=[*FACES, *CORNERS], noise_percent=1.0, half_angle_deg=85.0
    )
    half = 0.70710678118654757
    tracker = sensors.StarTracker(
        noise=8.0 * DEG / 3600, roll_noise=60.0 * DEG / 3600, delay=0.2, rate_limit=0.5 * DEG,
        mounting=(half, 0, half, 0),
        exclusions=[sensors.ExclusionZone((0, 0, 1), 35 * DEG), sensors.ExclusionZone((0, 1, 0), 85 * DEG)],
    )  # fmt: skip
    each = [sensor.block(sample=0.1).as_monitor() for sensor in (gyro, cells, tracker)]
    mekf = MEKF(angle_random_walk=gyro.angle_random_walk, rate_random_walk=gyro.rate_random_walk, gate=0.9999).block(
        each[0], [(tracker, each[2])], bias_sigma=gyro.bias, name="mekf"
    )
    return [*each, mekf]


def laws(craft, target):
    model = craft.linearize(craft.state(attitude=target))
    return {
        "damping": controllers.RateDamping(gain=60.0, sample=0.1, torques=craft.torques),
        "sun": controllers.quaternion_feedback(craft, frequency=0.08, damping_ratio=0.9, sample=0.1),
        "fine": controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1),
    }


def test_case_is_same_written_in_python():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=1.0))
    target = attitude(-120.0, 0.0, 0.0)
    law = laws(craft, target)
    error = blocks.direction_attitude(reads="sun_cells", axis=(0, 0, 1), sample=0.1, writes="sun_attitude")
    before = [*sensed(), error]
    slow = Condition("rate", below=0.2 * DEG, release=0.4 * DEG, lasting=5.0)
    near = Condition("attitude_error", below=3.0 * DEG, release=5.0 * DEG, lasting=10.0)
    known = [Condition("estimate_valid", above=0.5), Condition("attitude_sigma", below=0.05 * DEG)]
    lost = Condition("attitude_sigma", above=0.2 * DEG, lasting=5.0)
    modes = Modes(
        [
            Mode(
                "damping", law["damping"], remap={"rate": "gyro"}, limit=1.0,
                transitions=Transition("sun", [slow, Condition("sun_cells.valid", above=0.5)]),
            ),
            Mode(
                "sun", law["sun"], remap={"rate": "gyro", "attitude": "sun_attitude"}, limit=1.0, dwell=20.0,
                blend_time=5.0,
                reference=controllers.FixedReference(),
                transitions=[Transition("fine", [near, *known]), Transition("damping", Condition("rate",
                above=6.0 * DEG))],
            ),
            Mode("fine", law["fine"], blend_time=5.0, transitions=Transition("sun", lost)),
        ]
    )  # fmt: skip
    # the Sun law uses the momentum: it receives that of the measured rate
    taken, given = blocks.split_body_momentum(INERTIA, sample=0.1), blocks.momentum_of_rate(INERTIA, sample=0.1)
    run = sim.simulate(
        craft, modes, blocks=[taken, *before, modes.block(before), given], attitude=attitude(70.0, 40.0, 150.0),
        rate=np.radians((3.0, -3.0, 2.6458)), reference=controllers.FixedReference(target), duration=600.0,
        integrator="rk4", step=0.05, output_step=0.5, seed=1,
    )  # fmt: skip
    wanted = scenarios.run_case("acquisition", overrides=["require=[]"]).run
    assert [each.mode for each in sim.mode_intervals(run)] == ["damping", "sun", "fine"]
    assert sim.mode_intervals(run) == sim.mode_intervals(wanted)
    np.testing.assert_array_equal(run.x, wanted.x)
    np.testing.assert_array_equal(run.values("command"), wanted.values("command"))
    # and it is right: at the end of the Sun mode its axis points to the Sun within the noise of the cells
    left = int(np.searchsorted(run.t, sim.mode_intervals(run)[2].start))
    e = run.values("attitude")[left]
    assert np.degrees(np.arccos(1.0 - 2.0 * (e[1] ** 2 + e[2] ** 2))) < 3.5
