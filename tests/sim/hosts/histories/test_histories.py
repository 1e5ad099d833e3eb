"""Attitude and orbit messages: meaning of each number, round trip to the last digits, refused files."""

import json
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix
from polhode.sim.hosts.histories.czml import earth_angle
from polhode.sim.hosts.histories.epochs import moment

EPOCH = "2026-03-20T12:00:00"
ERFA = {EPOCH: 6.248875227259347, "1999-07-01T06:30:00": 0.2858085814681073, "2000-01-01T12:00:00": 4.894961212823059}
"""gmst82 of ERFA 2.0.1, rad."""


@pytest.fixture(scope="module")
def run() -> Any:
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1), mass=100.0), translation=True)
    return sim.simulate(
        craft, rate=(0.1, 0.2, 0.1), position=(7e6, 0, 0), velocity=(0, 7.5e3, 100.0), duration=10.0, output_step=0.1,
        compiled=False,
    )  # fmt: skip


def rows_of(path: Any) -> list[list[str]]:
    """The lines that begin with a date, by an independent reader."""
    return [line.split() for line in path.read_text().splitlines() if line[:2] == "20"]


def test_attitude_message_turns_inertial_vectors_into_body_vectors(run: Any, tmp_path: Any) -> None:
    """CCSDS 504.0-B: M(q), q scalar last, takes components in REF_FRAME_A to REF_FRAME_B: SciPy's inverse rotation."""
    file = sim.write_aem(run, tmp_path / "craft.aem", epoch=EPOCH, object_name="TEST 1", object_id="2026-001A")
    text = file.read_text()
    for said in ("CCSDS_AEM_VERS = 1.0", "ATTITUDE_DIR = A2B", "QUATERNION_TYPE = LAST", "TIME_SYSTEM = UTC"):
        assert said in text.splitlines()
    rows = rows_of(file)
    assert [rows[1][0], rows[-1][0]] == ["2026-03-20T12:00:00.100000000", "2026-03-20T12:00:10.000000000"]
    for k in (0, 37, 100):
        into_body = Rotation.from_quat([float(each) for each in rows[k][1:]]).inv().as_matrix()
        np.testing.assert_allclose(into_body, rotation_matrix(run.values("attitude")[k]).T, atol=1e-14)
    found = sim.read_aem(file)
    np.testing.assert_allclose(found.t, run.t, atol=1e-12)
    np.testing.assert_allclose(found.attitude, run.values("attitude"), atol=1e-15)
    assert (found.epoch, found.frame, found.body_frame) == (f"{EPOCH}.000000000", "EME2000", "SC_BODY_1")
    assert (found.object_name, found.object_id) == ("TEST 1", "2026-001A")


def test_other_orders_directions_and_versions_are_the_same_attitude(run: Any, tmp_path: Any) -> None:
    file = sim.write_aem(run, tmp_path / "craft.aem", epoch=EPOCH)
    text, wanted = file.read_text(), run.values("attitude")

    def read(changed: str) -> Any:
        other = tmp_path / "other.aem"
        other.write_text(changed)
        return sim.read_aem(other).attitude

    def numbers(line: str, order: list[int], sign: float) -> str:
        date, *q = line.split()
        values = [(sign if n < 3 else 1.0) * float(q[n]) for n in order]
        return " ".join([date, *map(repr, values)])

    def rewritten(order: list[int], sign: float = 1.0) -> str:
        return "\n".join(numbers(line, order, sign) if line[:2] == "20" else line for line in text.splitlines())

    first = rewritten([3, 0, 1, 2]).replace("TYPE = LAST", "TYPE = FIRST")
    np.testing.assert_allclose(read(first), wanted, atol=1e-15)
    back = rewritten([0, 1, 2, 3], -1.0)
    np.testing.assert_allclose(read(back.replace("= A2B", "= B2A")), wanted, atol=1e-15)
    swapped = back.replace("EME2000", "X").replace("SC_BODY_1", "EME2000").replace("= X", "= SC_BODY_1")
    np.testing.assert_allclose(read(swapped), wanted, atol=1e-15)
    unsaid = [line for line in text.splitlines() if not line.startswith(("ATTITUDE_DIR", "QUATERNION_TYPE"))]
    second = "\n".join(unsaid).replace("VERS = 1.0", "VERS = 2.0")
    np.testing.assert_allclose(read(second), wanted, atol=1e-15)
    with pytest.raises(InputError, match="has QUATERNION_TYPE = nothing; it must be FIRST or LAST"):
        read("\n".join(unsaid))
    with pytest.raises(InputError, match=r"the quaternion at .* has norm 1\.[0-9]+, not 1"):
        read(text.replace(" 0.0 0.0 0.0 1.0", " 0.1 0.0 0.0 1.0"))
    with pytest.raises(InputError, match="contains SPIN; only quaternions"):
        read(text.replace("ATTITUDE_TYPE = QUATERNION", "ATTITUDE_TYPE = SPIN"))
    with pytest.raises(InputError, match="has 2 segments; select one"):
        read(text + text.split("CENTER")[0].partition("META_START")[1] + text.partition("META_START")[2])
    with pytest.raises(InputError, match="its times are not ascending"):
        read(text.replace("12:00:00.300000000 ", "12:00:09.300000000 "))


def test_orbit_message_is_in_kilometres(run: Any, tmp_path: Any) -> None:
    file = sim.write_oem(run, tmp_path / "craft.oem", epoch="2026-079T12:00:00Z", time_system="TAI")
    numbers = [float(each) for each in rows_of(file)[10][1:]]
    np.testing.assert_allclose(numbers, (7000.0, 7.5, 0.1, 0.0, 7.5, 0.1), rtol=1e-14)
    covariance = "COVARIANCE_START\nEPOCH = 2026-03-20T12:00:00\n1.0\n0.0 1.0\nCOVARIANCE_STOP\n"
    file.write_text(file.read_text() + covariance)
    found = sim.read_oem(file)
    np.testing.assert_allclose(found.position, run.values("position"), rtol=1e-15)
    np.testing.assert_allclose(found.velocity, run.values("velocity"), rtol=1e-15, atol=1e-12)
    assert (found.epoch, found.time_system, found.center) == (f"{EPOCH}.000000000", "TAI", "EARTH")
    with pytest.raises(InputError, match=r"starts with CCSDS_OEM_VERS instead of CCSDS_AEM_VERS"):
        sim.read_aem(file)


def test_cesium_is_told_everything_in_the_axes_of_the_earth(run: Any, tmp_path: Any) -> None:
    """Positions rotated by sidereal time, and attitudes too: a body axis along the position stays along it."""
    file = sim.write_czml(run, tmp_path / "craft.czml", epoch=EPOCH)
    document, craft = json.loads(file.read_text())
    assert document["version"] == "1.0"
    places = np.reshape(craft["position"]["cartesian"], (-1, 4))
    turns = np.reshape(craft["orientation"]["unitQuaternion"], (-1, 5))
    assert craft["position"]["referenceFrame"] == "FIXED"
    np.testing.assert_allclose(places[:, 0], run.t, atol=1e-12)
    for k in (0, 60):
        R = rotation_matrix(run.values("attitude")[k])
        r = run.values("position")[k]
        np.testing.assert_allclose(
            Rotation.from_quat(turns[k, 1:]).inv().apply(places[k, 1:]), R.T @ r, rtol=1e-12, atol=1e-6
        )
    angle = np.arctan2(places[0, 2], places[0, 1])
    assert (-angle) % (2 * np.pi) == pytest.approx(ERFA[EPOCH], abs=1e-6)


def test_sidereal_time_is_that_of_erfa() -> None:
    """To the 0.1 arcsec of constants printed with eight digits."""
    for date, wanted in ERFA.items():
        assert float(earth_angle(moment(date), np.zeros(1))[0]) == pytest.approx(wanted, abs=5e-7)
    later = earth_angle(moment("2026-03-20T00:00:00"), np.array([43200.0]))
    assert float(later[0]) == pytest.approx(ERFA[EPOCH], abs=5e-7)


def test_history_is_reference(run: Any, tmp_path: Any) -> None:
    followed = sim.read_aem(sim.write_aem(run, tmp_path / "craft.aem", epoch=EPOCH)).reference()
    found = np.array([followed.at(float(t)) for t in run.t])
    np.testing.assert_allclose(found[:, :4], run.values("attitude"), atol=1e-15)
    np.testing.assert_allclose(found[:, 4:7], run.values("rate"), atol=1e-6)  # of h^3 with h = 0.1 s
    between = controllers.SampledReference(run.t[::2], run.values("attitude")[::2])
    np.testing.assert_allclose(between.at(5.1)[:4], run.values("attitude")[51], atol=1e-8)


def test_history_refuses_bad_files(run: Any, tmp_path: Any) -> None:
    file = tmp_path / "craft.aem"
    for epoch, words in (
        ("2026-02-30T00:00:00", "is not a valid day"),
        ("2026-366T00:00:00", "is not a valid day"),
        ("2026-000T00:00:00", "is not a valid day"),
        ("2026-03-20", "epoch must be a date such as"),
        ("2026-03-20T24:00:00", "has an invalid time of day"),
        ("2016-12-31T23:59:55", "a leap second precedes 2017-01-01"),
    ):
        with pytest.raises(InputError, match=words):
            sim.write_aem(run, file, epoch=epoch)
    assert sim.write_aem(run, file, epoch="2016-12-31T23:59:55", time_system="TAI") == file
    with pytest.raises(InputError, match=r"time system 'UTCC' is unknown; did you mean 'UTC'"):
        sim.write_aem(run, file, epoch=EPOCH, time_system="UTCC")
    with pytest.raises(InputError, match="object_name must be one line of ASCII"):
        sim.write_aem(run, file, epoch=EPOCH, object_name="a\nb")
    with pytest.raises(InputError, match="run must be a Run"):
        sim.write_aem(3, file, epoch=EPOCH)  # pyright: ignore[reportArgumentType] # what is refused
    still = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0, compiled=False)
    with pytest.raises(InputError, match="the run has no orbit: its spacecraft does not translate"):
        sim.write_oem(still, file, epoch=EPOCH)
    with pytest.raises(InputError, match="state its position"):
        sim.write_czml(still, file, epoch=EPOCH)
    with pytest.raises(InputError, match="cannot be read"):
        sim.read_aem(tmp_path / "nowhere.aem")
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(InputError, match="line 1: is not a keyword with a value"):
        sim.read_oem(tmp_path / "text")
