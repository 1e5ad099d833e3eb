"""Warnings about a lost orbit and a position inside the central body, against the closed form of a circular orbit."""

import numpy as np
import pytest

from polhode import controllers, plant, sim

MU, R = 3.986004418e14, 7e6
SPEED = np.sqrt(MU / R)


def simulated(velocity=(0.0, SPEED, 0.0), **more):
    craft = plant.Spacecraft(
        plant.RigidBody((3.0, 2.0, 4.0), mass=7.0), translation=True, potentials=[plant.PointGravity(mu=MU)]
    )
    return sim.simulate(craft, position=(R, 0, 0), velocity=velocity, output_step=100.0, **more)


@pytest.mark.parametrize(("step", "flagged"), [(200.0, True), (400.0, True), (30.0, False)])
def test_lost_orbit_names_the_position_and_its_error(step, flagged):
    run = simulated(duration=60000.0, integrator="rk4", step=step)
    angle = SPEED / R * 60000.0
    error = float(np.linalg.norm(run.values("position")[-1] - R * np.array((np.cos(angle), np.sin(angle), 0.0))))
    words = [each for each in run.warnings if "the position at the end may have an error of" in each]
    assert bool(words) == flagged == (error > 1e-3 * R)
    assert not any("attitude at the end" in each for each in run.warnings)
    if words:
        stated = float(words[0].split("along the orbit, ")[1].split(" m,")[0])
        assert 0.5 * error < stated < 2.0 * error
        assert "energy of the orbit" in words[0]


def test_orbit_into_the_earth_is_reported():
    """7.5 m/s instead of 7.5 km/s: the position falls like a stone, 643 km to the polar radius in 391 s."""
    run = simulated(velocity=(0.0, 7.5, 0.0), duration=500.0)
    (words,) = [each for each in run.warnings if "inside the Earth" in each]
    # radial fall from rest at R: t = sqrt(R^3/(2 mu)) (sqrt(u (1 - u)) + acos(sqrt(u))), u = r/R
    u = 6.3568e6 / R
    t = np.sqrt(R**3 / (2 * MU)) * (np.sqrt(u * (1 - u)) + np.arccos(np.sqrt(u)))
    assert float(words.split("from t = ")[1].split(" s")[0]) == np.ceil(t / 100.0) * 100.0
    assert not any("inside" in each for each in simulated(duration=500.0).warnings)


@pytest.mark.parametrize(("share", "speed", "reported"), [(1.0, 0.9, True), (0.2, 0.9, False), (1.0, 0.99, False)])
def test_pericentre_inside_the_earth_between_rows_is_reported(share, speed, reported):
    """From apocentre at R at s times the circular speed, the pericentre is at R s^2/(2 - s^2), half an orbit later."""
    low = R * speed**2 / (2.0 - speed**2)
    period = 2.0 * np.pi * np.sqrt((0.5 * (R + low)) ** 3 / MU)
    craft = plant.Spacecraft(
        plant.RigidBody((3.0, 2.0, 4.0), mass=7.0), translation=True, potentials=[plant.PointGravity(mu=MU)]
    )
    start = {"position": (R, 0, 0), "velocity": (0, speed * SPEED, 0)}
    run = sim.simulate(craft, **start, duration=share * period, output_times=[0.0, share * period])
    words = [each for each in run.warnings if "inside the Earth between" in each]
    assert bool(words) == reported
    assert not words or f"within {low:.4g} m of the centre" in words[0]


@pytest.mark.parametrize(("speed", "duration"), [(7.5, 395.0), (7.5, 387.0), (-2e4, 60.0), (-2e4, 25.0)])
def test_entry_after_the_last_row_is_reported(speed, duration):
    """A fall from rest enters the polar radius after 391 s; at 20 km/s inward (an open orbit), after about 32 s."""
    velocity = (0.0, speed, 0.0) if speed > 0.0 else (speed, 1e3, 0.0)
    craft = plant.Spacecraft(
        plant.RigidBody((3.0, 2.0, 4.0), mass=7.0), translation=True, potentials=[plant.PointGravity(mu=MU)]
    )
    given = {"position": (R, 0, 0), "velocity": velocity, "duration": duration}
    run = sim.simulate(craft, **given, output_times=[0.0])
    fine = sim.simulate(craft, **given, output_step=duration / 200.0)
    inside = np.linalg.norm(fine.values("position"), axis=1).min() < 6.3568e6
    assert inside == (duration in (395.0, 60.0))
    words = [each for each in run.warnings if "inside the Earth between t = 0 and" in each]
    assert bool(words) == inside


def law():
    return controllers.QuaternionFeedback(
        inertia=(3.0, 2.0, 4.0), stiffness=1.0, damping=np.diag((3.0, 3.0, 3.0)), sample=0.1
    )


@pytest.mark.parametrize(("turn", "reported"), [(0.0, False), (0.1, True)])
def test_reference_along_another_orbit_is_reported(turn, reported):
    """The centre of an orbit turned by 0.1 rad about the pole is 5.73 deg away, of the own orbit and of a load."""
    place = R * np.array((np.cos(turn), np.sin(turn), 0.0))
    going = SPEED * np.array((-np.sin(turn), np.cos(turn), 0.0))
    nadir = controllers.NadirPointing(place, going, mu=MU, boresight=(0, 0, 1), clock=(1, 0, 0))
    gradient = plant.GravityGradient(mu=MU, position=(R, 0, 0), velocity=(0, SPEED, 0))
    fixed = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 4.0)), potentials=[gradient])
    moving = plant.Spacecraft(
        plant.RigidBody((3.0, 2.0, 4.0), mass=7.0), translation=True, potentials=[plant.PointGravity(mu=MU)]
    )
    starts = {"position": (R, 0, 0), "velocity": (0, SPEED, 0)}
    for craft, start in ((fixed, {}), (moving, starts)):
        run = sim.simulate(craft, law(), reference=nadir, duration=10.0, **start)
        assert any("centres differ by 5.73 deg" in each for each in run.warnings) == reported
        assert any("uses another orbit" in each for each in run.warnings) == reported
