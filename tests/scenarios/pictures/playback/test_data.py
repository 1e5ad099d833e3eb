"""Data of the playback against the displayed run, reference and command."""

import json

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.attitude import rotation_angle, rotation_matrix
from polhode.plant.attitude.quaternion import attitude_error
from polhode.plant.errors import InputError
from polhode.scenarios.pictures.playback import playback_data
from polhode.scenarios.pictures.playback.keyframes import slerp


def at_rows(run, channel, decode):
    """An attitude channel at all rows of the run."""
    t, values = decode(channel)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    found = []
    for time in run.t:
        row = min(int(np.searchsorted(t, time, side="right")) - 1, len(t) - 2)
        share = (time - t[row]) / (t[row + 1] - t[row])
        found.append(slerp(values[row], values[row + 1], np.array([share]))[0])
    return np.array(found)


@pytest.mark.parametrize("name", ["nutation-damping", "slew-lqr"])
def test_attitude_channel_meets_rows_within_stated_error(flown, decode, name):
    run = flown(name, "run.duration_s=20").run
    data = json.loads(json.dumps(playback_data(run)))
    channel = data["channels"]["attitude"]
    found = at_rows(run, channel, decode)
    apart = rotation_angle(attitude_error(found, run.values("attitude")))
    assert apart.max() <= channel["error"] + 4e-7  # float32
    assert channel["error"] <= np.radians(0.02)


def test_linear_channels_meet_rows_within_stated_error(flown, decode):
    run = flown("dual-spin", "run.duration_s=200").run
    data = playback_data(run)
    for name, values in (("rate", run.values("rate")), ("wheel_1-0:angle", run.values("internal")[:, :1])):
        t, kept = decode(data["channels"][name])
        found = np.column_stack([np.interp(run.t, t, kept[:, n]) for n in range(kept.shape[1])])
        worst = float(np.abs(found - values).max())
        assert worst <= data["channels"][name]["error"] + 1e-7 * float(np.abs(values).max())


def test_target_is_reference_at_each_time(flown, decode):
    flight = flown("nadir-pointing", "run.duration_s=3000")
    run = flight.run
    data = playback_data(run, flight.loaded.case)
    found = at_rows(run, data["channels"][data["target"]], decode)
    wanted = np.array([run.reference.at(float(t))[:4] for t in run.t])
    apart = rotation_angle(attitude_error(found, wanted))
    assert apart.max() <= data["channels"]["target"]["error"] + 1e-6


def test_nadir_is_direction_of_boresight_of_reference(flown, decode):
    flight = flown("nadir-pointing", "run.duration_s=3000")
    data = playback_data(flight.run, flight.loaded.case)
    assert [each["label"] for each in data["directions"]] == ["nadir"]
    t, nadir = decode(data["channels"]["direction:nadir"])
    for time, direction in zip(t, nadir, strict=True):
        boresight = rotation_matrix(flight.run.reference.at(float(time))[:4])[:, 2]
        np.testing.assert_allclose(direction, boresight, atol=2e-7)  # float32


def test_directions_of_the_environment_are_those_of_the_libraries(flown, decode):
    ppigrf, erfa = pytest.importorskip("ppigrf"), pytest.importorskip("erfa")
    flight = flown("cubesat-detumble", "run.duration_s=2000")
    data = playback_data(flight.run, flight.loaded.case)
    labels = [each["label"] for each in data["directions"]]
    assert labels == ["nadir", "Sun", "magnetic field", "velocity"]

    def first(name):
        return decode(data["channels"][f"direction:{name}"])[1][0]

    up = -first("nadir")
    days = 2461120.0 + 69.184 / 86400.0  # 2026-03-20 12:00 UTC as TT
    sun = -erfa.epv00(days, 0.0)[0]["p"]  # heliocentric Earth; aberration and parallax below 1e-4
    np.testing.assert_allclose(first("Sun"), sun / np.linalg.norm(sun), atol=2e-4)
    # the field in Earth-fixed axes, rotated by the Earth rotation angle; the pole has moved by 2.5e-3 since 2000
    east_of = np.arctan2(up[1], up[0]) - erfa.era00(2461120.0, 0.0)
    radius, colatitude = 6878.137, np.degrees(np.arccos(up[2]))
    r, theta, phi = (float(np.ravel(each)[0]) for each in ppigrf.igrf_gc(
        radius, colatitude, np.degrees(east_of), np.datetime64("2026-03-20T12:00").item()))  # fmt: skip
    south = np.array([up[2] * up[0], up[2] * up[1], up[2] ** 2 - 1.0]) / np.sin(np.radians(colatitude))
    field = r * up + theta * south + phi * np.cross(south, up) * -1.0
    np.testing.assert_allclose(first("magnetic field"), field / np.linalg.norm(field), atol=5e-3)
    assert abs(float(first("velocity") @ up)) < 2e-3  # near-circular orbit


def test_thrusters_give_commanded_torque(flown, decode):
    flight = flown("thrusters-and-wheels", "run.duration_s=30")
    run, data = flight.run, playback_data(flight.run, flight.loaded.case)
    assert len(data["thrusters"]) == 12
    t, forces = decode(data["channels"]["thrust"])
    torques = np.array([np.cross(each["position"], each["direction"]) for each in data["thrusters"]])
    pushes = np.array([each["direction"] for each in data["thrusters"]])
    wanted = run.values("command_external")[np.searchsorted(run.t, t)]
    assert np.abs(wanted).max() > 0.5
    np.testing.assert_allclose(forces @ torques, wanted, atol=1e-6)  # float32
    np.testing.assert_allclose(forces @ pushes, 0.0, atol=1e-6)  # force_free
    assert (forces >= 0.0).all()
    assert forces.max() <= 0.5 * (1.0 + 1e-6)


def test_sensors_have_boresights_validity_and_sun(flown, decode):
    flight = flown("acquisition", "run.duration_s=120")
    data = playback_data(flight.run, flight.loaded.case)
    tracker = next(each for each in data["sensors"] if each["label"] == "star tracker")
    np.testing.assert_allclose(tracker["axis"], (1, 0, 0), atol=1e-15)  # mounted along body x
    assert tracker["stated"] is None
    assert sum(each["label"] == "sun cells" for each in data["sensors"]) == 14
    _, valid = decode(data["channels"][tracker["valid"]])
    assert set(valid[:, 0]) == {0.0, 1.0}  # blind while the spacecraft tumbles
    assert data["directions"][0]["label"] == "Sun"
    _, sun = decode(data["channels"]["direction:Sun"])
    np.testing.assert_array_equal(sun[0], (0, 0, 1))
    assert data["mode"]["labels"] == ["damping", "sun", "fine"]


def test_hub_of_axisymmetric_body_is_cylinder_about_its_axis():
    for axis in range(3):
        moments = np.full(3, 4.0)
        moments[axis] = 5.0
        craft = plant.Spacecraft(plant.RigidBody(moments, mass=10.0))
        hub = playback_data(sim.simulate(craft, state=craft.spinning((0.1, 0.2, 0.3)), duration=1.0))["hub"]
        assert hub["kind"] == "cylinder"
        np.testing.assert_allclose(np.abs(np.array(hub["frame"])[:, 2]), np.eye(3)[axis], atol=1e-12)
        assert 0.5 * 10.0 * hub["radius"] ** 2 == pytest.approx(5.0)
        assert 10.0 * (3.0 * hub["radius"] ** 2 + hub["height"] ** 2) / 12.0 == pytest.approx(4.0)


def test_pivoted_hub_stands_beside_pivot(flown):
    run = flown("spinning-top", "run.duration_s=0.5").run
    place = playback_data(run)["place"]
    np.testing.assert_array_equal(place["pivot"], run.craft.body.pivot)


def test_run_of_one_row_says_that_nothing_moves():
    craft = plant.Spacecraft(plant.RigidBody((1.0, 2.0, 2.5)))
    run = sim.simulate(craft, state=craft.at_rest(), duration=1.0, output_times=[1.0], output_step=1.0)
    data = playback_data(run)
    assert data["arrows"] == []
    json.dumps(data, allow_nan=False)


def test_rows_too_far_apart_are_announced():
    craft = plant.Spacecraft(plant.RigidBody((1.0, 2.0, 2.5)))
    run = sim.simulate(craft, state=craft.spinning((0, 0, 2.0)), duration=20.0, output_step=2.0)
    assert any("between rows" in note for note in playback_data(run)["notes"])


def test_element_without_shape_is_named():
    modes = plant.FlexibleModes(frequencies=(1.2,), damping_ratios=0.005, rotation=((1.0,), (0,), (0,)))
    craft = plant.Spacecraft(plant.RigidBody((10.0, 12.0, 14.0)), elements=[modes])
    run = sim.simulate(craft, state=craft.spinning((0.1, 0, 0.2)), duration=5.0)
    assert "mode is not drawn: its model has no shape" in playback_data(run)["notes"]


def test_attitude_that_is_not_finite_is_refused(flown):
    from dataclasses import replace

    run = flown("torque-free", "run.duration_s=60").run
    states = run.states.copy()
    states[3, 4] = np.nan
    with pytest.raises(InputError, match="attitude of the run is not finite"):
        playback_data(replace(run, states=states))


def test_gimbals_are_those_of_the_torque_basis_or_of_the_formulation(flown):
    basis = ["plant.torque_basis=euler", 'plant.euler_sequence="3-1-3"', "run.duration_s=5"]
    flight = flown("torque-free", *basis)
    assert playback_data(flight.run, flight.loaded.case)["gimbals"] == {"sequence": "3-1-3", "axes": [2, 0, 2]}
    angles = ["run.formulation=euler-angles", 'run.formulation_sequence="3-2-1"', "run.duration_s=5"]
    flight = flown("torque-free", *angles)
    assert playback_data(flight.run, flight.loaded.case)["gimbals"]["axes"] == [2, 1, 0]
    flight = flown("slew-lqr", "run.duration_s=5")
    assert playback_data(flight.run, flight.loaded.case)["gimbals"] is None
