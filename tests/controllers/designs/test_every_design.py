"""Checks of every design: the nonlinear plant follows the linear loop, compiled and plain Python agree, any torque
basis, saturation, files."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import from_rotation_vector

BASES = [("inertial",), ("euler", "3-2-1"), ("dual-euler", "3-1-3")]


def start(craft, size):
    """Return a state near rest, with attitude error and momentum of a given size."""
    state = craft.at_rest()
    state[:3] += size * np.array([1.0, -2.0, 1.5])
    state[3:7] = from_rotation_vector(size * np.array([0.3, 0.2, -0.4]))
    return state


def linear(law, craft, size, *, steps):
    """Return attitude errors of the linear sampled loop from the same start."""
    loop = law.loop()
    F, G, K = loop.matrices()
    scale = np.trace(law.model.inertia) / 3.0
    s = np.zeros(len(F))
    s[:3] = size * np.array([0.3, 0.2, -0.4])
    s[3:6] = size * np.array([1.0, -2.0, 1.5]) / scale
    rows = [s[:3]]
    for _ in range(steps):
        s = (F - G @ K) @ s
        rows.append(s[:3])
    return np.array(rows)


@pytest.mark.parametrize("delay", [0.0, 0.13])
@pytest.mark.parametrize("name", ["rigid", "geared"])
def test_every_design_on_nonlinear_plant_follows_linear_loop(design, name, delay, request):
    """Kernel, memory, measured states and delay match F - G K to second order in the size of the motion."""
    craft = request.getfixturevalue(name)
    law = design(craft.linearize(craft.at_rest()), sample=0.1, delay=delay)
    assert abs(law.closed_loop_poles()[0]) < 1.0
    errors = []
    for size in (2e-4, 2e-5):
        run = sim.simulate(craft, law, state=start(craft, size), duration=6.0, output_step=0.1, rtol=1e-12)
        delta = 2.0 * run["attitude"].values[:, 1:]
        errors.append(np.abs(delta - linear(law, craft, size, steps=60)).max())
    # the angles are about 0.5 size; the remainder is second order in them, plus the integrator's tolerance
    assert errors[0] < 20.0 * 2e-4**2 + 1e-11
    assert errors[1] < 20.0 * 2e-5**2 + 1e-11


def test_every_design_is_equal_compiled_and_in_python(design, rigid):
    law = design(rigid.linearize(rigid.at_rest()), sample=0.1, delay=0.13)
    runs = [
        sim.simulate(
            rigid,
            law,
            state=start(rigid, 0.5),
            duration=1.5,
            output_step=0.5,
            integrator="rk4",
            step=0.05,
            compiled=compiled,
        )
        for compiled in (True, False)
    ]
    for quantity in ("attitude", "momentum", "torque"):
        # same source, another order of rounding: a few units in the last place of numbers of order one
        np.testing.assert_allclose(runs[0][quantity], runs[1][quantity], rtol=0, atol=1e-12)
    assert np.abs(runs[0]["torque"].values).max() > 0.19  # the limits were met


def test_every_design_with_elements_is_equal_compiled_and_in_python(design, geared):
    law = design(geared.linearize(geared.at_rest()), sample=0.1, delay=0.13)
    runs = [
        sim.simulate(
            geared,
            law,
            state=start(geared, 0.1),
            duration=0.6,
            output_step=0.3,
            integrator="rk4",
            step=0.05,
            compiled=compiled,
        )
        for compiled in (True, False)
    ]
    np.testing.assert_allclose(runs[0]["attitude"], runs[1]["attitude"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(runs[0]["momentum"], runs[1]["momentum"], rtol=0, atol=1e-11)  # 10 N m s


@pytest.mark.parametrize("basis", BASES)
def test_every_design_works_in_any_torque_basis(design, basis, inertia):
    craft = plant.Spacecraft(plant.RigidBody(inertia), torques=plant.TorqueBasis(*basis))
    e = plant.attitude.from_euler_angles((0.4, 0.7, -0.3), "3-1-3")
    law = design(craft.linearize(craft.at_rest(e)), sample=0.1, delay=0.03)
    small = from_rotation_vector(np.array([0.02, 0.01, -0.03]))
    run = sim.simulate(craft, law, attitude=plant.attitude.quaternion_product(e, small), duration=80.0, output_step=1.0)
    final = plant.attitude.attitude_error(run["attitude"].values[-1], e)
    assert 2.0 * np.linalg.norm(final[1:]) < 1e-4  # from 0.037 rad, over many time constants


def test_every_design_holds_a_spin(design, inertia):
    """About a principal axis the design is about the spin, and the reference is that spin."""
    craft = plant.Spacecraft(plant.RigidBody(inertia))
    rate = 0.3 * np.linalg.eigh(inertia)[1][:, 2]
    law = design(craft.linearize(craft.spinning(rate)), sample=0.1)
    assert abs(law.closed_loop_poles()[0]) < 1.0
    run = sim.simulate(craft, law, rate=rate + np.array([0.01, -0.02, 0.01]), duration=80.0, output_step=1.0)
    np.testing.assert_allclose(run["rate"].values[-1], rate, rtol=0, atol=2e-4)
    assert isinstance(run.reference, controllers.SpinReference)


def test_every_design_simulates_equally_after_saving(design, geared, tmp_path):
    model = geared.linearize(geared.at_rest())
    law = design(model, sample=0.1, delay=0.13)
    controllers.save_law(law, tmp_path / "law.toml")
    again = controllers.load_law(tmp_path / "law.toml", model)
    assert type(again) is type(law)
    np.testing.assert_array_equal(again.parameters, law.parameters)
    np.testing.assert_array_equal(again.memory, law.memory)
    assert (again.sample, again.delay, again.saturation) == (law.sample, law.delay, law.saturation)
    assert getattr(again, "design", None) == getattr(law, "design", None)


def test_every_design_can_keep_torque_direction(rigid):
    model = rigid.linearize(rigid.at_rest())
    asked = {"attitude": 25.0, "rate": 9.0, "effort": 0.5, "sample": 0.1}
    free = controllers.lqr(model, **asked)
    seen = np.concatenate((start(rigid, 1.0), np.linalg.solve(rigid.body.inertia, start(rigid, 1.0)[:3])))
    reference = controllers.FixedReference().at(0.0)
    u = np.zeros(3)
    free.kernel(0.0, seen, reference, free.parameters, free.memory.copy(), u)
    limits = np.array([0.3, 0.2, 0.25])
    assert (np.abs(u) > limits).sum() >= 2
    expected = u / np.max(np.abs(u) / limits)
    for law in (
        controllers.lqr(model, **asked, saturation="direction"),
        controllers.LinearFeedback(free.compensator, model, sample=0.1, saturation="direction"),
    ):
        kept = np.zeros(3)
        law.kernel(0.0, seen, reference, law.parameters, law.memory.copy(), kept)
        np.testing.assert_allclose(kept, expected, rtol=1e-14)
