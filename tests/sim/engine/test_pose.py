"""Singular poses of torque bases: located and reported; all results before them are kept."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.loads.torque.torque_kernels import pose_distance

OFFSET = np.array((0.003, 0.003, 0.008))  # m, of the mass centre from the geometric centre
DUAL = plant.TorqueBasis("dual-euler", "1-2-3")


@pytest.fixture(scope="module")
def mounted_body():
    """The spring-mounted body of Choi (2014), section 2.3, and its state with the rates of Case 1."""
    inertia = 1e-4 * np.array([[72, -0.532, -1.419], [-0.532, 72, -1.419], [-1.419, -1.419, 2.856]])
    springs = [
        plant.Spring(body_point=end - OFFSET, inertial_point=end - side, stiffness=0.1, natural_length=1.0, damping=0.1)
        for side in np.eye(3)[:2]
        for end in np.array([(0, 0, -0.15), (0, 0, 0.15)])
    ]
    craft = plant.Spacecraft(plant.RigidBody(inertia, mass=1.056), potentials=springs, translation=True)
    rate = (1.0, 10.0, 1.0)
    return craft, craft.state(rate=rate, position=OFFSET, velocity=np.cross(rate, OFFSET))


def pulse(basis=DUAL, components=(0, 0, 0.1)):
    return plant.TorquePulse(components, start=0.0, stop=20.0, basis=basis, euler_rate_damping=(0, 0, 0.01))


# The torque's own damping is stiff near the pose: its rate is d/(J c^2) = 1.4e6/s at c = 1e-3 and 1.4e8/s at 1e-4.
# Explicit steps of 4e-7 s are stable for the first; only dop853 reaches the second in a sensible number of steps.
@pytest.mark.parametrize(
    ("limit", "time", "scheme"),
    [
        (1e3, 0.161482399, {"integrator": "dop853", "rtol": 1e-12}),
        (1e4, 0.161588613, {"integrator": "dop853", "rtol": 1e-12}),
        (1e3, 0.161482399, {"integrator": "dop853", "rtol": 1e-9}),
        pytest.param(1e3, 0.161482399, {"integrator": "rk8", "step": 8e-7}, marks=pytest.mark.slow),
        pytest.param(1e3, 0.161482399, {"integrator": "rk4", "step": 4e-7}, marks=pytest.mark.slow),
    ],
    ids=lambda value: value["integrator"] if isinstance(value, dict) else f"{value:g}",
)
def test_body_driven_through_pose_of_dual_vector(mounted_body, scheme, limit, time):
    # Choi (2014), section 2.3.2 (Case 2) with the rates of Case 1: "around 0.161 s"
    craft, state = mounted_body
    run = sim.simulate(
        craft, state=state, torques=(pulse(),), duration=1.0, output_step=0.01, amplification_limit=limit, **scheme
    )
    assert run.status == "singular"
    # the reference times are printed to 9 decimals
    assert run.t[-1] == pytest.approx(time, abs=1e-9)
    assert pose_distance(0, 1, 2, *run.values("attitude")[-1]) == pytest.approx(1.0 / limit, rel=1e-6)
    assert run.counters["largest_amplification"] == pytest.approx(limit, rel=1e-6)
    # everything before is kept: the periodic rows and the last time
    np.testing.assert_allclose(run.t[:-1], 0.01 * np.arange(17), rtol=0, atol=1e-15)
    assert np.isfinite(run.states).all()
    for words in ("scheduled torque 1 of 1", "dual Euler basis", f"{limit:g} times", "t = 0.161"):
        assert words in run.reason
    assert run.warnings == ()


@pytest.mark.parametrize(("integrator", "step"), [("rk8", 1e-4), ("rk4", 2e-5)])
def test_fixed_steps_find_the_same_instant(mounted_body, integrator, step):
    craft, state = mounted_body
    more = {"state": state, "torques": (pulse(),), "duration": 1.0, "amplification_limit": 50.0, "output_times": [0.1]}
    fixed = sim.simulate(craft, integrator=integrator, step=step, **more)
    adaptive = sim.simulate(craft, rtol=1e-12, **more)
    assert fixed.status == adaptive.status == "singular"
    assert fixed.t[-1] == pytest.approx(adaptive.t[-1], abs=1e-9)


def test_compiled_and_plain_python_find_the_same_instant(mounted_body):
    craft, state = mounted_body
    more = {
        "state": state,
        "torques": (pulse(),),
        "duration": 0.3,
        "rtol": 1e-8,
        "output_times": [0.1],
        "amplification_limit": 50.0,
    }
    fast, slow = (sim.simulate(craft, compiled=compiled, **more) for compiled in (True, False))
    assert slow.status == fast.status == "singular"
    assert slow.t[-1] == pytest.approx(fast.t[-1], abs=1e-14)


def test_pose_event_is_absent_from_rest_under_same_torque(mounted_body):
    craft, _ = mounted_body  # as printed; the linear springs keep the body away from it
    run = sim.simulate(craft, position=OFFSET, torques=(pulse(),), duration=1.0, output_times=[1.0])
    assert run.status == "completed"
    assert run.counters["largest_amplification"] < 1.01


def tumble(basis, *, components, limit=1e4, angle=0.0, step=0.05, **more):
    """A body that rotates end over end at 1 rad/s, under a negligible torque.

    Its third axis comes within `angle` of the inertial first axis, that is of the pose of "1-2-3", at t = pi/2.
    """
    craft = plant.Spacecraft(plant.RigidBody((1e6, 1e6, 1e6)))
    weak = plant.TorquePulse(components, start=0.0, stop=100.0, basis=basis)
    rate = (0.0, np.cos(angle), np.sin(angle))
    return sim.simulate(
        craft, rate=rate, torques=(weak,), duration=3.0, amplification_limit=limit,
        **({"integrator": "rk8", "step": step} | more),
    )  # fmt: skip


@pytest.mark.parametrize("scheme", [{"step": 0.05}, {"step": 3.0}, {"integrator": "dop853", "step": None}])
def test_pass_within_one_step_is_found(scheme):
    # the body passes the pose at a2 = 90 deg, t = pi/2, exactly; at both ends of the coarse step c is 1
    run = tumble(DUAL, components=(1e-3, 0, 0), **scheme)
    assert run.status == "singular"
    # the weak torque does not move 1e6 kg m^2: 1e4-fold amplified for 1e-3 s. One step of 3 rad has its own error.
    assert run.t[-1] == pytest.approx(np.pi / 2 - 1e-4, abs=1e-9 if scheme["step"] != 3.0 else 1e-3)


@pytest.mark.parametrize("step", [0.05, 0.5])
def test_dip_below_limit_within_one_step_is_found(step):
    # it comes within `off` of the pose and moves away again: c falls below 0.02 for 0.035 s only
    off = 0.01
    run = tumble(DUAL, components=(1e-3, 0, 0), limit=50.0, angle=off, step=step)
    assert run.status == "singular"
    assert pose_distance(0, 1, 2, *run.values("attitude")[-1]) == pytest.approx(0.02, rel=1e-9)
    assert run.t[-1] < np.pi / 2


def test_near_pass_is_told():
    run = tumble(DUAL, components=(1e-3, 0, 0), limit=1e4, angle=0.01)
    assert run.status == "completed"
    (warning,) = run.warnings
    # 0.01 rad = 0.573 deg
    for words in ("dual Euler basis", "amplified 100 times", "t = 1.57", "0.573 deg"):
        assert words in warning
    assert run.counters["largest_amplification"] == pytest.approx(100.0, rel=1e-3)


def test_start_near_pose_is_told():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    angle = np.pi / 2 - 0.02
    run = sim.simulate(
        craft, attitude=(np.cos(0.5 * angle), 0, np.sin(0.5 * angle), 0), rate=(0, -1.0, 0),
        torques=(pulse(components=(1e-6, 0, 0)),), duration=1.0,
    )  # fmt: skip
    assert run.counters["largest_amplification"] == pytest.approx(50.0, rel=1e-3)
    assert "t = 0 s" in run.warnings[0]


@pytest.mark.parametrize("basis", [plant.TorqueBasis("euler", "1-2-3"), DUAL])
def test_passing_the_pose_with_the_second_vector_ends_nothing_but_is_told(basis):
    run = tumble(basis, components=(0, 1e-3, 0), angle=1e-3)
    assert run.status == "completed"
    (warning,) = run.warnings
    assert "stayed bounded" in warning
    assert "0.0573 deg" in warning


@pytest.mark.parametrize("components", [(1e-3, 0, 0), (0, 0, 1e-3)])
def test_first_and_third_vectors_of_the_euler_basis_pass_in_silence(components):
    run = tumble(plant.TorqueBasis("euler", "1-2-3"), components=components, angle=1e-3)
    assert run.status == "completed"
    assert run.warnings == ()
    assert run.counters["largest_amplification"] == 1.0


def test_torque_that_is_off_does_not_matter():
    craft = plant.Spacecraft(plant.RigidBody((1e6, 1e6, 1e6)))
    off = plant.TorquePulse((1.0, 0, 0), start=2.0, stop=3.0, basis=DUAL)  # the pose is at t = pi/2
    run = sim.simulate(craft, rate=(0, 1.0, 0), torques=(off,), duration=3.0, output_step=0.1)
    assert run.status == "completed"
    assert run.warnings == ()


def test_port_that_met_its_pose_is_named():
    # two ports: 3-2-3 is singular at the start, but that torque starts later; 1-2-3 reaches its pose at pi/2
    craft = plant.Spacecraft(plant.RigidBody((1e6, 1e6, 1e6)))
    torques = (
        plant.TorquePulse((1e-3, 0, 0), start=0.5, stop=9.0, basis=plant.TorqueBasis("dual-euler", "3-2-3")),
        plant.TorquePulse((1e-3, 0, 0), start=0.0, stop=9.0, basis=DUAL),
    )
    for scheme in ({}, {"integrator": "rk8", "step": 2.0}):
        run = sim.simulate(craft, rate=(0, 1.0, 0), torques=torques, duration=3.0, output_step=1.0, **scheme)
        assert run.status == "singular"
        assert "scheduled torque 2 of 2" in run.reason


def test_torque_switched_on_at_its_pose_ends_run_there():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    half = np.sqrt(0.5)
    late = plant.TorquePulse((1.0, 0, 0), start=0.5, stop=1.0, basis=DUAL)
    run = sim.simulate(craft, attitude=(half, 0, half, 0), torques=(late,), duration=2.0, output_times=[0.25, 1.5])
    assert run.status == "singular"
    np.testing.assert_array_equal(run.t, (0.25, 0.5))
    assert np.isfinite(run.states).all()


EULER = plant.TorqueBasis("euler", "1-2-3")


@pytest.mark.parametrize("basis", [EULER, DUAL])
@pytest.mark.parametrize("scheme", [{}, {"integrator": "rk4", "step": 0.01}])
def test_second_vector_has_no_direction_at_its_pose(basis, scheme):
    # started there the torque would drive the spacecraft back through the pose for ever, in steps of a nanosecond
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    half = np.sqrt(0.5)
    torque = plant.TorquePulse((0, 1.0, 0), start=0.0, stop=20.0, basis=basis)
    run = sim.simulate(craft, attitude=(half, 0, half, 0), torques=(torque,), duration=10.0, **scheme)
    assert (run.status, run.t[-1]) == ("singular", 0.0)
    for words in ("scheduled torque 1 of 1", "second vector is undefined", "a different sequence"):
        assert words in run.reason


@pytest.mark.parametrize("scheme", [{}, {"integrator": "rk4", "step": 0.01}, {"integrator": "rk8", "step": 0.5}])
def test_torque_that_drives_craft_to_its_pose_ends_there(scheme):
    # a2 = t^2/4 about the axis of 2 kg m^2: pi/2 at sqrt(2 pi)
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    torque = plant.TorquePulse((0, 1.0, 0), start=0.0, stop=20.0, basis=EULER)
    run = sim.simulate(craft, torques=(torque,), duration=10.0, output_times=[1.0], **scheme)
    assert run.status == "singular"
    assert run.t[-1] == pytest.approx(np.sqrt(2 * np.pi), abs=1e-6)
    assert run.warnings == ()
