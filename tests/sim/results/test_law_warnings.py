"""A law used outside its design condition warns, and one within it does not."""

import gc

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.results import law_warnings as checks

J = np.array((100.0, 80.0, 60.0))
WEIGHTS = {"attitude": 25.0, "rate": 100.0, "effort": 1.0}
TILTED = plant.attitude.from_rotation_vector((0.02, 0.02, 0.02))


def craft_of(factor=1.0, *, basis=("body",), limit=None):
    return plant.Spacecraft(plant.RigidBody(factor * J), torques=plant.TorqueBasis(*basis, limit=limit))


def lqr(craft, *, sample=0.05, **more):
    return controllers.lqr(craft.linearize(craft.at_rest()), **{**WEIGHTS, **more}, sample=sample)


def fly(craft, law, *, attitude=TILTED, duration=100.0, **more):
    return sim.simulate(craft, law, attitude=attitude, duration=duration, **more)


LAWS = {
    "lqr": lqr,
    "lqi": lambda craft: controllers.lqi(craft.linearize(craft.at_rest()), **WEIGHTS, integral=0.3, sample=0.05),
    "lqg": lambda craft: controllers.lqg(
        craft.linearize(craft.at_rest()), **WEIGHTS, torque_noise=1e-3, attitude_noise=1e-4, sample=0.05
    ),
    "pid": lambda craft: controllers.pid(
        craft.linearize(craft.at_rest()), frequency=0.5, damping_ratio=0.7, integral_time=30.0, sample=0.05
    ),
    "quaternion": lambda craft: controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.05),
    "energy": lambda craft: controllers.EnergyShaping(stiffness=20.0, damping=60.0, inertia=J, sample=0.05),
    "sliding": lambda craft: controllers.SlidingMode(inertia=J, slope=0.5, reach=1.0, boundary_layer=0.05, sample=0.05),
    "damping": lambda craft: controllers.RateDamping(gain=50.0, sample=0.05),
    "thrusters": lambda craft: controllers.OnOffThrusters(
        torque=0.5, deadband=0.01, lead=5.0, hysteresis=0.002, sample=0.1
    ),
    "own": lambda craft: controllers.CustomLaw(lambda t, y, r: (0.0, 0.0, 0.0), sample=0.1, compiled=False),
}


@pytest.mark.parametrize("name", LAWS)
def test_law_flown_where_it_was_designed_is_silent(name):
    craft = craft_of()
    assert fly(craft, LAWS[name](craft)).warnings == ()


def test_law_about_rest_on_spinning_reference():
    """About the intermediate axis it is unstable, and the run shows it; about the others it is stable."""
    craft = craft_of()
    law = lqr(craft)
    for rate, holds in (((0.0, 4.0, 0.0), False), ((0.0, 0.0, 1.0), True)):
        run = fly(craft, law, rate=rate, reference=controllers.SpinReference(rate=rate), duration=200.0)
        (warning,) = run.warnings
        assert "it was designed about rest, but the reference is a spin of" in warning
        assert ("does not stabilise this spacecraft about its reference, which rotates at" in warning) is not holds
        assert ("the loop is stable here" in warning) is holds
        assert bool(np.degrees(run.values("attitude_error")[-1]) < 1.0) is holds
    right = controllers.lqr(craft.linearize(craft.state(rate=rate)), **WEIGHTS, sample=0.05)
    assert fly(craft, right, rate=rate).warnings == ()


@pytest.mark.parametrize("name", ["lqr", "lqi", "lqg", "pid", "quaternion", "sliding"])
def test_craft_of_twentieth_of_inertia(name):
    law = LAWS[name](craft_of())
    run = fly(craft_of(0.05), law)
    assert "inertia[0, 0] = 100 kg m^2, but this spacecraft has 5" in run.warnings[0]
    assert fly(craft_of(0.995), law).warnings == ()


def test_twentieth_of_inertia_sampled_slowly_is_unstable():
    run = fly(craft_of(0.05), lqr(craft_of(), sample=1.0), duration=30.0, max_steps=20_000)
    (warning,) = run.warnings
    assert "the sampled loop has a pole of modulus 7.29" in warning
    assert "this spacecraft has 5" in warning
    assert run.status == "failed" or np.degrees(run.values("attitude_error").max()) > 90.0


def test_system_that_does_not_stabilise_its_own_plant():
    import control

    craft = craft_of()
    gain = control.ss([], [], [], [[10.0, 1.0]])
    law = controllers.law_from_system(gain, craft.linearize(craft.at_rest()), sample=0.5)
    radius = abs(law.closed_loop_poles()[0])
    assert radius > 1.0
    (warning,) = fly(craft, law).warnings
    assert f"a pole of modulus {radius:.6g} there, so errors grow; see its closed_loop_poles()" in warning


@pytest.mark.parametrize("duration", [200.0, 2000.0])
def test_slew_that_saturates_and_does_not_settle(duration):
    craft = craft_of(limit=0.002)
    run = fly(craft, lqr(craft), attitude=(np.cos(0.8), 0.0, np.sin(0.8), 0.0), duration=duration)
    assert run.status == "completed"
    (warning,) = run.warnings
    assert warning.startswith("the law does not settle: the attitude error reaches 7")
    assert "the torque is at its limit in 100 % of that time" in warning
    strong = craft_of(limit=2.0)
    run = fly(strong, lqr(strong), attitude=(np.cos(0.8), 0.0, np.sin(0.8), 0.0), duration=duration)
    assert run.warnings == ()


def test_weights_that_leave_everything_to_the_sampling():
    craft = craft_of()
    (warning,) = fly(craft, lqr(craft, effort=1e-30)).warnings
    assert "the loop is unstable with twice the gain" in warning
    assert "gain margin is below 6 dB" in warning
    assert lqr(craft, effort=1e-30).margins().gain_up < 2.0


def test_law_that_hardly_acts():
    craft = craft_of()
    far = (np.cos(0.1), np.sin(0.1), 0.0, 0.0)
    law = controllers.quaternion_feedback(craft, frequency=1e-6, damping_ratio=0.7, sample=0.05)
    (warning,) = fly(craft, law, attitude=far).warnings
    assert "the law has little effect: the attitude error reaches 11.5 deg" in warning


def test_thrusters_without_lead():
    craft = craft_of()
    law = controllers.OnOffThrusters(torque=0.5, deadband=0.01, lead=(0.0, 5.0, 0.04), hysteresis=0.002, sample=0.1)
    run = fly(craft, law, duration=1000.0)
    assert run.warnings[0].startswith("the lead about x (0 s), z (0.04 s) is not longer than the 0.05 s")
    assert run.warnings[1].startswith("the law does not settle")


def test_another_torque_basis_and_other_limits():
    law = lqr(craft_of())
    turned = craft_of(basis=("inertial",))
    (warning,) = fly(turned, law).warnings
    assert "commands torque in the 'body' basis, but the spacecraft uses the 'inertial' basis" in warning
    lqi = LAWS["lqi"](craft_of())
    assert (
        "memory assumes torque limits of (inf, inf, inf) N m, but the spacecraft has (5, 5, 5)"
        in fly(craft_of(limit=5.0), lqi).warnings[0]
    )


def test_changed_law_follows_what_its_law_was_designed_for():
    craft = craft_of()
    law = controllers.lqr(craft.linearize(craft.state(rate=(0.0, 0.0, 1.0))), **WEIGHTS, sample=0.05)
    run = sim.simulate(craft, sim.ChangedLaw(law), rate=(0.0, 0.0, 1.0), duration=20.0)
    assert run.values("attitude_error").max() < 1e-6


def test_loop_is_closed_once_for_law_and_craft(monkeypatch):
    from polhode.sim.results import law_warnings

    looks = []
    look = law_warnings._look
    monkeypatch.setattr(law_warnings, "_look", lambda *given: looks.append(1) or look(*given))
    craft = craft_of()
    law = lqr(craft)
    runs = [fly(craft, law, duration=duration) for duration in (1.0, 2.0, 3.0)]
    assert not looks  # nor before the first access
    assert {run.warnings for run in [*runs, *runs]} == {runs[0].warnings}
    assert len(looks) == 1
    assert fly(craft_of(), law, duration=1.0).warnings == ()
    assert len(looks) == 2
    before = len(law_warnings._known)
    del craft, runs
    gc.collect()
    assert len(law_warnings._known) < before  # nothing is stored for a deleted spacecraft


def test_large_craft_says_its_loop_was_not_checked(monkeypatch):
    """The linear model of hundreds of states and its poles take longer than many runs."""
    monkeypatch.setattr(checks, "MOST_STATES", 8)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1)
    craft = plant.Spacecraft(plant.RigidBody(J), elements=[wheel])
    (warning,) = fly(craft, lqr(craft_of()), duration=1.0).warnings
    assert f"the craft has {craft.layout.size} states, and above 8" in warning
    assert "margins(model) of the law checks the loop" in warning
    monkeypatch.undo()
    assert fly(craft, lqr(craft_of()), duration=1.0).warnings == ()


def panelled(*, angle=1.57, **more):
    """A hub of 100 kg with a panel of 10 kg that turns about y, from along x to along -z."""
    panel = plant.HingedPanel(
        hinge=(0.5, 0, 0), axis=(0, 1, 0), mass=10.0, centre=(1.5, 0, 0), inertia=(1.0, 3.0, 4.0), stiffness=500.0,
        damping=50.0, drive_times=(0, 20, 60, 100), drive_angles=(0, 0, angle, angle), **more,
    )  # fmt: skip
    return plant.Spacecraft(plant.RigidBody((30.0, 20.0, 25.0), mass=100.0), elements=[panel])


def inertia_zz(angle):
    """25 and that of the panel about z, and the two masses about their common centre."""
    x, own = 0.5 + 1.5 * np.cos(angle), np.sin(angle) ** 2 * 1.0 + np.cos(angle) ** 2 * 4.0
    return 25.0 + own + 100.0 * 10.0 / 110.0 * x * x


def test_elements_that_change_the_inertia_during_the_run_are_reported():
    craft = panelled()
    weights = {"attitude": 1.0, "rate": 10.0, "effort": 1.0, "sample": 0.5}
    law = controllers.lqr(craft.linearize(craft.at_rest(), allow_nonequilibrium=True), **weights)
    run = fly(craft, law, duration=150.0)
    (words,) = (each for each in run.warnings if "elements moved or" in each)
    assert run.warned == len(run.warnings)
    end, start = inertia_zz(float(run.values("internal")[-1, 0])), inertia_zz(0.0)
    assert (
        f"inertia[2, 2] of the spacecraft is {end:.6g} kg m^2 at the end, {start:.6g} at the start and {start:.6g}"
        in words
    )
    hub_only = controllers.quaternion_feedback(craft, frequency=0.1, damping_ratio=0.7, sample=0.5)
    for other, flown in ((law, panelled(angle=0.05)), (hub_only, craft)):
        assert not any("elements moved" in each for each in fly(flown, other, duration=150.0).warnings)


def test_tank_that_empties_during_the_run_is_reported():
    tank = plant.Propulsion(
        [(0, 0, -1)], [(0, 0, 1)], specific_impulse=200.0, propellant=40.0, inertia=(20.0, 20.0, 20.0)
    )
    craft = plant.Spacecraft(plant.RigidBody((60.0, 50.0, 40.0), mass=100.0), elements=[tank])
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=1.0, rate=10.0, effort=1.0, sample=0.5)
    burn = plant.TorquePulse(1500.0, start=1.0, stop=40.0, coordinate="thruster_1_impulse")
    run = fly(craft, law, duration=60.0, torques=[burn], step=0.05, integrator="rk4")
    used = 1500.0 * 39.0 / (9.80665 * 200.0)
    (words,) = (each for each in run.warnings if "elements moved or" in each)
    left = 20.0 * (1.0 - used / 40.0)  # of the inertia of the propellant, at uniform density
    for axis, hub in enumerate((60.0, 50.0, 40.0)):
        assert float(craft.locked_inertia(run.states[-1, :8])[axis, axis]) == pytest.approx(hub + left, rel=1e-9)
    assert any(f"is {hub + left:.6g} kg m^2 at the end, {hub + 20.0:g} at" in words for hub in (60.0, 50.0, 40.0))
