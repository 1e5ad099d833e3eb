"""Contents of a run: quantities, invariants, pictures."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude import attitude_error, rotation_matrix, to_rotation_vector

CRAFT = plant.Spacecraft(plant.RigidBody((400, 307.8, 200), mass=50.0), torques=plant.TorqueBasis("body", limit=1.0))


@pytest.fixture(scope="module")
def slew():
    law = controllers.lqr(CRAFT.linearize(CRAFT.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    pulse = plant.TorquePulse((0.2, 0.1, -0.3), start=20.0, stop=30.0)
    return sim.simulate(CRAFT, law, attitude=(0.6, 0.0, 0.8, 0.0), torques=(pulse,), duration=100.0)


def test_rows_every_five_hundredth_unless_asked_otherwise(slew):
    np.testing.assert_allclose(slew.t, np.linspace(0.0, 100.0, 501), rtol=0, atol=2e-14)
    assert slew.t[-1] == 100.0


def test_quantities_are_what_their_names_say(slew):
    for row in (0, 37, 130, 500):
        x = slew.x[row]
        e = x[3:7]
        named = {name: slew.values(name)[row] for name in slew.names}
        rate = np.linalg.solve(CRAFT.body.inertia, x[:3])
        scheduled = np.array((0.2, 0.1, -0.3)) if 20.0 <= slew.t[row] < 30.0 else np.zeros(3)
        wanted = {
            "attitude": e,
            "momentum": x[:3],
            "rate": rate,
            "inertial_momentum": rotation_matrix(e) @ x[:3],
            "energy": 0.5 * rate @ x[:3],
            "torque": named["command"] + scheduled,
            "error_vector": to_rotation_vector(attitude_error(e, (1, 0, 0, 0))),
            "attitude_error": np.linalg.norm(to_rotation_vector(attitude_error(e, (1, 0, 0, 0)))),
        }
        for name, value in wanted.items():
            # the torque is recovered as pi' minus pi x omega: round-off of that product, 30 N m s x 0.1 rad/s
            np.testing.assert_allclose(named[name], value, rtol=1e-13, atol=2e-15, err_msg=name)
    assert np.abs(slew.values("command")).max() == 1.0


def test_ledgers_balance(slew):
    invariants = slew.invariants()
    assert set(invariants) == {"quaternion_norm_error", "momentum_balance_relative", "energy_balance_relative"}
    assert invariants["quaternion_norm_error"] < 4e-16  # projected after every step: a unit or two in the last place
    # dop853 at rtol 1e-10, whose steps are far below their tolerance in a slew that is sampled at 10 Hz
    assert invariants["momentum_balance_relative"] < 1e-12
    assert invariants["energy_balance_relative"] < 1e-12


def test_broken_ledger_would_show(slew):
    import dataclasses

    states = slew.states.copy()
    states[100:, -1] += 1e-6
    broken = dataclasses.replace(slew, states=states)
    assert float(broken.invariants()["momentum_balance_relative"]) > 1e-8


@pytest.mark.parametrize(
    ("more", "hidden"),
    [
        (
            {"ledger": False},
            {"energy_balance", "momentum_balance", "attitude_error", "error_vector"},
        ),
        ({"ledger": True}, {"attitude_error", "error_vector"}),
        ({"reference": controllers.FixedReference()}, set()),
    ],
)
def test_only_what_there_is_is_named(more, hidden):
    run = sim.simulate(CRAFT, rate=(0.1, 0, 0), duration=1.0, **more)
    hidden = hidden | {
        "hub_torque",
        "motor_power",
        "hub_position",
        "nutation",
        "internal",
        "internal_rate",
        "internal_momentum",
    }
    hidden |= {"position", "velocity", "linear_momentum"}  # it has no elements and does not translate
    hidden |= {"formulation_state", "multiplier", "norm_error"}  # and runs in the standard formulation
    hidden |= {"knowledge_error"}  # and has no estimator
    hidden |= {"command_wheels", "command_external"}  # and has one control torque
    assert set(sim.QUANTITIES) - set(run.names) == hidden
    for name in run.names:
        components = sim.QUANTITIES[name].components
        assert run.values(name).shape == ((run.t.size, len(components)) if components else (run.t.size,))
        assert np.isfinite(run.values(name)).all()
    for name in hidden:
        with pytest.raises(plant.InputError, match=name):
            run.values(name)
    if "energy_balance" in hidden:
        assert run.invariants()["energy_balance_relative"] is None


def test_translating_craft_tells_where_it_is():
    craft = plant.Spacecraft(CRAFT.body, translation=True)
    run = sim.simulate(craft, position=(1, 2, 3), velocity=(0.1, -0.2, 0.3), duration=10.0, output_step=5.0)
    np.testing.assert_allclose(
        run.values("position"), np.array((1, 2, 3)) + np.outer(run.t, (0.1, -0.2, 0.3)), rtol=0, atol=1e-14
    )
    np.testing.assert_allclose(run.values("velocity"), np.tile((0.1, -0.2, 0.3), (3, 1)), rtol=1e-15)


def test_potential_on_rails_has_no_energy_balance():
    gravity = plant.GravityGradient(mu=3.986e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))
    craft = plant.Spacecraft(plant.RigidBody((500, 400, 300)), potentials=[gravity])
    run = sim.simulate(craft, duration=10.0)
    assert "energy_balance" not in run.names
    assert run.invariants()["energy_balance_relative"] is None
    assert float(run.invariants()["momentum_balance_relative"]) < 1e-9


def test_unknown_quantity_names_nearest(slew):
    with pytest.raises(plant.InputError, match="'rate'"):
        slew.values("rates")


def test_body_at_rest_has_invariants_all_same():
    invariants = sim.simulate(CRAFT, duration=1.0).invariants()
    assert invariants == {
        "quaternion_norm_error": 0.0,
        "momentum_balance_relative": 0.0,
        "energy_balance_relative": 0.0,
    }


def test_plot_draws_one_labelled_panel_each(slew):
    from matplotlib.figure import Figure

    figure = slew.plot()
    assert isinstance(figure, Figure)
    assert [panel.get_ylabel() for panel in figure.axes] == ["attitude error (rad)", "rate (rad/s)", "command (N m)"]
    assert figure.axes[-1].get_xlabel() == "time (s)"
    lines = figure.axes[1].get_lines()
    assert [line.get_label() for line in lines] == ["x", "y", "z"]
    np.testing.assert_array_equal(lines[1].get_ydata(), slew.values("rate")[:, 1])
    assert figure.axes[2].get_lines()[0].get_drawstyle() == "steps-post"  # a command is held, not interpolated
    late = controllers.blocks.low_pass(
        reads="command", writes="command", width=3, frequency=2.0, sample=0.1, name="lag"
    )
    damper = controllers.RateDamping(gain=20.0, sample=0.1)
    with_block = sim.simulate(CRAFT, damper, blocks=[late], rate=(0.1, 0, 0), duration=1.0)
    drawn = with_block.plot("command_after_lag", "rate").axes
    assert [panel.get_lines()[0].get_drawstyle() for panel in drawn] == ["steps-post", "default"]
    (panel,) = slew.plot("attitude").axes
    assert panel.get_ylabel() == "attitude"
    with pytest.raises(plant.InputError, match="position"):
        slew.plot("position")
    free = sim.simulate(CRAFT, rate=(0.1, 0, 0), duration=1.0)
    assert [panel.get_ylabel() for panel in free.plot().axes] == ["rate (rad/s)"]


def test_run_prints_as_one_line():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    run = sim.simulate(craft, rate=(0, 0, 0.1), duration=2.0)
    assert repr(run).startswith("<Run completed: 0 to 2 s in ")
    assert "no law" in repr(run)
    assert len(repr(craft.linearize(craft.at_rest()))) < 250


@pytest.mark.parametrize("at", [[100.0], [50.0, 100.0]])
def test_balances_start_at_the_start_whatever_was_recorded(at):
    # steps so long that the energy drifts: the first row is not a reference
    more = {"rate": (0.1, 2.0, 0.1), "duration": 100.0, "integrator": "rk4", "step": 0.25}
    all_rows = sim.simulate(CRAFT, **more, output_step=0.5)
    few = sim.simulate(CRAFT, **more, output_times=at)
    assert abs(all_rows.values("energy_balance")[-1]) > 1e-5 * all_rows.values("energy")[0]
    np.testing.assert_array_equal(few.values("energy_balance")[-1], all_rows.values("energy_balance")[-1])
    np.testing.assert_array_equal(few.values("momentum_balance")[-1], all_rows.values("momentum_balance")[-1])
    for name in ("energy_balance_relative", "momentum_balance_relative"):
        assert 1e-5 < float(few.invariants()[name] or 0.0) <= float(all_rows.invariants()[name] or 0.0)


def test_start_is_kept_whatever_was_recorded():
    x = CRAFT.spinning((0.1, 2.0, 0.1))
    run = sim.simulate(CRAFT, state=x, duration=10.0, output_times=[10.0])
    np.testing.assert_array_equal(run.start[:7], x)
    assert not run.start[7:].any()


def test_slew_from_rest_to_rest_is_not_measured_by_its_end():
    # at the end nothing rotates: the remaining momentum is no scale for a balance
    law = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.9, sample=0.1)
    run = sim.simulate(CRAFT, law, attitude=(0.9, np.sqrt(0.19), 0, 0), duration=300.0, output_times=[300.0])
    assert run.warnings == ()
    assert run.invariants()["momentum_balance_relative"] == pytest.approx(0.0, abs=1e-3)


def test_nutation_is_counted_from_the_axis_of_the_start():
    ring = plant.RingDamper(axis=(0, 0, 1), mass=0.5, radius=0.5, friction=0.2, center=(0.3, 0, 0.2), fill=2.0)
    craft = plant.Spacecraft(plant.RigidBody((1.0, 1.3, 1.6), mass=50.0), elements=[ring])
    more = {"rate": (0.3, 0.0, 2.0), "duration": 20.0}
    np.testing.assert_array_equal(
        sim.simulate(craft, **more, output_times=[20.0]).values("nutation")[-1],
        sim.simulate(craft, **more, output_times=[0.0, 20.0]).values("nutation")[-1],
    )
