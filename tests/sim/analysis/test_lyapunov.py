"""Lyapunov functions along runs: V falls at the rate of the theorem, but not under a wrong law."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

INERTIA = np.array([[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]])
START = {
    "attitude": plant.attitude.from_euler_angles(np.radians((60.0, -50.0, 80.0)), "3-2-1"),
    "rate": (0.02, 0.01, -0.03),
    "duration": 100.0,
    "output_step": 0.1,
}


@pytest.fixture(scope="module")
def craft():
    return plant.Spacecraft(plant.RigidBody(INERTIA))


def tuned(craft, sample=0.1, **more):
    return controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.4, sample=sample, **more)


def with_gains(stiffness, damping, *, sample=0.05, gyroscopic=True):
    return controllers.QuaternionFeedback(
        inertia=INERTIA, stiffness=stiffness, damping=damping, sample=sample, gyroscopic=gyroscopic
    )


def test_function_by_hand(craft):
    """Kp = 2 wn^2 J, Kd = 2 zeta wn J: V = |v|^2 / (4 wn^2) + 2 (1 - e0), V' = - (zeta / wn) |v|^2."""
    found = sim.lyapunov_function(tuned(craft))
    error, rate = np.array([0.6, 0.0, 0.8, 0.0]), np.array([0.01, -0.02, 0.03])
    assert found.value(error, rate) == pytest.approx(rate @ rate / 0.04 + 0.8, rel=1e-12)
    np.testing.assert_allclose(found.damping, 4.0 * np.eye(3), rtol=1e-10, atol=1e-10)


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "law",
    [
        lambda craft, h: tuned(craft, sample=h),
        lambda craft, h: with_gains(6.0, (40.0, 60.0, 30.0), sample=h),
        lambda craft, h: with_gains(6.0, 50.0, sample=h, gyroscopic=False),
        # P = Kp^-1 = a J + b, the third choice of Wie, Weiss & Arapostathis: no cancellation at rest
        lambda craft, h: with_gains(np.linalg.inv(2e-4 * INERTIA + 0.1 * np.eye(3)), 50.0, sample=h, gyroscopic=False),
        lambda craft, h: controllers.EnergyShaping(
            stiffness=(3.0, 4.0, 5.0), damping=50.0, inertia=INERTIA, sample=h
        ),
    ],
    ids=["multiple-of-J", "number", "number-uncancelled", "third-choice", "energy-shaping"],
)  # fmt: skip
def test_lyapunov_function_falls_by_the_damped_energy(craft, law):
    """V(0) - V(end) = integral of v' D v in the limit of fast sampling: the difference halves with the sampling
    period.
    """
    found = [sim.lyapunov_decrease(sim.simulate(craft, law(craft, h), **START)) for h in (0.1, 0.05, 0.025)]
    assert all(one.decreases() for one in found)
    assert found[-1].values[-1] < 0.01 * found[-1].values[0]
    rest = np.array([one.balance for one in found])
    np.testing.assert_allclose(rest[:-1] / rest[1:], 2.0, rtol=0.05)
    assert rest[-1] < 0.005


def test_following_a_moving_reference(craft):
    spin = controllers.SpinReference(attitude=(1.0, 0.0, 0.0, 0.0), rate=(0.0, 0.02, 0.01))
    found = [
        sim.lyapunov_decrease(sim.simulate(craft, tuned(craft, h), reference=spin, **START)) for h in (0.05, 0.025)
    ]
    assert all(one.decreases() for one in found)
    assert found[0].balance / found[1].balance == pytest.approx(2.0, rel=0.1)


def test_wrong_sign_is_caught(craft):
    law = tuned(craft)
    Kp, Kd = law.stiffness, law.damping

    def pushing(t, y, r):
        return -Kp @ y[4:7] * np.sign(y[3]) + Kd @ y[7:10]

    wrong = controllers.CustomLaw(pushing, sample=0.1, compiled=False)
    found = sim.lyapunov_decrease(sim.simulate(craft, wrong, **START), law)
    assert not found.decreases()
    assert found.largest_increase > 1.0


def test_slow_sampling_feeds_energy_in_and_is_seen(craft):
    """With wn h = 0.5 and hardly any damping the held torque dominates: the linear loop is unstable, and V rises."""
    law = controllers.QuaternionFeedback(
        inertia=INERTIA, stiffness=2 * 0.01 * INERTIA, damping=0.002 * INERTIA, sample=5
    )
    assert abs(law.closed_loop_poles(craft.linearize(craft.at_rest()))[0]) > 1.0
    found = sim.lyapunov_decrease(sim.simulate(craft, law, **START))
    assert not found.decreases()


def test_limits_are_counted():
    craft = plant.Spacecraft(plant.RigidBody(INERTIA), torques=plant.TorqueBasis("body", limit=1.0))
    found = sim.lyapunov_decrease(sim.simulate(craft, tuned(craft), **START)).to_dict()
    assert 0.1 < found["limited_share"] < 0.9
    assert found["start"] > found["end"] > 0.0


@pytest.mark.parametrize(
    ("law", "why"),
    [
        (with_gains((6.0, 4.0, 3.0), 50.0), "Kp\\^-1 J is not symmetric"),
        (with_gains(INERTIA, 50.0, gyroscopic=False), "not cancelled"),
        (with_gains(0.02 * INERTIA, [[50.0, 49.95, 0.0], [49.95, 50.0, 0.0], [0.0, 0.0, 0.1]]), "eigenvalue"),
    ],
)  # fmt: skip
def test_lyapunov_function_missing_names_the_condition(law, why):
    with pytest.raises(plant.DesignError, match=why):
        sim.lyapunov_function(law)


def test_uncancelled_and_moving_is_refused(craft):
    law = with_gains(6.0, 50.0, gyroscopic=False)
    spin = controllers.SpinReference(attitude=(1.0, 0.0, 0.0, 0.0), rate=(0.0, 0.02, 0.01))
    with pytest.raises(plant.DesignError, match="not cancelled"):
        sim.lyapunov_decrease(sim.simulate(craft, law, reference=spin, **START))


def test_other_laws_are_refused(craft):
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    with pytest.raises(plant.DesignError, match="LinearFeedback"):
        sim.lyapunov_function(law)
    with pytest.raises(plant.InputError, match="needs a law"):
        sim.lyapunov_decrease(sim.simulate(craft, duration=1.0))
