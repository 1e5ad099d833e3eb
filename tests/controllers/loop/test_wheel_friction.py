"""Friction of the wheels that give the torque, in the loop: compared with explicit rotors, integrated by scipy."""

from functools import cached_property

import numpy as np
import pytest
from scipy import integrate

from polhode import controllers, plant
from polhode.controllers.loop.acting_model import acting_model
from polhode.sim.analysis.overlay import overlay

J = np.array([[40.0, 1.0, -0.5], [1.0, 30.8, 0.7], [-0.5, 0.7, 20.0]])
AXES = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0]]) / np.sqrt(3.0)
INERTIA = 0.05
SAMPLE = 0.1
WEIGHTS = {"attitude": 25.0, "rate": 1.0, "effort": 1.0, "sample": SAMPLE}
TURN = np.array([1.0, -0.5, 1.0])
CASES = {
    "viscous, four wheels": (AXES, (100.0, 50.0, 20.0, -30.0), {"friction": 1e-3}),
    "viscous, three wheels": (np.eye(3), (100.0, 50.0, -20.0), {"friction": 1e-3}),
    "at rest": (AXES, (0.0,) * 4, {"friction": 1e-4, "coulomb": 1e-3}),
    "near zero": (AXES, (0.05, 0.02, -0.1, 0.01), {"coulomb": 1e-3}),
}


def craft_of(axes, speeds, *, allocation="pseudo-inverse", potentials=(), pivot=None, speed_limit=None, **friction):
    wheels = plant.wheel_array(
        axes, inertia=INERTIA, torque_limit=50.0, relative_rates=speeds, allocation=allocation,
        speed_limit=speed_limit, **friction,
    )  # fmt: skip
    body = plant.RigidBody(J, mass=10.0, pivot=pivot)
    return plant.Spacecraft(body, elements=wheels, potentials=potentials)


class Rotors:
    """A hub and its rotors as explicit equations: attitude as rotation vector, total momentum, axial momenta."""

    def __init__(self, axes, speeds, *, friction=0.0, coulomb=0.0):
        self.axes, self.friction, self.coulomb = axes, friction, coulomb
        p = INERTIA * np.array(speeds)
        self.held = self.drag(np.array(speeds))
        self.start = np.concatenate((np.zeros(3), axes.T @ p, p))

    def drag(self, rates):
        return self.friction * rates + self.coulomb * np.tanh(rates / 0.1)

    def rate(self, z):
        return np.linalg.solve(J, z[3:6] - self.axes.T @ z[6:])

    def slope(self, z, u, d):
        omega = self.rate(z)
        turning = omega + 0.5 * np.cross(z[:3], omega)  # of a small rotation vector
        relative = z[6:] / INERTIA - self.axes @ omega
        rotors = self.held - self.drag(relative) - np.linalg.pinv(self.axes.T) @ u
        return np.concatenate((turning, np.cross(z[3:6], omega) + d, rotors))

    def step(self, z, u, d=(0.0, 0.0, 0.0)):
        """Advance one sample under constant motor torques and external torque."""
        found = integrate.solve_ivp(
            lambda _, z: self.slope(z, u, np.array(d)), (0.0, SAMPLE), z, method="DOP853", rtol=1e-12, atol=1e-14
        )
        return found.y[:, -1]

    @cached_property
    def matrices(self):
        """Return F, G of a sample by central differences, and the map from z to attitude and rate."""
        n, off = len(self.start), 1e-6 if self.coulomb else 1e-4
        F = np.array(
            [self.step(self.start + d, np.zeros(3)) - self.step(self.start - d, np.zeros(3)) for d in off * np.eye(n)]
        )
        G = np.array([self.step(self.start, d) - self.step(self.start, -d) for d in off * np.eye(3)])
        C = np.vstack((np.eye(3, n), np.array([self.rate(d) for d in np.eye(n)]).T))
        return F.T / (2.0 * off), G.T / (2.0 * off), C


SLOW = {"viscous, three wheels", "at rest"}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW), id=name) for name in CASES]
)
def case(request):
    axes, speeds, friction = CASES[request.param]
    craft = craft_of(axes, speeds, **friction)
    model = craft.linearize(craft.at_rest())
    return craft, model, controllers.lqr(model, **WEIGHTS), Rotors(axes, speeds, **friction)


def test_friction_loop_poles_match_explicit_rotors(case):
    _, _, law, rotors = case
    F, G, C = rotors.matrices
    expected = np.linalg.eigvals(F + G @ law.compensator.D @ C)
    poles = law.closed_loop_poles()
    for pole in poles:
        assert np.abs(expected - pole).min() < 1e-8
    # further states are the total momentum, and wheels that turn against each other
    rest = list(expected)
    for pole in poles:
        rest.pop(int(np.argmin(np.abs(np.array(rest) - pole))))
    kept = np.sum(np.abs(np.array(rest) - 1.0) < 1e-6)
    assert kept == 3
    assert len(rest) - kept <= len(rotors.axes) - 3


def test_friction_loop_gain_matches_explicit_rotors(case):
    """The frequency response from command to command, by brute force, from far below friction to the fastest."""
    _, _, law, rotors = case
    F, G, C = rotors.matrices
    angles = np.geomspace(1e-4, 3.0, 40)
    expected = [-law.compensator.D @ C @ np.linalg.solve(np.exp(1j * a) * np.eye(len(F)) - F, G) for a in angles]
    found = law.loop().broken((0, 1, 2)).response(angles)
    sizes = np.abs(expected).max(axis=(1, 2), keepdims=True)
    np.testing.assert_allclose(found / sizes, expected / sizes, rtol=0, atol=2e-6)


def test_nonlinear_run_with_friction_follows_the_loop(case):
    craft, _, law, rotors = case
    size = 1e-8 if rotors.coulomb else 1e-6  # Coulomb friction is nonlinear within 0.1 rad/s of a wheel
    compared = overlay(craft, law, duration=30.0, error=size * TURN, rate=0.1 * size * TURN)
    assert compared.difference("error_vector") < 5e-6
    assert compared.difference("rate") < 5e-6


@pytest.mark.slow
def test_constant_external_torque_acts_through_friction(case):
    """Wheels absorb its momentum, and friction that grows with their rates turns the craft further and further."""
    craft, model, law, rotors = case
    found = controllers.disturbance_response(law.loop(), duration=20.0)
    size, state = 1e-8, rotors.start  # N m: with 1e-7 the nonlinearity of Coulomb friction is 2e-5 of the rotation
    D, C = law.compensator.D, rotors.matrices[2]
    for k in range(201):
        expected = (state - rotors.start)[:3] / size
        if k % 50 == 0:
            np.testing.assert_allclose(
                found.attitude[0, k], expected, rtol=0, atol=2e-5 * np.abs(found.attitude[0]).max()
            )
        state = rotors.step(state, D @ C @ (state - rotors.start), (size, 0.0, 0.0))
    assert np.isinf(found.final[0, 0])
    assert found.figures()[0]["final"] is None
    assert "drifts" in str(controllers.analyse(law))
    integral = controllers.lqi(model, **WEIGHTS, integral=0.1)
    np.testing.assert_allclose(np.diag(controllers.disturbance_response(integral.loop()).final) < 1.0, True)
    assert craft.torques.internal


@pytest.mark.parametrize("friction", [0.0, 1e-3])
def test_law_that_measures_wheels_uses_their_states(friction):
    """The law measures a wheel's own momentum, which its motor changes."""
    craft = craft_of(AXES, (100.0, 50.0, 20.0, -30.0), friction=friction)
    model = craft.linearize(craft.at_rest())
    wheels = tuple(f"wheel_{n + 1}_angle_momentum" for n in range(4))
    D = np.hstack((-5.0 * np.eye(3), -25.0 * np.eye(3), 0.01 * AXES.T))
    law = controllers.LinearFeedback(controllers.Compensator.static(D), model, sample=SAMPLE, measured=wheels)
    assert law.margins().gain_up > 1.0
    compared = overlay(craft, law, duration=20.0, error=1e-7 * TURN, rate=1e-8 * TURN)
    assert compared.difference("error_vector") < 5e-6
    blind = controllers.LinearFeedback(controllers.Compensator.static(D[:, :6]), model, sample=SAMPLE)
    assert np.abs(blind.closed_loop_poles()[:4] - law.closed_loop_poles()[:4]).max() > 1e-5


@pytest.mark.slow
def test_drag_along_rate_conserves_momentum_plus_angle():
    """h' = -c omega keeps h + c delta constant, which no wheel torque changes and no margin may wait for."""

    def drag(t, e, omega, c, v):
        return -0.2 * omega[0], -0.1 * omega[1], -0.3 * omega[2], 0.0, 0.0, 0.0

    wheels = plant.wheel_array(AXES, inertia=INERTIA, torque_limit=50.0, friction=1e-3)
    craft = plant.Spacecraft(plant.RigidBody(J), elements=wheels, user_forces=[plant.UserForce(drag)])
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
    assert acting_model(law.model).states[6:] == ()
    assert abs(law.closed_loop_poles()[0]) < 0.99
    assert overlay(craft, law, duration=20.0, error=1e-6 * TURN).difference("error_vector") < 5e-6


class TestInField:
    """A field changes the total momentum, which is not constant and stays among the states with friction."""

    def craft(self, height, **friction):
        speeds = (10.0, -10.0, 10.0, -10.0)
        gravity = plant.UniformGravity((0.0, 0.0, -9.81))
        return craft_of(AXES, speeds, potentials=[gravity], pivot=(0.0, 0.0, height), **friction)

    def test_hanging_craft_with_wheels_follows_its_loop(self):
        craft = self.craft(0.05, friction=1e-3)
        law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
        assert len(law.loop().states) == 9  # without the momentum about the vertical
        compared = overlay(craft, law, duration=30.0, error=1e-6 * TURN, rate=1e-7 * TURN)
        assert compared.difference("error_vector") < 5e-6
        assert law.margins().gain_up > 1.0

    def test_integral_action_leaves_momentum_in_the_wheels(self):
        craft = self.craft(0.05, friction=1e-3)
        with pytest.raises(plant.DesignError, match=r"z = 1: the wheels \(wheel_1_angle, .*integral action holds"):
            controllers.lqi(craft.linearize(craft.at_rest()), **WEIGHTS, integral=0.1)
        smooth = self.craft(0.05)
        assert (
            abs(controllers.lqi(smooth.linearize(smooth.at_rest()), **WEIGHTS, integral=0.1).closed_loop_poles()[0]) < 1
        )

    def test_field_that_tips_the_craft_is_named(self):
        craft = self.craft(-0.02, friction=1e-3)
        with pytest.raises(plant.DesignError, match="no gain holds it; take a torque from outside"):
            controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
        smooth = self.craft(-0.02)
        assert abs(controllers.lqr(smooth.linearize(smooth.at_rest()), **WEIGHTS).closed_loop_poles()[0]) < 1.0


def test_pointing_budget_includes_friction_of_unloaded_wheels():
    """With 2e-2 1/s of friction a white torque disturbs less at low frequency than without; the errors are finite."""
    budgets = []
    for friction in (0.0, 1e-3):
        craft = craft_of(AXES, (0.0,) * 4, friction=friction)
        law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
        budgets.append(controllers.pointing_budget(law, window=1.0, torque_noise=1e-4).pointing.absolute[0])
    assert np.isfinite(budgets).all()
    np.testing.assert_allclose(budgets[0], budgets[1], rtol=0.05)


def test_min_max_allocation_with_unequal_friction_is_named():
    craft = craft_of(AXES, (100.0, -100.0, 50.0, 0.0), allocation="min-max", coulomb=1e-3)
    law = controllers.lqr(craft.linearize(craft.at_rest()), **WEIGHTS)
    sentence, at_rest = sorted(law.margins().words, key=lambda words: "wheel 4 rotates" in words)
    assert "wheel 4 rotates at 0 rad/s, where dry friction changes its sign" in at_rest
    assert "friction decelerates wheel 4 at 0.2 1/s and wheel 1 at 0 1/s per change of rate" in sentence
    # a part of 0.05 1/s of the torque: the difference at a crossover of 0.3 rad/s and more is of that size
    assert 1e-3 < overlay(craft, law, duration=20.0, error=1e-8 * TURN).difference("error_vector") < 0.1
    alike = craft_of(AXES, (100.0, -100.0, 50.0, 0.0), allocation="min-max", friction=1e-3)
    law = controllers.lqr(alike.linearize(alike.at_rest()), **WEIGHTS)
    assert law.margins().words == ()
    assert overlay(alike, law, duration=20.0, error=1e-6 * TURN).difference("error_vector") < 5e-6


def test_wheel_at_its_speed_limit_is_named():
    craft = craft_of(AXES, (99.5, 0.0, -99.9, 98.9), speed_limit=100.0)
    first, second = craft.linearize(craft.at_rest()).left_out
    assert "wheel 1 rotates at 99.5 rad/s" in first
    assert "gives 50 % of an accelerating torque" in first
    assert "wheel 3 rotates at -99.9 rad/s" in second
    assert (
        craft_of(AXES, (98.9,) * 4, speed_limit=100.0).linearize(craft.at_rest(), allow_nonequilibrium=True) is not None
    )
