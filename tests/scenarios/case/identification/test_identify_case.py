"""`identify_case` on telemetry of scipy: sigma is the Cramer-Rao bound, errors match it, faults are named."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.identification import identify_case
from polhode.scenarios.case.identification.telemetry import Channel, read_telemetry
from polhode.scenarios.case.kinds.sensors.sensed import sensed
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.pictures.study.identified_case import draw_identified

from . import conftest as body

TRUTH = np.array([body.J[place] for place in body.ENTRIES])
PRINTED = np.array((1.0964571e-4, 1.1857648e-4, 2.7255516e-4, 4.8874529e-5, 4.6720688e-5, 1.7647042e-4))
"""Cramer-Rao bounds of the same torque and gyro with instantaneous rates, from exact sensitivities by another code."""

STATIC = "plant.inertia_kg_m2=[[6.53,0.45,-0.30],[0.45,5.96,0.22],[-0.30,0.22,4.53]]"


def values(found):
    return np.array([each.value for each in found.estimates])


def test_inertia_from_scipy_telemetry_is_within_its_sigma(case, truth, tmp_path):
    path = body.write_csv(tmp_path / "run.csv", body.table(truth))
    found = identify_case(case, path, free=["inertia"], known_start=True)
    assert found.converged
    assert found.observable
    error = values(found) - TRUTH
    assert error @ body.fisher() @ error < 22.5  # chi-square of 6, 0.1 %
    np.testing.assert_allclose(found.information.sigma, np.sqrt(np.diag(np.linalg.inv(body.fisher()))), rtol=1e-3)
    assert found.difference_error < 1e-4
    assert all(each.fits and each.is_white for each in found.tests)
    _, sigmas, ellipsoid, *_ = draw_identified(found)["identify"].axes
    drawn = {line.get_label(): np.asarray(line.get_xdata()) for line in sigmas.lines}
    scale = found.information.scale / 100.0
    np.testing.assert_allclose(drawn["all others known"] * scale, 1.0 / np.sqrt(np.diag(body.fisher())), rtol=1e-3)
    volume = np.prod(ellipsoid.lines[0].get_xdata()) * np.prod(scale)  # product of the semi-axes
    assert volume == pytest.approx(np.linalg.det(body.fisher()) ** -0.5, rel=1e-2)


def test_sigma_equals_printed_cramer_rao_bounds(case, truth, tmp_path):
    """Within 0.5 %: the gyro gives mean rates, which lag by 0.05 s."""
    path = body.write_csv(tmp_path / "run.csv", body.table(truth))
    found = identify_case(case, path, free=["inertia"], known_start=True, overrides=[STATIC])
    np.testing.assert_allclose(found.information.sigma, PRINTED, rtol=5e-3)


@pytest.mark.slow
def test_errors_of_200_seeds_are_those_of_cramer_rao_bound(case, truth, tmp_path):
    """Mean NEES within the 99 % band of 1200 degrees of freedom: 6 (0.898 .. 1.108)."""
    loaded = load_case(case, [STATIC])
    sensors = sensed(loaded.case, sample=0.1)
    path = body.write_csv(tmp_path / "run.csv", body.table(truth))
    telemetry = read_telemetry(path, sensors, sample=0.1, delay=0.0)
    information, errors = body.fisher(), []
    for seed in range(200):
        channel = Channel(times=telemetry.channels["gyro"].times, values=body.gyro_rows(truth, seed))
        found = identify_case(
            loaded, replace(telemetry, channels={"gyro": channel}), free=["inertia"], known_start=True
        )
        errors.append(values(found) - TRUTH)
    errors = np.array(errors)
    nees = np.einsum("ni,ij,nj->n", errors, information, errors)
    assert 0.898 < nees.mean() / 6.0 < 1.108
    ratio = errors.std(axis=0) / np.sqrt(np.diag(np.linalg.inv(information)))
    assert (np.abs(ratio - 1.0) < 0.15).all()  # three standard deviations of a standard deviation of 200


def test_unknown_start_is_estimated_with_star_tracker(tracked, tmp_path):
    rate = (0.02, -0.03, 0.01)
    truth = body.motion(rate=rate)
    path = body.write_csv(tmp_path / "run.csv", body.table(truth, tracker=True))
    found = identify_case(tracked, path, free=["inertia"])
    assert np.abs((values(found) - TRUTH) / found.information.sigma).max() < 4.0
    start = {each.name: each for each in found.nuisances}
    for axis, each in zip("xyz", rate, strict=True):
        one = start[f"initial_rate_{axis}"]
        assert abs(one.value - each) < 4.0 * one.sigma
    assert all(each.fits for each in found.tests)


@pytest.mark.slow
def test_prior_adds_its_information(case, truth, tmp_path):
    path = body.write_csv(tmp_path / "run.csv", body.table(truth))
    found = identify_case(case, path, free=["inertia"], known_start=True, priors={"inertia": 1e-4}, overrides=[STATIC])
    expected = np.linalg.inv(body.fisher() + 1e8 * np.eye(6))
    np.testing.assert_allclose(found.information.sigma, np.sqrt(np.diag(expected)), rtol=2e-3)


def test_every_estimate_is_a_body_where_data_are_poor(case, truth, tmp_path):
    """With a hundred times the noise and two seconds of telemetry the unconstrained least squares give no valid
    inertia.
    """
    columns = {name: column[:21].copy() for name, column in body.table(truth).items()}
    rng = np.random.default_rng(9)
    for axis in "xyz":
        columns[f"gyro_{axis}_rad_s"] += 1e-2 * rng.normal(size=21)
    path = body.write_csv(tmp_path / "run.csv", columns)
    found = identify_case(case, path, free=["inertia"], known_start=True)
    assert not found.observable
    tensor = np.array(found.by_key["plant.inertia_kg_m2"])
    low, middle, high = np.linalg.eigvalsh(tensor)
    assert low > 0.0
    assert high < low + middle


def test_pure_spin_names_what_it_does_not_show(case, tmp_path):
    """A spin about z under torque about z: zz, xz and yz are observable; xx, yy and xy are not."""
    spin = np.column_stack((np.cos(0.1 * body.TIMES), 0 * body.TIMES, 0 * body.TIMES, np.sin(0.1 * body.TIMES)))
    rate = np.tile((0.0, 0.0, 0.2), (len(spin), 1)) + 0.01 * body.TIMES[:, None] * np.array((0.0, 0.0, 1.0))
    columns = body.table(np.hstack((spin, rate)))
    columns |= {
        "command_1_N_m": 0 * body.TIMES,
        "command_2_N_m": 0 * body.TIMES,
        "command_3_N_m": 0 * body.TIMES + 0.05,
    }
    noise = body.RATE_NOISE * np.random.default_rng(2).normal(size=rate.shape)
    measured = np.vstack((rate[:1], 0.5 * (rate[1:] + rate[:-1]))) + noise  # 0.05 N m on 5 kg m^2
    columns |= {f"gyro_{axis}_rad_s": column for axis, column in zip("xyz", measured.T, strict=True)}
    path = body.write_csv(tmp_path / "run.csv", columns)
    found = identify_case(case, path, free=["inertia"], known_start=True, overrides=["initial.rate_rad_s=[0,0,0.2]"])
    assert len(found.unobservable) == 3
    words = [each.get_text() for each in draw_identified(found)["identify"].axes[2].texts]
    assert len(words) == 6
    named = {name for each in found.unobservable for name in str(each).split() if name.startswith("inertia")}
    assert named == {"inertia_xx", "inertia_yy", "inertia_xy"}
    assert all("body x" in each or "body y" in each for each in found.advice)
    assert found.estimates[2].value == pytest.approx(5.0, abs=4.0 * found.estimates[2].sigma)


def test_wrong_noise_is_reported(case, truth, tmp_path):
    path = body.write_csv(tmp_path / "run.csv", body.table(truth))
    quiet = "sensors.0.angle_random_walk_deg_sqrt_h=0.05"
    found = identify_case(case, path, free=["inertia"], known_start=True, overrides=[STATIC, quiet])
    assert not found.tests[0].fits
    assert any("times the noise that the case declares" in each for each in found.notes)


@pytest.mark.parametrize(
    ("free", "message"),
    [
        ([], "--free names no parameter"),
        (["inertia", "plant.inertia_kg_m2"], "twice"),
        (["controller.gain_N_m_s"], "only keys of plant, sensors, environment"),
        (["plant.mass"], "there is no key 'mass'"),
        (["sensors.0.kind"], "not a number"),
        (["sensors.0.alignment"], "only a star tracker"),
        (["sensors.4.bias"], "numbered from 0"),
        (["sensors.0.errors"], "is 0 in the case"),
        (["sensors.0"], "is a table of the case, not a number; name one of its keys"),
        (["plant.inertia_kg_m2.0.1"], "would not stay symmetric and physical; give --free inertia"),
        (["inertia", "plant.inertia_kg_m2.0.0"], "would not stay symmetric and physical"),
    ],
)
def test_free_parameters_are_checked(case, free, message):
    with pytest.raises(InputError, match=message):
        identify_case(case, Path("none.csv"), free=free)


def test_noise_is_not_identified_and_advice_says_so(case, truth, tmp_path):
    path = body.write_csv(tmp_path / "run.csv", body.table(truth))
    found = identify_case(case, path, free=["sensors.0.angle_random_walk_deg_sqrt_h"], overrides=[STATIC])
    assert not found.observable
    assert found.advice[0].startswith("no simulated measurement depends on sensors.0.angle_random_walk_deg_sqrt_h")


def test_case_with_faults_is_refused(case):
    fault = "faults=[{part='gyro', kind='frozen', from_s=10.0}]"
    with pytest.raises(InputError, match="without faults"):
        identify_case(case, Path("none.csv"), free=["inertia"], overrides=[fault])


def test_case_with_modes_is_refused():
    with pytest.raises(InputError, match=r"a case with \[\[modes\]\] is not supported"):
        identify_case("thrusters-and-wheels", Path("none.csv"), free=["inertia"])


def test_bias_is_found_where_nothing_of_the_plant_is_free(tracked, tmp_path):
    """Parameters of sensors only: many of the finite differences share one run."""
    bias = np.array((2e-4, -3e-4, 1e-4))
    columns = body.table(body.motion(rate=(0.02, -0.03, 0.01)), tracker=True)
    columns |= {
        f"gyro_{axis}_rad_s": columns[f"gyro_{axis}_rad_s"] + each for axis, each in zip("xyz", bias, strict=True)
    }
    path = body.write_csv(tmp_path / "run.csv", columns)
    free = ["sensors.0.bias"]
    found = identify_case(tracked, path, free=free, priors={"sensors.0.bias": 1e-3}, overrides=[STATIC])
    assert found.converged
    assert np.abs((values(found) - bias) / found.information.sigma).max() < 4.0
    assert found.by_key == {}
    assert all(each.fits for each in found.tests)


def test_prior_of_other_key_is_refused(case):
    with pytest.raises(InputError, match="is not free"):
        identify_case(case, Path("none.csv"), free=["inertia"], priors={"plant.mass_kg": 1.0})


def test_wrong_torque_scales_inertia_and_note_says_so(case, truth, tmp_path):
    """Recorded commands 1 % below the true torque: inertia 1 % low, residuals as declared."""
    columns = body.table(truth)
    columns |= {f"command_{n}_N_m": 0.99 * columns[f"command_{n}_N_m"] for n in (1, 2, 3)}
    path = body.write_csv(tmp_path / "run.csv", columns)
    found = identify_case(case, path, free=["inertia"], known_start=True, overrides=[STATIC])
    assert np.abs((values(found) - 0.99 * TRUTH) / found.information.sigma).max() < 4.0
    assert found.tests[0].fits
    assert any("the commands are assumed exact" in each for each in found.notes)
