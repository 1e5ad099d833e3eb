"""Designed excitations: closed forms and printed bounds of information, the envelope, and what identify finds."""

from math import degrees
from typing import Any

import numpy as np
import pytest
from scipy import stats

from polhode import scenarios
from polhode.controllers.laws.recorded_commands import RecordedCommands
from polhode.plant.errors import InputError
from polhode.scenarios.case.identification import commands_information, design_excitation, identify_case
from polhode.scenarios.case.loader import checked_case, load_case
from polhode.scenarios.pictures.study.designed_excitation import draw_excitation
from polhode.sim import simulate

from . import conftest as body
from .test_identify_case import PRINTED, STATIC

LIMIT = "controller.torque_limit_N_m=0.1"  # of the printed case
RATE = 0.45  # rad/s: the printed motion reaches 0.48


def test_information_of_a_constant_torque_has_closed_form(case):
    """sigma_J = sigma J^2/(tau sqrt(sum t^2)): 2.942600260e-5 kg m^2 for 5 kg m^2, 0.1 N m and 600 samples.

    The gyro gives the mean rate of each interval, whose time is half a period earlier.
    """
    sets = ["plant.inertia_kg_m2=[5.0, 5.0, 5.0]"]
    commands = np.tile((0.1, 0.0, 0.0), (600, 1))
    found = commands_information(case, commands, free=["inertia"], known_start=True, overrides=sets)
    t = body.TIMES[1:] - 0.5 * body.T
    exact = body.RATE_NOISE * 25.0 / (0.1 * np.sqrt((t**2).sum()))
    assert exact == pytest.approx(2.942600260e-5, rel=2e-3)
    # given the rest of the tensor: the moment about the other axes is not excited at all
    assert 1.0 / np.sqrt(found.matrix[0, 0]) == pytest.approx(exact, rel=1e-5)
    assert found.sigma[1] > 1.0


def test_information_of_printed_torques_gives_printed_bounds(case):
    found = commands_information(case, body.commands()[:-1], free=["inertia"], known_start=True, overrides=[STATIC])
    np.testing.assert_allclose(found.sigma, PRINTED, rtol=5e-3)


def test_designed_excitation_is_better_than_printed_torques(case):
    """The same spacecraft, gyro, duration, torque per axis and rate as the printed three sines."""
    found = design_excitation(
        case, free=["inertia"], max_rate=RATE, segments=6, known_start=True, overrides=[STATIC, LIMIT]
    )
    sigma = found.information.sigma
    assert (sigma < 1.1 * PRINTED).all()  # greedy: no entry is traded for another
    assert (sigma**2).sum() < 0.25 * (PRINTED**2).sum()
    assert np.abs(found.commands).max() <= 0.1
    assert found.peak_rate <= RATE
    # the rates of an independent integration, held commands as designed
    rate = _integrated(found.commands)
    np.testing.assert_allclose(rate[:-1], found.rates, atol=1e-6)
    torque, _, sigmas, *_ = draw_excitation(found)["excitation"].axes
    drawn = {line.get_label(): np.asarray(line.get_xydata()) for line in sigmas.lines}
    np.testing.assert_allclose(drawn["designed"][:, 0], 100.0 * sigma / found.information.scale)
    assert len(drawn["without torque: undetermined"]) == 6  # at rest
    lanes = [np.asarray(line.get_ydata()) for line in torque.lines if len(line.get_xdata()) == len(found.times)]
    np.testing.assert_allclose(lanes[0], 5.0 + found.commands[:, 0] / 0.1)


def _integrated(commands):
    """Body rates by the classical method of order four, in steps of 0.02 s."""
    inertia, inverse = body.J[None], np.linalg.inv(body.J)[None]
    x, h = np.array([[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]), body.T / 5.0
    rows = [x[0, 4:]]
    for u in commands:
        for _ in range(5):
            a = body.slope(inertia[0], inverse[0], x, u)
            b = body.slope(inertia[0], inverse[0], x + 0.5 * h * a, u)
            c = body.slope(inertia[0], inverse[0], x + 0.5 * h * b, u)
            x = x + h / 6.0 * (a + 2.0 * b + 2.0 * c + body.slope(inertia[0], inverse[0], x + h * c, u))
        rows.append(x[0, 4:])
    return np.array(rows)


def _simulated(case, commands, *, seed=1):
    """Run of the plant and sensors of a case under given commands."""
    problem: Any = scenarios.build(load_case(case).case)
    settings = {key: value for key, value in problem.settings.items() if key not in ("accuracy", "duration", "seed")}
    period = problem.law.sample
    sensors = [each.as_monitor() for each in problem.blocks if each.name in ("gyro", "star_tracker")]
    return simulate(
        problem.craft, RecordedCommands(commands, sample=period), state=problem.state, seed=seed, blocks=sensors,
        duration=period * len(commands), **settings,
    )  # fmt: skip


def test_identified_sigma_is_the_predicted_one():
    """Telemetry of the shipped case: the designed commands against its own law, 40 s each."""
    sets = ["run.duration_s=40"]
    own = scenarios.run_case("identified-inertia", overrides=[*sets, "require=[]"]).run
    before = identify_case("identified-inertia", own, free=["inertia"])
    designed = design_excitation(
        "identified-inertia", free=["inertia"], max_rate=np.radians(8.0), segments=2, overrides=sets
    )
    found = identify_case("identified-inertia", _simulated("identified-inertia", designed.commands), free=["inertia"])
    np.testing.assert_allclose(found.information.sigma, designed.information.sigma, rtol=0.03)
    assert (found.information.sigma < before.information.sigma).all()
    truth = np.array([each.before for each in found.estimates])
    errors = np.array([each.value for each in found.estimates]) - truth
    assert (np.abs(errors) < 4.0 * found.information.sigma).all()


@pytest.mark.slow
def test_information_ranks_the_errors_of_identification(case, tmp_path):
    """Rank correlation of log det F and error over 14 excitations: a published ladder has -0.868 with instruments."""
    rng = np.random.default_rng(7)
    t = body.T * np.arange(600)[:, None]
    sizes, errors = [], []
    for number in range(14):
        waves = np.sin(2.0 * np.pi * rng.uniform(0.005, 0.3, 3) * t + rng.uniform(0.0, 6.3, 3))
        commands = waves * 10.0 ** rng.uniform(-2.5, -1.0)
        information = commands_information(case, commands, free=["inertia"], known_start=True, overrides=[STATIC])
        sizes.append(np.linalg.slogdet(information.matrix)[1])
        some = []
        for seed in range(3):
            run = _simulated(_static(case, tmp_path), commands, seed=10 * number + seed + 1)
            found = identify_case(case, run, free=["inertia"], known_start=True, overrides=[STATIC])
            some.append(np.linalg.norm([each.value - each.before for each in found.estimates]))
        errors.append(np.median(some))
    assert stats.spearmanr(sizes, errors).statistic < -0.868


def _static(case, tmp_path):
    """The case with the true inertia, whose gyro is recorded."""
    path = tmp_path / "static.toml"
    text = case.read_text(encoding="utf-8")
    for old, new in (
        ("[[6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 5.0]]", STATIC.partition("=")[2]),
        ("[run]", "[run]\noutput_s = 0.1\nseed = 1"),
        ("sample_s = 0.1\n", 'sample_s = 0.1\nuses = "truth"\n'),
    ):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_wheel_speeds_stay_within_their_limits():
    """Four wheels that start at speed: each is kept within its limit by the choice of commands."""
    sets = [
        "run.duration_s=20",
        "sensors=[{kind='gyro', angle_random_walk_deg_sqrt_h=0.01, limit_deg_s=2.0}]",
        "controller.uses='truth'",
    ]
    case = load_case("four-wheel-pyramid", sets)
    peaks = []
    for limit in (400.0, 160.0):
        case.document["plant"]["elements"][0]["speed_limit_rad_s"] = limit
        found = design_excitation(checked_case("wheels", "wheels", case.document), free=["inertia"], segments=2)
        assert degrees(found.max_rate) == pytest.approx(2.0)
        assert found.wheels.shape == (200, 4)
        peaks.append(np.abs(found.wheels).max())
        assert peaks[-1] <= limit
    assert peaks[0] > 160.0 > peaks[1] > 150.0


@pytest.mark.parametrize(
    ("given", "sets", "words"),
    [
        ({}, [], "no gyro of the case has a range.*give --max-rate DEG_S"),
        ({"max_rate": -1.0}, [], "largest body rate must be positive; got -57"),
        ({"max_rate": 1.0, "segments": 0}, [], "segments must be at least 1"),
        ({"max_rate": 1.0, "segments": 500}, [], "fewer than two commands of 0.1 s each; take fewer segments"),
        ({"max_rate": 1.0}, ["controller.torque_limit_N_m=inf"], "torque"),
        ({"max_rate": 1.0}, ["sensors=[]"], "no gyro, star tracker or tachometer"),
        (
            {"max_rate": 0.01},
            ["initial.rate_rad_s=[0.1,0,0]"],
            "is 5.73 deg/s, no command keeps the body rate within 0.57.* deg/s",
        ),
    ],
)
def test_bad_input_is_refused(case, given, sets, words):
    with pytest.raises(InputError, match=words):
        design_excitation(case, free=["inertia"], overrides=sets, **given)


def test_case_with_gyros_is_refused_by_design_and_information():
    with pytest.raises(InputError, match="control moment gyros produce the torque of this case"):
        design_excitation("cmg-pyramid", free=["inertia"], max_rate=1.0)
    with pytest.raises(InputError, match="control moment gyros produce the torque of this case"):
        commands_information("cmg-pyramid", np.zeros((10, 3)), free=["inertia"])


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ({"plant.mass_kg": 1.0}, "prior plant.mass_kg: is not free"),
        ({"inertia": -1.0}, "must be positive and finite; got -1"),
        ({"inertia": np.inf}, "must be positive and finite; got inf"),
    ],
)
def test_priors_of_a_design_are_checked(case, priors, message):
    with pytest.raises(InputError, match=message):
        design_excitation(case, free=["inertia"], max_rate=0.1, priors=priors)
