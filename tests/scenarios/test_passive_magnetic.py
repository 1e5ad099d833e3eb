"""The case `passive-magnetic`: a magnet and hysteresis rods, and the metrics that judge it."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from polhode import scenarios
from polhode.plant import InputError
from polhode.plant.attitude import rotation_matrix
from polhode.plant.environment import Epoch, IGRFField, MeanOrbit
from polhode.scenarios.commands.invoke import invoke

MU0 = 4e-7 * np.pi
SHORT = ["run.duration_s=1200.0", "require=[]"]
RODS = "plant.elements=[]"


@pytest.fixture(scope="module")
def result():
    return scenarios.run_case("passive-magnetic")


@pytest.fixture(scope="module")
def flux(result):
    """Field (n, 3) from the orbit and the IGRF at the rows, inertial axes, and the rotation matrices."""
    t, epoch = np.asarray(result.run.t), Epoch("2026-03-20T12:00:00Z")
    orbit = MeanOrbit(epoch=epoch, semi_major_axis=6978137.0, inclination=np.radians(55.0))
    field = IGRFField().along(epoch, t, position=orbit.state(t)[0])
    return field, np.stack([rotation_matrix(e) for e in result.run.states[:, 3:7]])


def test_magnet_follows_the_field(result, flux):
    field, turns = flux
    cosine = np.sum(field * turns[:, :, 2], axis=1) / np.linalg.norm(field, axis=1)
    angle, t = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))), np.asarray(result.run.t)
    assert result.metrics["peak_dipole_field_angle_deg"].value == pytest.approx(angle[t >= 21600.0].max(), abs=0.01)
    assert angle[t < 3000.0].max() > 35.0
    assert angle[t >= 12000.0].max() < 15.0


def test_magnet_without_rods_swings_on():
    undamped = scenarios.run_case("passive-magnetic", overrides=[RODS, "require=[]"])
    angle = undamped.metrics["peak_dipole_field_angle_deg"].value
    assert angle is not None
    assert angle > 30.0


def test_largest_torque_of_the_rods_is_named(result, flux):
    field, turns = flux
    body = np.einsum("nji,nj->ni", turns, field)
    induction = result.run.values("induction")
    dipole = np.column_stack([3e-6 / MU0 * induction, np.zeros(len(induction))])
    largest = np.linalg.norm(np.cross(dipole, body), axis=1).max()
    assert result.metrics["peak_hysteresis_rods_torque_N_m"].value == pytest.approx(largest, rel=1e-3)
    np.testing.assert_allclose(result.run.values("applied_field"), body[:, :2] / MU0, atol=2e-3)


def test_rods_without_magnetic_field_are_refused():
    with pytest.raises(InputError, match=r"plant.elements\[0\]: a hysteresis-rod needs the magnetic field"):
        scenarios.run_case("passive-magnetic", overrides=[*SHORT, "environment={gravity_gradient=true}"])


def test_rods_need_no_other_load():
    run = scenarios.run_case("passive-magnetic", overrides=[*SHORT, 'environment={magnetic_field="igrf"}']).run
    assert run.status == "completed"
    assert np.ptp(run.values("induction")) > 1e-4


def test_run_writes_its_pictures(tmp_path, monkeypatch):
    """The momentum sphere shows the motion of the free spacecraft, in which the rods have no field."""
    savefig = Figure.savefig

    def save_the_sphere(self, path, **options):
        if "momentum_sphere" in path.name:
            savefig(self, path, **options)

    monkeypatch.setattr(Figure, "savefig", save_the_sphere)
    words = ["run", "passive-magnetic", "--out", str(tmp_path / "out"), "--set", "run.duration_s=600.0"]
    assert invoke([*words, "--set", "require=[]"]) == 0
    assert (tmp_path / "out" / "momentum_sphere.png").stat().st_size > 1000
    assert (tmp_path / "out" / "run.nc").exists()
