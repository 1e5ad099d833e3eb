"""A torque in the shape of a raised cosine: against its integral, in every basis, on every path through the engine."""

import numpy as np
import pytest

from polhode import plant, sim

SPHERE = plant.Spacecraft(plant.RigidBody((2.0, 2.0, 2.0)))
PEAK, START, STOP = 3.0, 0.5, 2.0


def pulse(**more):
    return plant.TorquePulse((0.0, PEAK, 0.0), start=START, stop=STOP, shape="raised-cosine", **more)


def rate_of_a_sphere(t):
    """int of half of 1 - cos over J."""
    since = np.clip(t, START, STOP) - START
    turning = 2.0 * np.pi / (STOP - START)
    return 0.5 * PEAK / 2.0 * (since - np.sin(turning * since) / turning)


@pytest.mark.parametrize(
    ("integrator", "off"), [("dop853", 3e-10), ("rk8", 1e-12), ("rk4", 7.5e-7)]
)  # the error bound of Simpson's rule
def test_sphere_turns_as_integral_says(integrator, off):
    step = None if integrator == "dop853" else 0.05
    run = sim.simulate(SPHERE, duration=3.0, torques=[pulse()], integrator=integrator, step=step, output_step=0.01)
    np.testing.assert_allclose(run.values("rate")[:, 1], rate_of_a_sphere(run.t), rtol=0, atol=off)
    assert run.values("rate")[-1, 1] == pytest.approx(PEAK * (STOP - START) / 2.0 / 2.0, abs=off)  # A T / 2 J
    assert np.abs(run.values("momentum_balance")[:, 1]).max() < off  # the impulse in the ledger, rotated with the body


def test_rows_show_the_torque_that_acts():
    run = sim.simulate(SPHERE, duration=3.0, torques=[pulse()], output_step=0.05)
    t = run.t
    size = np.where((t >= START) & (t < STOP), 0.5 * (1.0 - np.cos(2.0 * np.pi * (t - START) / (STOP - START))), 0.0)
    np.testing.assert_allclose(run.values("torque")[:, 1], PEAK * size, rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.inputs[:, 5] * run.inputs[:, 3], PEAK * size, rtol=0, atol=1e-14)


def test_shaped_torque_is_smooth_at_both_ends():
    rows = sim.simulate(SPHERE, duration=3.0, torques=[pulse()], output_step=1e-3).values("torque")[:, 1]
    steepest = PEAK * np.pi / (STOP - START)  # of the half of 1 - cos
    assert np.abs(np.diff(rows)).max() < steepest * 1e-3
    at_edges = sim.simulate(SPHERE, duration=3.0, torques=[pulse()], output_times=[START, STOP]).values("torque")[:, 1]
    np.testing.assert_allclose(at_edges, 0.0, rtol=0, atol=1e-15)


def test_shaped_torque_overlaps_and_may_act_at_the_start():
    early = plant.TorquePulse((1.0, 0.0, 0.0), start=-1.0, stop=1.0, shape="raised-cosine")
    along = plant.TorquePulse((0.5, 0.0, 0.0), start=0.0, stop=1.0)
    run = sim.simulate(SPHERE, duration=2.0, torques=[early, along], integrator="rk8", step=0.05)
    assert run.values("momentum")[-1, 0] == pytest.approx(0.5 + 0.5, abs=1e-12)  # of half of the remainder


@pytest.mark.slow
@pytest.mark.parametrize(
    "basis",
    [
        "body",
        "euler",
        pytest.param("inertial", marks=pytest.mark.slow),
        pytest.param("dual-euler", marks=pytest.mark.slow),
    ],
)
def test_every_basis_is_the_effort_of_the_same_torque(basis):
    """Against a user-defined effort, which is independent of the ports."""
    sequence = "1-2-3" if "euler" in basis else None
    axes = plant.TorqueBasis(basis, sequence)
    peak = np.array((0.2, -0.3, 0.4))

    def own(t, e, omega, c, v):
        size = 0.5 * (1.0 - np.cos(2.0 * np.pi * (t - 0.2) / 0.6)) if 0.2 <= t < 0.8 else 0.0
        return np.concatenate([axes.to_body(size * peak, e), np.zeros(3)])

    body = plant.RigidBody((4.0, 3.0, 2.0))
    shaped = plant.TorquePulse(peak, start=0.2, stop=0.8, basis=axes, shape="raised-cosine")
    pushed = plant.Spacecraft(body, user_forces=[plant.UserForce(own, breakpoints=(0.2, 0.8))])
    start = {
        "rate": (0.3, -0.2, 0.5),
        "attitude": (0.5, 0.5, 0.5, 0.5),
        "duration": 1.0,
        "integrator": "rk8",
        "step": 0.05,
        "compiled": False,
    }
    run = sim.simulate(plant.Spacecraft(body), torques=[shaped], **start)
    other = sim.simulate(pushed, **start)
    np.testing.assert_allclose(run.states[-1, :7], other.states[-1, :7], rtol=0, atol=1e-13)
    compiled = sim.simulate(plant.Spacecraft(body), torques=[shaped], **start | {"compiled": True})
    np.testing.assert_allclose(compiled.states, run.states, rtol=0, atol=1e-14)


def test_formulation_flies_it_too():
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)))
    given = {"rate": (0.3, -0.2, 0.5), "duration": 3.0, "torques": [pulse()]}
    run = sim.simulate(craft, formulation="hamilton-8", integrator="rk4", step=0.01, **given)
    other = sim.simulate(craft, **given)
    np.testing.assert_allclose(run.values("rate")[-1], other.values("rate")[-1], rtol=0, atol=1e-9)
