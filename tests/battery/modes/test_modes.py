"""Modes with every law, on every kind of spacecraft, with every option of a run."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Block, Clock, Condition, Mode, Modes, Transition
from polhode.plant.kernels.kernel import kernel
from polhode.sim.engine import indices
from polhode.sim.engine.loop import Loop
from polhode.sim.runs import drive

TENSOR = np.array([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
BODY = plant.RigidBody(TENSOR)
START = {"attitude": (0.9, 0.3, 0.3, 0.1), "rate": (0.05, -0.1, 0.08)}
WEIGHTS = {"attitude": 4.0, "rate": 4.0, "effort": 1.0}

CRAFTS = {
    "bare": lambda: plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=3.0)),
    "wheels that give the torque": lambda: plant.Spacecraft(
        BODY, elements=plant.wheel_array(np.eye(3), inertia=0.05), torques=plant.TorqueBasis("body", internal=True)
    ),
    "mode": lambda: plant.Spacecraft(
        BODY, elements=[plant.FlexibleModes(frequencies=[3.0], damping_ratios=[0.02], rotation=[[0.9], [0.3], [-0.2]])]
    ),
    "ring": lambda: plant.Spacecraft(
        BODY, elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.8, radius=0.7, friction=0.2)]
    ),
}


@kernel
def own(t, y, r, q, z, u):
    """A custom law with the integral of the rate as memory."""
    for n in range(3):
        z[n] = z[n] + 0.1 * y[7 + n]
        u[n] = -q[0] * y[7 + n] - 0.5 * z[n]


def turning(t, q, r):
    """A custom reference: a rotation about z without end."""
    angle = 0.5 * q[0] * t
    r[0], r[1], r[2], r[3] = np.cos(angle), 0.0, 0.0, np.sin(angle)
    r[4], r[5], r[6] = 0.0, 0.0, q[0]
    r[7], r[8], r[9] = 0.0, 0.0, 0.0


def laws(craft):
    """Every law that is data, and a custom one."""
    model = craft.linearize(craft.at_rest())
    more = {"sample": 0.1, "delay": 0.04}
    named = {"torques": craft.torques, **more}
    return {
        "rate-damping": controllers.RateDamping(gain=6.0, **named),
        "lqr": controllers.lqr(model, **WEIGHTS, **more),
        "lqi": controllers.lqi(model, **WEIGHTS, integral=0.1, **more),
        "lqg": controllers.lqg(model, **WEIGHTS, torque_noise=1e-2, attitude_noise=1e-4, rate_noise=1e-4, **more),
        "pid": controllers.pid(model, frequency=0.5, damping_ratio=0.8, integral_time=20.0, **more),
        "quaternion-feedback": controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, **more),
        "energy-shaping": controllers.EnergyShaping(stiffness=2.0, damping=8.0, inertia=TENSOR, **named),
        "sliding-mode": controllers.SlidingMode(inertia=TENSOR, slope=0.5, reach=2.0, boundary_layer=0.4, **named),
        "on-off": controllers.OnOffThrusters(torque=1.0, deadband=0.02, lead=2.0, hysteresis=0.01, **named),
        "spin-precession": controllers.SpinPrecession(
            torque=(1, 0, 0), axis=(0, 0, 1), arc=0.7, deadband=0.01, **named
        ),
        "own": controllers.CustomLaw(own, parameters=(5.0,), memory=np.zeros(3), **more),
    }


def references():
    """A selection of references: rest and every kind of motion."""
    return [
        None,
        controllers.FixedReference((0.8, 0.6, 0.0, 0.0)),
        controllers.EigenaxisSlew(START["attitude"], (1, 0, 0, 0), acceleration_limit=0.1),
        controllers.SpinReference(rate=(0.0, 0.1, 0.0)),
        controllers.CustomReference(turning, parameters=(0.1,)),
    ]


def chain(craft, *, each=0.5):
    """One mode for each law in sequence, each with its own reference."""
    found, ways = laws(craft), references()
    names = list(found)
    modes = []
    for n, name in enumerate(names):
        last = n == len(names) - 1
        until = () if last else Transition(names[n + 1], Condition("elapsed", above=each))
        reference = ways[n % len(ways)]
        modes.append(
            Mode(
                name, found[name], reference=reference, transitions=until, final=last, blend_time=0.2 * (n % 2),
                limit=2.5 if n % 3 == 0 else None, remap={"rate": "seen"} if n % 2 else None,
            )
        )  # fmt: skip
    return Modes(modes)


def fly(craft, modes, **more):
    before = [Block(low, reads="rate", writes={"seen": 3}, clock=Clock(0.05), memory=np.zeros(3))]
    settings = {"duration": 6.0, "integrator": "rk4", "step": 0.05, "output_step": 0.07, **START, **more}
    return sim.simulate(craft, modes, blocks=[*before, modes.block(before)], **settings)


@kernel
def low(t, y, q, z, v):
    """A low-pass."""
    for n in range(3):
        z[n] = 0.5 * z[n] + 0.5 * y[n]
        v[n] = z[n]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", CRAFTS)
def test_compiled_is_plain_python_whatever_flies(name):
    craft = CRAFTS[name]()
    modes = chain(craft)
    fast, slow = fly(craft, modes), fly(craft, modes, compiled=False)
    assert fast.status == slow.status == "completed"
    assert [each.mode for each in sim.mode_intervals(fast)] == list(modes.names)
    for quantity in ("attitude", "rate", "command", "attitude_error", "reference_for_law", "mode", "mode_since"):
        np.testing.assert_allclose(slow.values(quantity), fast.values(quantity), rtol=0, atol=1e-13)


def test_attitude_error_refers_to_reference_of_mode():
    craft = CRAFTS["bare"]()
    modes = chain(craft)
    run = fly(craft, modes, output_step=0.1, compiled=False)
    for row in range(0, run.t.size - 1, 7):
        number = int(run.values("mode")[row])
        mode = modes.modes[number]
        reference = mode.reference or controllers.FixedReference()
        since = float(run.values("mode_since")[row]) if mode.reference_from == "entry" else 0.0
        r = reference.at(float(run.t[row]) - since)
        along = abs(float(run.values("attitude")[row] @ r[:4]))
        assert run.values("attitude_error")[row] == pytest.approx(2.0 * np.arccos(min(1.0, along)), abs=2e-7)
        # the law received it at its sample, which is the time of the row
        assert run.values("reference_for_law")[row] == pytest.approx(r)


@pytest.mark.parametrize("more", [{"formulation": "hamilton-7"}, {"integrator": "dop853", "step": None}])
def test_another_formulation_or_integrator_flies_the_same(more):
    craft = CRAFTS["bare"]()
    modes = chain(craft)
    own, other = fly(craft, modes, step=0.01), fly(craft, modes, **{"step": 0.01, **more})
    assert [each.start for each in sim.mode_intervals(own)] == [each.start for each in sim.mode_intervals(other)]
    assert np.abs(own.values("attitude") - other.values("attitude")).max() < 1e-7


def test_mode_run_is_equal_streamed_loaded_and_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(drive, "ROOM", 13)
    craft = CRAFTS["bare"]()
    modes = chain(craft)
    wanted = fly(craft, modes)
    run = fly(craft, modes, stream=tmp_path / "run.nc")
    for name in wanted.names:
        np.testing.assert_array_equal(run.values(name), wanted.values(name))
    again = sim.load(tmp_path / "run.nc")  # without spacecraft, law and blocks
    assert sim.mode_intervals(again) == sim.mode_intervals(wanted)
    assert again.plot("attitude_error").axes[0].patches
    before = [Block(low, reads="rate", writes={"seen": 3}, clock=Clock(0.05), memory=np.zeros(3))]

    def loop():
        return Loop(
            craft, craft.state(**START), modes, controllers.FixedReference(), pulses=(),
            scheme=sim.Scheme("rk4", step=0.05), duration=6.0, times=np.linspace(0, 6, 11), ledger=True, compiled=True,
            max_steps=10**6, pose_limit=1e-4, blocks=[*before, modes.block(before)],
        )  # fmt: skip

    whole, parts = loop(), loop()
    assert whole.advance(10**6) == indices.DONE
    while (status := parts.advance(3)) == indices.PAUSED:
        pass
    assert status == indices.DONE
    np.testing.assert_array_equal(parts.arrays.out_x, whole.arrays.out_x)
    np.testing.assert_array_equal(parts.arrays.z, whole.arrays.z)


def test_interrupted_run_lists_modes_up_to_stop():
    def stop(t, y):
        if t > 1.2:
            raise KeyboardInterrupt
        return y

    craft = CRAFTS["bare"]()
    found = laws(craft)
    modes = Modes(
        [
            Mode("one", found["lqr"], transitions=Transition("two", Condition("elapsed", above=0.5))),
            Mode("two", found["pid"], transitions=Transition("one", Condition("elapsed", above=0.1))),
        ]
    )
    before = [Block(stop, reads="rate", writes="rate", clock=Clock(0.1), compiled=False)]
    run = sim.simulate(craft, modes, blocks=[*before, modes.block(before)], duration=5.0, output_step=0.05, **START)
    assert run.status == "stopped"
    assert [each.mode for each in sim.mode_intervals(run)] == ["one", "two", "one", "two"]


def test_modes_between_two_rows_are_counted():
    craft = CRAFTS["bare"]()
    found = laws(craft)
    modes = Modes(
        [
            Mode("one", found["lqr"], transitions=Transition("two", Condition("elapsed", above=0.5))),
            Mode("two", found["pid"], transitions=Transition("three", Condition("elapsed", above=0.1))),
            Mode("three", found["lqi"], final=True),
        ]
    )
    run = sim.simulate(craft, modes, blocks=[modes.block()], duration=3.0, output_step=1.0, compiled=False, **START)
    told = sim.mode_intervals(run)
    assert [(each.mode, each.unseen) for each in told] == [("one", 0), ("three", 1)]
    assert told[1].start == pytest.approx(0.6)


def test_changed_law_run_equals_run_of_modes():
    craft = CRAFTS["bare"]()
    modes = chain(craft)
    before = [Block(low, reads="rate", writes={"seen": 3}, clock=Clock(0.05), memory=np.zeros(3))]
    settings = {"duration": 2.0, "integrator": "rk4", "step": 0.05, **START}
    own, same = (
        sim.simulate(craft, law, blocks=[*before, modes.block(before)], **settings)
        for law in (modes, sim.ChangedLaw(modes))
    )
    np.testing.assert_array_equal(own.x, same.x)
