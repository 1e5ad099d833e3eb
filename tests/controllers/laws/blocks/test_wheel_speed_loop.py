"""Wheels commanded in speed: transfer function, friction, limits, and the stability limit of the nonlinear loop."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import lsim

from polhode import controllers, sim
from polhode.controllers import blocks
from polhode.controllers.contracts.block_form import BlockForm
from polhode.plant import InputError, RigidBody, Spacecraft, TorqueBasis, wheel_array

A = 1.0 / np.sqrt(3.0)
PYRAMID = [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)]
HUB = RigidBody((10.0, 8.0, 6.0))


def craft_with(hub=HUB, axes=PYRAMID, **more):
    return Spacecraft(hub, elements=wheel_array(axes, **{"inertia": 0.05, **more}))


def constant(torque, sample=0.1):
    return controllers.CustomLaw(lambda t, x, r: torque, sample=sample, compiled=False)


def test_torque_behind_speed_loop_has_its_second_order_transfer_function():
    """On a heavy hub a step of the command gives the step response of (2 zeta w s + w^2)/(s^2 + 2 zeta w s + w^2)."""
    craft = craft_with(RigidBody((1e6, 1e6, 1e6)))
    both = blocks.wheel_speed_loop(craft, sample=0.002, frequency=4.0, damping_ratio=0.7)
    run = sim.simulate(
        craft, constant((0.3, -0.2, 0.1)), blocks=both, state=craft.at_rest(), duration=2.0, output_step=0.02
    )
    torque = -run.values("motor_torque") @ np.array(PYRAMID)
    _, step, _ = lsim(([5.6, 16.0], [1.0, 5.6, 16.0]), np.ones(run.t.size), run.t)
    # targets are those at the end of a period: an error of first order, a period times the slope 5.6/s
    np.testing.assert_allclose(torque.reshape(-1, 3)[1:], np.outer(step, (0.3, -0.2, 0.1))[1:], atol=0.3 * 5.6 * 0.0021)


def test_speed_loop_rejects_friction_and_holds_the_attitude():
    """Friction of 0.01 N m leaves an error under torque commands, and none under speed commands."""
    craft = craft_with(friction=1e-3, coulomb=0.01, relative_rates=(50.0, -20.0, 30.0, 10.0))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    given = {"state": craft.state(attitude=(np.cos(0.05), np.sin(0.05), 0, 0)), "duration": 60.0, "output_step": 0.5}
    bare = sim.simulate(craft, law, **given)
    run = sim.simulate(craft, law, blocks=blocks.wheel_speed_loop(craft, sample=0.02, frequency=5.0), **given)
    assert np.abs(bare.values("error_vector")[-1]).max() > 5e-3
    assert np.abs(run.values("error_vector")[-1]).max() < 1e-9
    assert not run.warnings
    speeds, found = run.values("wheel_speeds")[-1], run.values("internal_rate")[-1]
    np.testing.assert_allclose(speeds, found, atol=0.02 * 2.0)  # measured up to one period before
    total = run.values("inertial_momentum")
    assert np.abs(total - total[0]).max() < 1e-12 * max(1.0, float(np.abs(total[0]).max()))


@pytest.mark.parametrize("axes", [PYRAMID, [(1, 0, 0), (0, 1, 0), (0, 0, 1)]])
def test_margins_with_speed_loop_are_those_of_the_nonlinear_loop(axes):
    """Below the gain margin the loop with real wheels decays, above it grows; heavy wheels couple with the body."""
    craft = craft_with(RigidBody((3.0, 2.5, 2.0)), axes, inertia=0.3, friction=0.02)
    model = craft.linearize(craft.at_rest())
    both = blocks.wheel_speed_loop(craft, sample=0.05, frequency=1.5, damping_ratio=0.8)

    def law(factor):
        hub = Spacecraft(RigidBody(factor * np.diag((3.0, 2.5, 2.0))))
        return controllers.quaternion_feedback(hub, frequency=0.8, damping_ratio=0.9, sample=0.1)

    margins = law(1.0).margins(model, blocks=both)
    assert margins.phase_deg < law(1.0).margins(model).phase_deg - 5.0

    for factor in (0.9, 1.3):
        changed = law(factor * margins.gain_up)
        run = sim.simulate(
            craft, changed, blocks=both, attitude=(1.0, 5e-9, 4e-9, -3e-9), duration=40.0, output_step=0.1
        )
        size = np.abs(run.values("error_vector")).max(axis=1)
        found = np.log(size[300:].max() / size[100:200].max()) / 200.0  # between peaks some 200 samples apart
        radius = np.abs(changed.loop(model, blocks=both).poles()).max()
        assert found == pytest.approx(np.log(radius), abs=1.5e-3)
        assert (radius > 1.0) == (factor > 1.0)


def test_linear_forms_are_the_kernels():
    craft = craft_with(inertia=0.07)
    rng = np.random.default_rng(2)
    for block in blocks.wheel_speed_loop(craft, sample=0.05, frequency=3.0, damping_ratio=0.9):
        n = 3 + 4
        y0 = rng.normal(size=n)
        y0[:3] = 0.0
        form, width = block.linear(y0) if callable(block.linear) else block.linear, sum(block.widths.values())
        assert isinstance(form, BlockForm)
        q, memory = (block.parameters, block.memory) if block.noise_free is None else block.noise_free(y0)
        z, state = np.array(memory), np.zeros(6 if block.noise_free else 0)
        v, rest = np.zeros(width), np.zeros(width) if form.rests is None else np.asarray(form.rests)
        for _ in range(5):
            y = y0 + rng.normal(size=n)
            block.kernel(0.0, y, q, z, v)
            expected = (np.asarray(form.D) @ (y - y0) if block.noise_free else np.asarray(form.D) @ y) + rest
            if block.noise_free:
                expected = expected + np.asarray(form.C) @ state
                state = np.asarray(form.A) @ state + np.asarray(form.B) @ (y - y0)
            np.testing.assert_allclose(v, expected, rtol=0, atol=1e-12)


def test_speed_command_waits_at_the_torque_limit():
    """After 20 s at the limit the wheels follow a reversed command within the lag of the loop, without a windup."""
    craft = craft_with(RigidBody((1e6, 1e6, 1e6)), axes=[(1, 0, 0), (0, 1, 0), (0, 0, 1)], torque_limit=0.1)
    both = blocks.wheel_speed_loop(craft, sample=0.02, frequency=5.0)
    law = controllers.CustomLaw(lambda t, x, r: (0.5 if t < 20.0 else -0.05, 0.0, 0.0), sample=0.1, compiled=False)
    run = sim.simulate(craft, law, blocks=both, state=craft.at_rest(), duration=22.0, output_step=0.1)
    torque = -run.values("motor_torque").reshape(-1, 3)[:, 0]
    assert torque[150] == pytest.approx(0.1, rel=1e-6)
    assert torque[-1] == pytest.approx(-0.05, rel=0.02)


@pytest.mark.parametrize(
    ("craft", "more", "message"),
    [
        (Spacecraft(HUB), {}, "needs wheels that a law can command"),
        (craft_with(allocation="min-max"), {}, "give the wheel array allocation='pseudo-inverse'"),
        (
            Spacecraft(HUB, elements=craft_with().elements, torques=TorqueBasis("inertial", internal=True)),
            {},
            "the speed loop works in body axes",
        ),
        (
            Spacecraft(HUB, elements=[replace(craft_with().elements[0], inertia=0.1), *craft_with().elements[1:]]),
            {},
            "wheels of equal inertia",
        ),
        (craft_with(), {"frequency": 30.0}, r"at most 0.5/sample = 25 rad/s; got 30"),
        (craft_with(), {"damping_ratio": 0.1}, r"must be 0.3 to 2; got 0.1"),
    ],
)
def test_wheels_that_cannot_follow_speeds_are_refused(craft, more, message):
    with pytest.raises(InputError, match=message):
        blocks.wheel_speed_loop(craft, **{"sample": 0.02, "frequency": 5.0, **more})


@pytest.mark.parametrize("more", [0, 1, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_idle_momenta_of_frictionless_wheels_are_no_poles(more, seed):
    """Momenta whose torques cancel are constants: no pole at 1, which rounding may place outside the unit circle."""
    axes = [*PYRAMID, *np.random.default_rng(seed).standard_normal((more, 3))]
    craft = craft_with(axes=axes)
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.1)
    loop = law.loop(craft.linearize(craft.at_rest()), blocks=blocks.wheel_speed_loop(craft, sample=0.02, frequency=4.0))
    assert np.abs(loop.poles()).max() < 0.98
    only = craft_with(axes=axes, friction=1e-9)
    slow = law.loop(only.linearize(only.at_rest()), blocks=blocks.wheel_speed_loop(only, sample=0.02, frequency=4.0))
    near = np.sort(np.abs(slow.poles()))[::-1]
    np.testing.assert_allclose(near[: 1 + more], 1.0 - 0.1 * 1e-9 / 0.05, rtol=1e-9)  # each decays with D/Iw
    np.testing.assert_allclose(near[1 + more], np.abs(loop.poles()).max(), rtol=1e-5)


@pytest.mark.parametrize("share", [0.97, 1.03])
def test_delay_margin_with_four_frictionless_wheels_in_the_simulation(share):
    craft = craft_with()
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.02)
    loop = blocks.wheel_speed_loop(craft, sample=0.02, frequency=4.0)
    margin = min(each.delay_s for each in law.margins(craft.linearize(craft.at_rest()), blocks=loop).axes)
    late = replace(law, delay=0.02 * round(share * margin / 0.02))
    behind = blocks.wheel_speed_loop(craft, sample=0.02, frequency=4.0)
    run = sim.simulate(craft, late, blocks=behind, rate=(1e-3, 1e-3, 1e-3), duration=400.0, output_step=1.0)
    size = np.linalg.norm(run.values("rate"), axis=1)
    assert (size[-50:].max() > size[30:80].max()) == (share > 1.0)
