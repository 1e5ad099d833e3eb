"""Parameters other than inertia, each from a motion by scipy or a closed form."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode.plant.errors import InputError
from polhode.scenarios.case.identification import design_excitation, identify_case
from polhode.scenarios.case_run import run_case

from . import conftest as body

HEAD = """
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "rate-damping"
gain_N_m_s = 1.0
sample_s = 0.1
torque_limit_N_m = 1.0

[run]
duration_s = 60.0
integrator = "rk4"
step_s = 0.05

[[sensors]]
kind = "gyro"
angle_random_walk_deg_sqrt_h = 0.1
"""
NOISE = float(np.radians(0.1) / 60.0 / np.sqrt(0.1))  # rad/s, of a mean rate over 0.1 s

FLEXIBLE = """
[plant]
inertia_kg_m2 = [30.0, 30.0, 25.0]

[[plant.elements]]
kind = "flexible-modes"
frequencies_rad_s = [2.2]
damping_ratios = [0.02]
rotation_sqrt_kg_m = [[0.0, 0.0, 1.5]]
"""

WHEEL = """
[plant]
inertia_kg_m2 = [30.0, 30.0, 25.0]

[[plant.elements]]
kind = "wheel"
axis = [0.0, 0.0, 1.0]
inertia_kg_m2 = 0.05
friction_N_m_s = 1e-3
relative_rate_rad_s = 200.0

[[sensors]]
kind = "tachometer"
wheels = ["wheel_angle"]
counts_per_revolution = 180
"""


def written(tmp_path, plant, columns):
    case = tmp_path / "case.toml"
    case.write_text(HEAD + plant, encoding="utf-8")
    return case, body.write_csv(tmp_path / "run.csv", columns)


def commanded(z):
    return {"time_s": body.TIMES, "command_1_N_m": 0 * z, "command_2_N_m": 0 * z, "command_3_N_m": z}


def check(found, truth):
    assert found.observable
    assert found.converged
    for each, value in zip(found.estimates, truth, strict=True):
        assert abs(each.value - value) < 4.0 * each.sigma, each
        assert each.sigma < 0.05 * abs(value) or value == 0.0
    assert all(each.fits for each in found.tests)


def test_frequency_and_damping_of_planar_mode(tmp_path):
    """J w' + d n'' = u, n'' + 2 z W n' + W^2 n + d w' = 0, u held over each sample."""
    J, d, W, zeta = 25.0, 1.5, 2.5, 0.01
    mass = np.linalg.inv(np.array(((J, d), (d, 1.0))))
    rng = np.random.default_rng(7)
    u = np.where(body.TIMES < 5.0, 0.5, 0.0)
    rows = [np.zeros(4)]  # angle, w, n, n'
    for each in u[:-1]:
        found = solve_ivp(
            lambda _, x, each=each: np.array(
                (x[1], *(mass @ (each, -2.0 * zeta * W * x[3] - W * W * x[2])), x[3])
            )[[0, 1, 3, 2]],
            (0.0, 0.1), rows[-1], rtol=1e-11, atol=1e-13, method="DOP853",
        )  # fmt: skip
        rows.append(found.y[:, -1])
    angle = np.array(rows)[:, 0]
    rate = np.concatenate(((0.0,), np.diff(angle) / 0.1))
    noise = NOISE * rng.normal(size=(601, 3))
    columns = commanded(u) | {
        "gyro_x_rad_s": noise[:, 0], "gyro_y_rad_s": noise[:, 1], "gyro_z_rad_s": rate + noise[:, 2]
    }  # fmt: skip
    case, path = written(tmp_path, FLEXIBLE, columns)
    key = "plant.elements.0"
    found = identify_case(case, path, free=[f"{key}.frequencies_rad_s", f"{key}.damping_ratios"], known_start=True)
    check(found, (W, zeta))


def test_sensor_with_modal_slopes_is_refused(tmp_path):
    still = {f"gyro_{axis}_rad_s": np.zeros(601) for axis in "xyz"}
    case, path = written(tmp_path, FLEXIBLE, commanded(np.zeros(601)) | still)
    text = case.read_text(encoding="utf-8")
    slopes = "angle_random_walk_deg_sqrt_h = 0.1\nmodal_slopes_rad_sqrt_kg_m = [[0.0, 0.0, 0.1]]"
    case.write_text(text.replace("angle_random_walk_deg_sqrt_h = 0.1", slopes), encoding="utf-8")
    with pytest.raises(InputError, match=r"sensors\.0: identify compares .* gyro rotates relative to the hub"):
        identify_case(case, path, free=["plant.elements.0.damping_ratios"], known_start=True)


@pytest.mark.parametrize("lost", [(), (300,), range(200, 260), [n for n in range(601) if n % 5]])
def test_friction_of_wheel_from_tachometer(tmp_path, lost):
    """Relative rate W0 exp(-f t (1/I + 1/J)) between a wheel I and a hub J that is free; momentum is shared."""
    J, spin, friction, start = 25.0, 0.05, 2e-3, 200.0
    decay = friction * (1.0 / spin + 1.0 / J)
    angle = start / decay * (1.0 - np.exp(-decay * body.TIMES))
    counts = np.floor(angle * 180.0 / (2.0 * np.pi))
    speed = np.concatenate(((np.nan,), np.diff(counts) * 2.0 * np.pi / 180.0 / 0.1))
    speed[list(lost)] = np.nan
    hub = start * spin / (J + spin) * (1.0 - np.exp(-decay * body.TIMES))  # the sum of both momenta is the initial one
    turned = np.concatenate(((0.0,), 0.5 * (hub[1:] + hub[:-1])))
    noise = NOISE * np.random.default_rng(8).normal(size=(601, 3))
    columns = commanded(0 * body.TIMES) | {
        "gyro_x_rad_s": noise[:, 0], "gyro_y_rad_s": noise[:, 1], "gyro_z_rad_s": turned + noise[:, 2],
        "tachometer_1_rad_s": speed,
    }  # fmt: skip
    case, path = written(tmp_path, WHEEL, columns)
    found = identify_case(case, path, free=["plant.elements.0.friction_N_m_s"], known_start=True)
    assert found.estimates[0].value == pytest.approx(friction, rel=1e-3)
    assert all(each.fits for each in found.tests)


@pytest.mark.slow
def test_scale_errors_of_gyro_and_alignment_of_star_tracker(tracked, tmp_path):
    """Scale errors, misalignments and a rotated tracker on the tumble of scipy; the priors have a sigma of 0.01."""
    errors = np.array(((2e-3, 1e-3, -5e-4), (3e-4, -1e-3, 8e-4), (0.0, 6e-4, 1.5e-3)))
    turned = np.array((1e-3, -2e-3, 5e-4))
    truth = body.motion(rate=(0.1, -0.15, 0.05))
    columns = body.table(truth, tracker=True)
    clean = np.vstack((truth[:1, 4:], body.mean_rates(truth[:, :4])))
    noise = body.gyro_rows(truth, 0) - clean
    measured = clean @ (np.eye(3) + errors).T + noise
    columns |= {f"gyro_{axis}_rad_s": column for axis, column in zip("xyz", measured.T, strict=True)}
    sigma = np.radians(np.array((10.0, 10.0, 80.0)) / 3600.0)
    seen = body.product(
        body.product(truth[:, :4], body.rotation(turned)),
        body.rotation(sigma * np.random.default_rng(3).normal(size=(601, 3))),
    )
    seen[np.arange(601) % 5 != 0] = np.nan
    columns |= {f"star_tracker_{n}": column for n, column in enumerate(seen.T)}
    path = body.write_csv(tmp_path / "run.csv", columns)
    static = "plant.inertia_kg_m2=[[6.53,0.45,-0.30],[0.45,5.96,0.22],[-0.30,0.22,4.53]]"
    found = identify_case(
        tracked, path, free=["sensors.0.errors", "sensors.1.alignment"], known_start=True,
        overrides=[static, "initial.rate_rad_s=[0.1,-0.15,0.05]"],
        priors={"sensors.0.errors": 0.01, "sensors.1.alignment": 0.01},
    )  # fmt: skip
    known = np.concatenate((errors.ravel(), turned))
    values, sigmas = (np.array([getattr(each, name) for each in found.estimates]) for name in ("value", "sigma"))
    assert np.abs((values - known) / sigmas).max() < 4.0
    assert sigmas.max() < 1e-3
    assert all(each.fits for each in found.tests)


GYRO = "{kind='gyro', angle_random_walk_deg_sqrt_h=0.05, bias_deg_h=5.0, sample_s=0.25}"
TRACKER = "{kind='star-tracker', noise_arcsec=8, roll_noise_arcsec=60, sample_s=0.5}"
SENSED = [
    f"sensors=[{GYRO}, {TRACKER}]", "estimator={kind='mekf', attitude_sigma_deg=0.05}", "require=[]",
    "run.output_s=0.25", "run.seed=1", "run.duration_s=80", "initial.rate_rad_s=[0.03, -0.02, 0.04]",
]  # fmt: skip


@pytest.mark.slow
def test_inertia_from_pulsed_thrusters():
    """The rows of a run state the torque at one time of a pulse; the pulses follow from the command of the law."""
    sets = [*SENSED, "controller.delay_s=0.25"]
    run = run_case("pulsed-thrusters", overrides=sets).run
    start = "plant.inertia_kg_m2=[42, 31, 19]"
    check(identify_case("pulsed-thrusters", run, free=["inertia"], overrides=[*sets, start]), (40, 30, 20, 0, 0, 0))


@pytest.mark.parametrize(
    "verb", [identify_case, lambda case, _, **given: design_excitation(case, max_rate=0.1, **given)]
)
def test_block_on_the_way_of_the_command_is_refused(verb):
    """A lag of 0.3 s that the model omits put the inertia 100 sigmas off."""
    with pytest.raises(InputError, match=r"blocks\.0: changes the command on its way to the plant"):
        verb("slew-with-actuator-lag", "none.csv", free=["inertia"], overrides=SENSED[:1])
