"""A spacecraft rotated by wheels in one mode and by an external torque in another."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import Condition, Mode, Modes, Transition, blocks
from polhode.plant import InputError, TorqueBasis

SAMPLE, DELAY = 0.1, 0.25
WHEELS = plant.wheel_array(np.eye(3), inertia=0.1)


def craft_in(basis="body", *, sequence=None, wheels=None, limit=2.0):
    inside = TorqueBasis(basis, sequence, internal=True, limit=wheels)
    outside = TorqueBasis(basis, sequence, limit=limit)
    return plant.Spacecraft(plant.RigidBody((100.0, 90.0, 70.0)), elements=WHEELS, torques=inside, external=outside)


def detumbling(craft, *, fade=0.0, delay=DELAY, until=0.01):
    damping = controllers.RateDamping(gain=20.0, sample=SAMPLE, delay=delay, torques=craft.torques)
    fine = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.8, sample=SAMPLE, delay=delay)
    over = Transition("pointing", Condition("rate", below=until))
    return Modes(
        [
            Mode("detumbling", damping, actuators="external", transitions=over),
            Mode("pointing", fine, actuators="wheels", final=True, blend_time=fade),
        ]
    )


def fly(craft, modes, *, before=(), behind=(), **given):
    given = {"rate": (0.03, -0.05, 0.04), "duration": 15.0, "output_step": 0.05, "step": 0.05, **given}
    around = [*before, modes.block(before), *behind]
    return sim.simulate(craft, modes, blocks=around, integrator="rk4", **{"compiled": False, **given})


@pytest.fixture(scope="module")
def flown():
    """In inertial axes, where the impulse of a held torque is a sum."""
    craft = craft_in("inertial")
    return fly(craft, detumbling(craft), compiled=True)


def switched(run):
    """Time at which the second mode was entered, s."""
    return sim.mode_intervals(run)[1].start


def test_torque_from_outside_is_all_that_changes_momentum(flown):
    """Its impulse, summed from the commands, is the change of total momentum; the wheels change none of it."""
    H, u = flown.values("inertial_momentum"), flown.values("command_external")
    impulse = np.vstack((np.zeros(3), np.cumsum(u[:-1] * np.diff(flown.t)[:, None], axis=0)))
    assert np.abs(impulse).max() > 3.0
    np.testing.assert_allclose(H - H[0], impulse, atol=1e-11)  # the steps of rk4 keep it to 4e-12
    after = flown.t > switched(flown) + DELAY + 0.01
    assert not u[after].any()
    assert np.abs(flown.values("command_wheels")[after]).max() > 0.01
    np.testing.assert_allclose(np.ptp(H[after], axis=0), 0.0, atol=1e-11)


def test_idle_wheels_keep_their_momentum(flown):
    """Each rotates with the hub about its own axis as at the start: Iw (a . omega + relative rate) is constant."""
    before = flown.t < switched(flown) + DELAY - 0.01
    assert not flown.values("command_wheels")[before].any()
    axial = flown.values("internal_momentum")[before]
    np.testing.assert_allclose(axial, np.tile(axial[0], (before.sum(), 1)), atol=1e-15)


def test_delayed_command_reaches_its_actuator_after_a_switch(flown):
    """The last commands of the first mode act until the delay is over, on the external torque."""
    t, entered = flown.t, switched(flown)
    late = (t > entered - 0.001) & (t < entered + DELAY - 0.001)
    first = t >= entered + DELAY - 0.001
    assert late.sum() == 5
    assert flown.values("command_external")[late].any(axis=1).all()
    assert not flown.values("command_wheels")[late].any()
    assert flown.values("command_wheels")[first][0].any()
    assert not flown.values("command_external")[first].any()
    both = flown.values("command_wheels") + flown.values("command_external")
    np.testing.assert_array_equal(flown.values("command"), both)


def test_law_goes_on_from_what_other_torque_was(flown):
    """With a fade the first command to the wheels equals the last external one."""
    craft = craft_in()
    for fade, jump in ((2.0, 1e-14), (0.0, None)):
        run = fly(craft, detumbling(craft, fade=fade, delay=0.0))
        first = int(np.searchsorted(run.t, switched(run) - 0.001))
        before, after = run.values("command_external")[first - 1], run.values("command_wheels")[first]
        apart = np.abs(after - before).max()
        assert apart < jump if jump is not None else apart > 0.1


def test_compiled_is_plain_python():
    craft = craft_in("euler", sequence="3-2-1", wheels=0.5)
    pulse = plant.TorquePulse((0.02, 0.0, -0.01), start=2.0, stop=9.0, shape="raised-cosine")
    modes = detumbling(craft)
    behind = [blocks.transfer_function([1.0], [0.3, 1.0], reads="command_external", sample=0.1)]
    given = {"torques": [pulse], "behind": behind, "attitude": (0.9, 0.1, 0.3, 0.3)}
    plain, fast = (fly(craft, modes, compiled=each, **given) for each in (False, True))
    assert [each.mode for each in sim.mode_intervals(fast)] == ["detumbling", "pointing"]
    for name in ("command_wheels", "command_external", "attitude", "internal_rate", "momentum_balance"):
        np.testing.assert_allclose(fast.values(name), plain.values(name), rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(fast.inputs[:, 8:], plain.inputs[:, 8:])
    assert np.abs(fast.values("momentum_balance")).max() < 1e-9 * fast.largest_momentum
    # a lag on one torque decays there, and does not affect the other
    over = fast.t > switched(fast) + DELAY - 0.01
    assert not fast.values("command_external_of_law")[over].any()
    assert fast.values("command_external")[over].any(axis=1).all()
    assert fast.values("command_wheels")[over][0].any()
    assert not fast.values("command_wheels")[~over].any()


def test_scheduled_torques_stand_behind_the_two():
    craft = craft_in("inertial")
    pulse = plant.TorquePulse((0.0, 0.3, 0.0), start=0.0, stop=4.0, basis=TorqueBasis("inertial"))
    free = fly(craft, detumbling(craft, until=1.0), torques=[pulse], rate=(0.0, 0.0, 0.0), duration=6.0)
    assert not free.values("command_external").any()
    np.testing.assert_allclose(free.values("inertial_momentum")[-1], (0.0, 1.2, 0.0), atol=1e-11)


def unloading(craft, **more):
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.8, sample=SAMPLE, delay=0.05)
    return Modes([Mode("unloading", law, **{"actuators": "wheels", "unload": 5.0, "final": True, **more})])


@pytest.mark.parametrize("actuators", ["wheels", "external"])
def test_unloading_takes_momentum_off_wheels_and_leaves_hub_alone(actuators):
    """pi[k+1] = pi[k] - (h - d)/T pi[k] - d/T pi[k-1]: held, with a delay of d."""
    craft = craft_in()
    state = craft.state(internal_rate=(40.0, -20.0, 10.0))
    run = fly(craft, unloading(craft, actuators=actuators), state=state, rate=None, output_step=SAMPLE)
    wanted = [run.values("momentum")[0]] * 2
    for _ in run.t[1:]:
        wanted.append(wanted[-1] - (0.05 * wanted[-1] + 0.05 * wanted[-2] * (len(wanted) > 2)) / 5.0)
    np.testing.assert_allclose(run.values("momentum"), wanted[1:], atol=1e-12)
    assert np.abs(run.values("momentum")[0]).max() == pytest.approx(4.0)
    assert run.values("attitude_error").max() < 1e-12
    np.testing.assert_allclose(run.values("internal_rate")[-1], np.array(wanted[-1]) / 0.1, atol=1e-9)


def test_pair_that_unloads_keeps_within_limits_of_both():
    """The wheels could give 0.3 N m more; the external torque gives 0.1: so do both, and the hub stays at rest."""
    craft = craft_in(wheels=0.3, limit=0.1)
    state = craft.state(internal_rate=(40.0, -20.0, 10.0))
    run = fly(craft, unloading(craft), state=state, rate=None, duration=5.0)
    assert np.abs(run.values("command_external")).max() == 0.1
    assert run.values("attitude_error").max() < 1e-12
    np.testing.assert_allclose(run.values("command"), 0.0, atol=1e-12)
    within = fly(craft, unloading(craft, limit=0.05), state=state, rate=None, duration=5.0)
    assert np.abs(within.values("command_external")).max() == 0.05


def test_block_before_the_law_reads_both_torques():
    """An echo of the active command: the torques of the wheels and the external torque on the hub."""
    craft = craft_in()
    echo = controllers.Block(
        lambda t, y: y, reads="applied", writes={"echo": 3}, clock=controllers.Clock(0.1), compiled=False
    )
    run = fly(craft, detumbling(craft, delay=0.05), before=[echo.as_monitor()], output_step=0.1)
    # sampled at a row, before the command of that sample acts; none is sampled at the end
    np.testing.assert_array_equal(run.values("echo")[1:-1], run.values("command")[1:-1])


def test_margins_of_a_mode_are_those_of_its_own_torque_and_blocks():
    craft = craft_in()
    modes = detumbling(craft)
    lag = blocks.transfer_function([1.0], [3.0, 1.0], reads="command_external", sample=0.1)
    around = [modes.block(), lag]
    damping, fine = (each.law for each in modes.modes)
    outside, inside = (craft.through(port) for port in ("external", "wheels"))
    model = outside.linearize(outside.at_rest())
    plain = damping.margins(model, blocks=[lag.renamed({"command_external": "command"})])
    assert modes.margins_of("detumbling", model, blocks=around).phase_deg == plain.phase_deg
    assert damping.margins(model).phase_deg != plain.phase_deg
    model = inside.linearize(inside.at_rest())
    assert modes.margins_of("pointing", model, blocks=around).phase_deg == fine.margins(model).phase_deg


def test_file_keeps_both(tmp_path, flown):
    for run in (
        sim.load(flown.save(tmp_path / "run.nc")),
        fly(flown.craft, flown.law, stream=tmp_path / "stream.nc", compiled=True),
    ):
        for name in ("command_wheels", "command_external", "command"):
            np.testing.assert_array_equal(run.values(name), flown.values(name))
    labels = run["command_external"].coords["axis"].values.tolist()
    assert labels == ["x", "y", "z"]


def test_two_control_torques_refuse_unfit_spacecraft():
    single = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    craft = craft_in()
    with pytest.raises(InputError, match="commands 'wheels', but the craft has external only; give it wheels"):
        fly(single, detumbling(craft))
    inside = craft.through("wheels")
    with pytest.raises(InputError, match="commands 'external', but the craft has wheels only; give Spacecraft"):
        fly(inside, detumbling(craft))
    with pytest.raises(InputError, match="unloaded along the body axes, but the torque basis is 'inertial'"):
        fly(craft_in("inertial"), unloading(craft))
    lag = blocks.transfer_function([1.0], [0.3, 1.0], reads="command", sample=0.1)
    with pytest.raises(InputError, match="processes 'command', but the law writes 'command_wheels' and"):
        fly(craft, detumbling(craft), behind=[lag])


def test_mode_refuses_what_it_cannot_command():
    law = controllers.RateDamping(gain=1.0, sample=0.1)
    with pytest.raises(InputError, match=r"actuators of mode 'a': 'wheel' is unknown; did you mean 'wheels'"):
        Mode("a", law, actuators="wheel", final=True)
    with pytest.raises(InputError, match="state which of the two its law commands"):
        Mode("a", law, unload=10.0, final=True)
    with pytest.raises(InputError, match="unload of mode 'a' must be greater than 0"):
        Mode("a", law, actuators="wheels", unload=0.0, final=True)
    over = Transition("b", Condition("elapsed", above=1.0))
    with pytest.raises(InputError, match="'a' commands 'wheels' but mode 'b' names no actuators"):
        Modes([Mode("a", law, actuators="wheels", transitions=over), Mode("b", law, final=True)])


def test_craft_refuses_two_torques_that_are_not_one_of_each():
    body = plant.RigidBody((100.0, 90.0, 70.0))
    with pytest.raises(InputError, match="for a single control torque give torques only"):
        plant.Spacecraft(body, external=TorqueBasis())
    with pytest.raises(InputError, match="for a single control torque give torques only"):
        plant.Spacecraft(body, torques=TorqueBasis(), external=TorqueBasis())
    with pytest.raises(InputError, match="so give both in the same"):
        plant.Spacecraft(
            body, elements=WHEELS, torques=TorqueBasis(internal=True), external=TorqueBasis("inertial", limit=1.0)
        )
    with pytest.raises(InputError, match="external must be a TorqueBasis"):
        plant.Spacecraft(body, elements=WHEELS, torques=TorqueBasis(internal=True), external=1.0)
    with pytest.raises(InputError, match="control torque 'thrusters' is unknown"):
        craft_in().through("thrusters")
    assert list(craft_in().ports) == ["wheels", "external"]
    alone = plant.Spacecraft(body)
    assert alone.through("external") is alone


SIDES = np.vstack([np.eye(3), -np.eye(3)]) / 0.1


@pytest.mark.parametrize(
    "limits",
    [
        ({"limit": 0.2}, {"limit": 0.1}),
        ({"limit": 0.2}, {"envelope": SIDES}),
        ({"envelope": SIDES}, {"limit": 0.2}),
    ],
    ids=["limits", "envelope outside", "envelope of the wheels"],
)
def test_unloading_at_a_limit_of_any_kind_leaves_the_hub_alone(limits):
    wheels, outside = limits
    craft = plant.Spacecraft(
        plant.RigidBody((100.0, 90.0, 70.0)),
        elements=plant.wheel_array(np.eye(3), inertia=0.1),
        torques=plant.TorqueBasis("body", internal=True, **wheels),
        external=plant.TorqueBasis("body", **outside),
    )
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.8, sample=0.1)
    modes = controllers.Modes([controllers.Mode("point", law, actuators="wheels", unload=5.0, final=True)])
    x = craft.state()
    x[craft.layout.internal_momentum] = (3.0, 2.0, 1.0)
    x[:3] += (3.0, 2.0, 1.0)
    run = sim.simulate(
        craft, modes, blocks=[modes.block()], duration=60.0, output_step=1.0, state=x, integrator="rk4", step=0.05
    )
    assert run.values("attitude_error").max() < 1e-12
    left = x[craft.layout.internal_momentum] - run.states[-1, craft.layout.internal_momentum]
    assert left[2] == pytest.approx(1.0, abs=0.01)  # of 1 N m s nothing is left, of 3 what the smaller limit took
    assert 2.5 < left[0] <= 3.0


def test_torque_that_keeps_its_direction_keeps_it_under_modes():
    craft = plant.Spacecraft(
        plant.RigidBody((100.0, 90.0, 70.0)), torques=plant.TorqueBasis("body", limit=0.2, keep_direction=True)
    )
    law = controllers.quaternion_feedback(craft, frequency=0.3, damping_ratio=0.8, sample=0.1)
    modes = controllers.Modes([controllers.Mode("point", law, final=True)])
    flight = {"attitude": (0.8, 0.2, 0.4, 0.4), "duration": 2.0, "output_step": 0.5, "integrator": "rk4", "step": 0.05}
    bare = sim.simulate(craft, law, **flight)
    turned = sim.simulate(craft, modes, blocks=[modes.block()], **flight)
    assert np.array_equal(bare.values("command"), turned.values("command"))
    assert bare.values("command")[0].tolist() != [-0.2, -0.2, -0.2]


def test_lag_behind_one_of_two_unloading_torques_is_told():
    craft = craft_in(limit=2.0, wheels=2.0)
    law = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.8, sample=0.1)
    modes = Modes([Mode("point", law, actuators="wheels", unload=5.0, final=True)])
    x = craft.state()
    x[craft.layout.internal_momentum] = (3.0, 2.0, 1.0)
    x[:3] += (3.0, 2.0, 1.0)
    lags = [blocks.transfer_function([1.0], [0.3, 1.0], reads=f"command_{port}", sample=0.1)
            for port in ("external", "wheels")]  # fmt: skip

    def flown(*behind):
        return fly(craft, modes, behind=behind, state=x, rate=None, duration=5.0, output_step=0.1)

    for behind, turns in ((), False), (lags, False), (lags[:1], True):
        run = flown(*behind)
        assert (run.values("attitude_error").max() > 1e-4) == turns
        assert any("act on one of them only" in words for words in run.warnings) == turns
