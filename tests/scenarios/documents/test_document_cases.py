"""Disk on a spring and roll coupling: results of the command line against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from polhode.plant.attitude import rotation_matrix
from polhode.plant.attitude.free_motion import roll_coupling


def test_disk_follows_elliptic_function(polhode):
    times = [0.0, 0.4, 1.0, 2.3, 5.0, 9.7]
    done = polhode("run", "disk-on-spring", "--json", "--at", ",".join(map(str, times)))
    assert done.code == 0, done.err
    samples = done.json["samples"]
    phi = [2.0 * np.arctan2(sample["attitude"][3], sample["attitude"][0]) for sample in samples]
    momentum = [sample["momentum_N_m_s"][2] for sample in samples]
    _, cn, dn, _ = ellipj(np.sqrt(5.0) * np.array(times), 0.25)
    np.testing.assert_allclose(np.sin(phi), 0.5 * cn / dn, rtol=0, atol=1e-11)
    # an independent integration, fifteen digits
    np.testing.assert_allclose([phi[2], phi[4]], [-0.261672071351137, -0.290824373935541], rtol=0, atol=1e-11)
    np.testing.assert_allclose([momentum[2], momentum[4]], [-1.913511672698748, 1.831824118518006], rtol=0, atol=1e-10)


def test_disk_comes_back_after_its_period(polhode):
    period = float(4.0 * ellipk(0.25) / np.sqrt(5.0))
    assert period == pytest.approx(3.0155619091642836, rel=1e-15)
    done = polhode("run", "disk-on-spring", "--json", "--at", f"{period!r}")
    (sample,) = done.json["samples"]
    np.testing.assert_allclose(sample["momentum_N_m_s"], 0.0, rtol=0, atol=1e-10)
    assert 2.0 * np.degrees(np.arctan2(sample["attitude"][3], sample["attitude"][0])) == pytest.approx(30.0, abs=1e-9)


def test_nose_swings_out_to_twice_misalignment(polhode):
    coned = roll_coupling(85000.0, 12800.0, misalignment=np.radians(2.0), impulse=51200.0)
    assert coned.motion.precession == pytest.approx(0.6023529412, abs=5e-11)
    out = coned.time_of_largest_swing
    times = [0.3 * out, 0.5 * out, out, 2.0 * out, 3.0 * out]
    times = [time for time in times if time <= 30.0]
    done = polhode("run", "roll-coupling", "--json", "--at", ",".join(f"{time!r}" for time in times))
    assert done.code == 0, done.err
    axis = np.array((np.sin(np.radians(2.0)), 0.0, np.cos(np.radians(2.0))))  # roll axis, and H in space
    nose = [rotation_matrix(sample["attitude"]) @ axis for sample in done.json["samples"]]
    swing = [np.arctan2(np.linalg.norm(np.cross(each, axis)), each @ axis) for each in nose]
    np.testing.assert_allclose(swing, coned.swing(times), rtol=0, atol=1e-9)
    assert np.degrees(swing[2]) == pytest.approx(4.0, abs=1e-7)
