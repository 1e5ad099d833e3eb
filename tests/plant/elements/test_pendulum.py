"""Pendulums: closed forms on pivoted, free and thrusting hubs."""

import numpy as np
import pytest
from scipy.special import ellipk

from polhode import plant, sim

BOB = {"hinge": (0, 0, 0.2), "length": 0.5, "mass": 0.4, "direction": (0, 0, -1)}
HEAVY = plant.RigidBody((1e12, 1e12, 1e12), pivot=(0, 0, 0))  # practically fixed, to 1e-12


def on_a_wall(gravity=True, **changes) -> plant.Spacecraft:
    potentials = [plant.UniformGravity((0, 0, -9.81))] if gravity else []
    return plant.Spacecraft(HEAVY, elements=[plant.Pendulum(**{**BOB, **changes})], potentials=potentials)


@pytest.mark.parametrize("start", [0.1, 1.5, 3.0])
def test_planar_pendulum_period_matches_elliptic_integral(start):
    period = 4.0 * np.sqrt(0.5 / 9.81) * ellipk(np.sin(start / 2) ** 2)
    craft = on_a_wall(axis=(1, 0, 0), angle=start)
    run = sim.simulate(craft, duration=period, output_times=[0.5 * period, period], rtol=1e-13)
    np.testing.assert_allclose(run.states[:, 7], (-start, start), rtol=0, atol=1e-9)


def test_conical_pendulum_rotates_steadily():
    """cos a = g / (l W^2): constant height, a full revolution in 2 pi / W."""
    a = 0.6
    turn = np.sqrt(9.81 / 0.5 / np.cos(a))
    # angles are measured in the frame i, j with i x j = n = -z: i = x, j = -y; start along i, move along j
    craft = on_a_wall(angle=(a, 0.0), rate=(0.0, turn * np.sin(a)))
    run = sim.simulate(craft, duration=2 * np.pi / turn, output_step=np.pi / turn / 8, rtol=1e-13)
    q = run.states[:, 7:9]
    np.testing.assert_allclose(np.cos(q[:, 0]) * np.cos(q[:, 1]), np.cos(a), rtol=0, atol=1e-10)
    side = np.array([np.sin(q[:, 0]) * np.cos(q[:, 1]), np.sin(q[:, 1])])
    circle = np.sin(a) * np.array([np.cos(turn * run.t), np.sin(turn * run.t)])
    np.testing.assert_allclose(side, circle, rtol=0, atol=1e-9)


def test_pendulum_hinge_stiffness_represents_acceleration():
    """k = m l A has the same equation of motion as gravity A, on a fixed hub."""
    with_spring = on_a_wall(gravity=False, axis=(1, 0, 0), angle=1.0, stiffness=0.4 * 0.5 * 9.81)
    with_gravity = on_a_wall(axis=(1, 0, 0), angle=1.0)
    ends = [
        sim.simulate(craft, duration=3.0, output_times=[3.0], rtol=1e-13).states[0][7]
        for craft in (with_spring, with_gravity)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_spherical_pendulum_damped_oscillation_matches_closed_form():
    craft = on_a_wall(gravity=False, angle=(1e-5, -2e-5), stiffness=0.3, damping=0.02)
    run = sim.simulate(craft, duration=10.0, output_times=[10.0], rtol=1e-13)
    mass = 0.4 * 0.25
    fade, w = 0.01 / mass, np.sqrt(0.3 / mass - (0.01 / mass) ** 2)
    left = np.exp(-10 * fade) * (np.cos(10 * w) + fade / w * np.sin(10 * w))
    np.testing.assert_allclose(run.states[0][7:9], (1e-5 * left, -2e-5 * left), rtol=0, atol=1e-14)


def test_uniform_gravity_does_not_excite_pendulum_of_free_craft():
    pendulum = plant.Pendulum(**BOB, angle=(0.4, 0.2), rate=(0.3, -0.5), damping=0.01)
    body = plant.RigidBody((3.0, 2.5, 2.0), mass=5.0)
    falls = plant.Spacecraft(
        body, elements=[pendulum], potentials=[plant.UniformGravity((3, 0, -9.81))], translation=True
    )
    floats = plant.Spacecraft(body, elements=[pendulum])
    rate = (0.3, 0.2, -0.1)
    computed = falls.derivative(0.0, falls.spinning(rate))
    np.testing.assert_array_equal(computed[:11], floats.derivative(0.0, floats.spinning(rate)))
    np.testing.assert_allclose(computed[14:17], 5.4 * np.array((3, 0, -9.81)), rtol=1e-14)


def thrusting(translation: bool, force=6.0) -> plant.Spacecraft:
    """Thrust along body z through the hub's mass centre."""

    def engine(t, e, omega, c, v):
        return (
            0.0, 0.0, 0.0,
            2 * force * (e[1] * e[3] + e[0] * e[2]),
            2 * force * (e[2] * e[3] - e[0] * e[1]),
            force * (e[0] ** 2 - e[1] ** 2 - e[2] ** 2 + e[3] ** 2),
        )  # fmt: skip

    return plant.Spacecraft(
        plant.RigidBody((3.0, 3.0, 2.0), mass=5.0),
        elements=[plant.Pendulum(**BOB)],
        user_forces=[plant.UserForce(engine)],
        translation=translation,
    )


def test_thrust_excites_pendulum_at_hand_derived_frequency():
    """Reference: hub and bob in the plane under an axial thrust F, derived in the frame accelerated by A = F/(M
    + m).

    Coordinates y (lateral position of the hub), q (pitch), s (swing); the hinge is at b above the hub's mass centre.
    """
    F, M, m, b, length, J = 6.0, 5.0, 0.4, 0.2, 0.5, 3.0
    A, z = F / (M + m), b - length  # z: the bob's height at rest
    # the bob is at y - z q + length s; it is higher by (length (q + s)^2 - b q^2)/2
    mass = np.array([
        [M + m, -m * z, m * length],
        [-m * z, J + m * z**2, -m * z * length],
        [m * length, -m * z * length, m * length**2],
    ])  # fmt: skip
    stiffness = m * A * np.array([[0, 0, 0], [0, -z, length], [0, length, length]])
    # thrust rotated by q has the lateral component -F q, which has no potential in this frame
    stiffness[0, 1] = F
    expected = np.linalg.eigvals(np.linalg.solve(mass, -stiffness))
    w2 = -expected.real.min()
    craft = thrusting(False)
    values = craft.linearize(craft.at_rest()).eigenvalues()
    assert values.imag.max() == pytest.approx(np.sqrt(w2), rel=1e-9)
    assert np.sum(np.abs(values.imag - np.sqrt(w2)) < 1e-9) == 2  # in both planes


def test_thrust_on_pendulum_craft_balances_energy_and_momentum():
    craft = thrusting(True)
    x = craft.state(rate=(0.3, 0.2, 0.1), internal=(0.4, -0.3), internal_rate=(1.0, 0.5), velocity=(0.1, 0, 0.2))
    run = sim.simulate(craft, state=x, duration=5.0, rtol=1e-13, output_step=0.5)
    n = craft.layout.size
    energies = np.array([craft.energy(row[:n]) for row in run.states])
    np.testing.assert_allclose(energies - energies[0], run.states[:, -4], rtol=0, atol=1e-11 * energies.max())
    assert np.ptp(energies) > 1.0
    momentum = np.array([craft.inertial_momentum(row[:n]) for row in run.states])
    np.testing.assert_allclose(momentum - momentum[0], run.states[:, -3:], rtol=0, atol=1e-11)
    slow = sim.simulate(craft, state=x, duration=0.2, integrator="rk4", step=0.02, output_times=[0.2], compiled=False)
    fast = sim.simulate(craft, state=x, duration=0.2, integrator="rk4", step=0.02, output_times=[0.2])
    np.testing.assert_allclose(fast.states, slow.states, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"length": 0.0}, "length of pendulum must be greater than 0"),
        ({"mass": -1.0}, "mass of pendulum must be greater than 0"),
        ({"damping": -1.0}, "damping of pendulum must not be negative"),
        ({"stiffness": -1.0}, "stiffness of pendulum must not be negative"),
        ({"axis": (0, 1, 1)}, "at right angles to its direction; their cosine is -0.707"),
        ({"angle": (0.0, np.pi / 2)}, "must start within 90 degrees, where its cross joint locks; got 90"),
        ({"angle": (0.0, 0.1, 0.2)}, "angle of pendulum must be 2 numbers"),
        ({"axis": (1, 0, 0), "rate": (0.1, 0.2)}, "rate of pendulum must be 1 numbers"),
        ({"direction": (0, 0, 0)}, "direction of pendulum must have a direction"),
    ],
)
def test_pendulum_rejects_bad_input(change, message):
    with pytest.raises(plant.InputError, match=message):
        plant.Pendulum(**{**BOB, **change})
