"""`[[sensors]]`, `[estimator]` and `controller.uses` of a case against the same objects in Python."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from polhode import controllers, scenarios, sim
from polhode.controllers import blocks
from polhode.controllers.guidance.inertial_vector import InertialVector
from polhode.controllers.sensing.estimators import MEKF, USQUE, ComplementaryFilter
from polhode.controllers.sensing.sensors import (
    CoarseSunSensor,
    ExclusionZone,
    FineSunSensor,
    HorizonSensor,
    Magnetometer,
    RateGyro,
    StarTracker,
    Tachometer,
)
from polhode.plant import InputError
from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.scenarios.case.kinds.design import design_model
from polhode.scenarios.case.kinds.estimators import KINDS as ESTIMATORS
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.kinds.sensors import KINDS
from polhode.scenarios.case_run import other_laws

HEAD = """
title = "t"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude_deg = { sequence = "3-2-1", angles = [2.0, -1.0, 3.0] }
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[run]
duration_s = 5.0
integrator = "rk4"
step_s = 0.05
output_s = 0.05
seed = 3
[controller]
sample_s = 0.1
"""
LQR = 'kind = "lqr"\nattitude_weight = 25.0\nrate_weight = 1.0\neffort_weight = 1.0\n'
FEEDBACK = 'kind = "quaternion-feedback"\nfrequency_rad_s = 0.2\ndamping_ratio = 0.7\n'
GYRO = """
[[sensors]]
kind = "gyro"
angle_random_walk_deg_sqrt_h = 0.01
rate_random_walk_deg_h_sqrt_h = 0.05
bias_deg_h = 2.0
bias_instability_deg_h = 0.1
correlation_time_s = 100.0
step_arcsec = 0.01
limit_deg_s = 10.0
loss = 0.1
"""
TRACKER = """
[[sensors]]
kind = "star-tracker"
noise_arcsec = 8.0
roll_noise_arcsec = 60.0
mounting = [0.8, 0.0, 0.6, 0.0]
outages_s = [[2.0, 3.0]]
delay_s = 0.2
rate_limit_deg_s = 2.0
"""
FILTER = """
[estimator]
kind = "mekf"
attitude_error_deg = [0.02, -0.03, 0.05]
attitude_sigma_deg = [0.05, 0.05, 0.1]
gate = 0.9999
"""

gyro = RateGyro.from_data_sheet(
    angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=0.05, bias_deg_h=2.0, bias_instability_deg_h=0.1,
    correlation_time_s=100.0, step_arcsec=0.01, limit_deg_s=10.0,
)  # fmt: skip
gyro = replace(gyro, loss=0.1)
ARCSEC = np.radians(1.0 / 3600.0)
tracker = StarTracker(
    noise=8.0 * ARCSEC, roll_noise=60.0 * ARCSEC, mounting=(0.8, 0.0, 0.6, 0.0), outages=[(2.0, 3.0)], delay=0.2,
    rate_limit=np.radians(2.0),
)  # fmt: skip
SUN = "sun = [1.0, 2.0, 2.0]\nsun_rate_deg_s = [0.0, 0.0, 0.1]\n"
sun = InertialVector((1.0, 2.0, 2.0), rate=np.radians([0.0, 0.0, 0.1]))
mounting = (0.8, 0.0, 0.6, 0.0)
PYRAMID = [(1.0, 0.0, 1.0), (-1.0, 0.0, 1.0), (0.0, 1.0, 1.0), (0.0, -1.0, 1.0)]
fine = FineSunSensor.from_data_sheet(sun=sun, noise_deg=0.05, bias_deg=0.02, half_angle_deg=60.0, mounting=mounting)
field = InertialVector((2e-5, -1e-5, 3e-5))
magnetometer = Magnetometer.from_data_sheet(
    field=field, noise_nT=20.0, bias_nT=50.0, step_nT=5.0, limit_uT=60.0, mounting=mounting
)
horizon = HorizonSensor.from_data_sheet(
    nadir=InertialVector((0.0, 0.0, -1.0), rate=np.radians((0.06, 0.0, 0.0))), noise_deg=0.05, half_angle_deg=70.0,
    radiance_deg=0.1, radiance_time_s=600.0, mounting=mounting,
)  # fmt: skip
SHEETS = {
    "gyro": (GYRO, gyro),
    "star-tracker": (
        TRACKER + "[[sensors.exclusions]]\ndirection = [0.0, 0.0, 1.0]\nangle_deg = 30.0\n",
        replace(tracker, exclusions=[ExclusionZone((0.0, 0.0, 1.0), np.radians(30.0))]),
    ),
    "sun-cells": (
        f"{SUN}normals = {[list(each) for each in PYRAMID]}\nnoise_percent = 2.0\nhalf_angle_deg = 80.0\nloss = 0.1\n",
        CoarseSunSensor.from_data_sheet(sun=sun, normals=PYRAMID, noise_percent=2.0, half_angle_deg=80.0, loss=0.1),
    ),
    "sun-sensor": (
        f"{SUN}noise_deg = 0.05\nbias_deg = 0.02\nhalf_angle_deg = 60.0\nmounting = {list(mounting)}\n",
        fine,
    ),
    "magnetometer": (
        (
            "field_nT = [20000.0, -10000.0, 30000.0]\nnoise_nT = 20.0\nbias_nT = 50.0\nstep_nT = 5.0\nlimit_uT = 60.0\n"
            f"mounting = {list(mounting)}\noutages_s = [[1.0, 2.0]]\n"
        ),
        replace(magnetometer, outages=[(1.0, 2.0)]),
    ),
    "horizon-sensor": (
        (
            "nadir = [0.0, 0.0, -1.0]\nnadir_rate_deg_s = [0.06, 0.0, 0.0]\nnoise_deg = 0.05\nhalf_angle_deg = 70.0\n"
            f"radiance_deg = 0.1\nradiance_time_s = 600.0\nmounting = {list(mounting)}\n"
        ),
        horizon,
    ),
    "tachometer": (
        'wheels = "wheel_angle"\ncounts_per_revolution = 24\n',
        Tachometer(wheels="wheel_angle", counts_per_revolution=24),
    ),
}  # fmt: skip
WHEEL = """
[[plant.elements]]
kind = "wheel"
axis = [0.0, 0.0, 1.0]
inertia_kg_m2 = 0.05
relative_rate_rad_s = 100.0
"""


def nearly(value):
    """The same dictionary for values within rounding: a BLAS rounds by the alignment of matrices in memory."""
    if isinstance(value, dict):
        return {key: nearly(each) for key, each in value.items()}
    if isinstance(value, list):
        return [nearly(each) for each in value]
    return pytest.approx(value, rel=1e-9) if isinstance(value, float) else value


def sheet(kind):
    text, _ = SHEETS[kind]
    return text if "[[sensors]]" in text else f'[[sensors]]\nkind = "{kind}"\n{text}'


# without the constant errors, which a filter treats as noise
DIRECTIONS = sheet("sun-sensor").replace("bias_deg = 0.02\n", "") + sheet("magnetometer").replace(
    "bias_nT = 50.0\n", ""
)


@pytest.fixture
def case(tmp_path) -> Any:
    def make(text, law=LQR, uses=None):
        path = tmp_path / "case.toml"
        path.write_text(HEAD + law + (f'uses = "{uses}"\n' if uses else "") + text)
        return path

    return make


def flown(problem, *beside):
    """The same run from Python, with these blocks."""
    settings = dict(problem.settings)
    return sim.simulate(
        problem.craft, problem.law, state=problem.state, reference=problem.reference, blocks=beside, **settings
    )


def same(run, other):
    assert run.status == other.status == "completed"
    assert np.array_equal(run.states, other.states)
    assert np.array_equal(run.block_signals, other.block_signals)


def filtered(kind, problem):
    sensed = gyro.block(sample=0.1), tracker.block(sample=0.1)
    start = quaternion_product(problem.state[3:7], from_rotation_vector(np.radians([0.02, -0.03, 0.05])))
    knows = {"attitude_sigma": np.radians([0.05, 0.05, 0.1]), "bias_sigma": gyro.bias}
    found = kind(angle_random_walk=gyro.angle_random_walk, rate_random_walk=gyro.rate_random_walk, gate=0.9999).block(
        sensed[0], [(tracker, sensed[1])], attitude=start, **knows
    )
    return [*sensed, found]


def test_kinds_are_all_here():
    assert {kind.name for kind in KINDS} == set(SHEETS)
    assert {kind.name for kind in ESTIMATORS} == {"mekf", "usque", "complementary"}


@pytest.mark.parametrize("kind", SHEETS)
def test_each_kind_is_the_object_of_python(case, kind):
    """Every number of the table is in the parameters of the block."""
    (block,) = build(scenarios.load_case(case(sheet(kind) + WHEEL, uses="truth")).case).blocks
    of_python = SHEETS[kind][1].block(sample=0.1)
    assert block.name == of_python.name
    assert np.array_equal(block.parameters, of_python.parameters)
    assert np.array_equal(block.memory, of_python.memory)
    assert block.clock == of_python.clock


@pytest.mark.parametrize(("kind", "filter_kind"), [("mekf", MEKF), ("usque", USQUE)])
def test_estimate_flies_as_from_python_to_bit(case, kind, filter_kind):
    found = scenarios.run_case(case(GYRO + TRACKER + FILTER.replace("mekf", kind)))
    same(found.run, flown(found.problem, *filtered(filter_kind, found.problem)))
    knowledge = np.linalg.norm(found.run.values("knowledge_error"), axis=1)
    assert np.degrees(knowledge[0]) == pytest.approx(np.linalg.norm([0.02, -0.03, 0.05]), rel=1e-6)
    assert found.metrics["final_knowledge_error_deg"].value == np.degrees(knowledge[-1])
    late = found.run.t >= 2.5
    rms = float(np.sqrt(np.mean(np.degrees(knowledge[late]) ** 2)))
    assert found.metrics["rms_knowledge_error_deg"].value == pytest.approx(rms, rel=1e-12)
    assert found.run.components("star_tracker")[0] == ("e0", "e1", "e2", "e3", "valid", "time")


def test_measurements_fly_as_they_are_and_the_estimator_is_left_aside(case):
    found = scenarios.run_case(case(TRACKER + GYRO + FILTER, uses="measurement"))
    same(
        found.run,
        flown(found.problem, gyro.block(sample=0.1, shadows=True), tracker.block(sample=0.1, shadows=True)),
    )
    same(found.run, scenarios.run_case(case(GYRO + TRACKER)).run)
    assert not found.metrics["rms_knowledge_error_deg"].applies


@pytest.mark.slow
def test_truth_flies_sensors_and_estimator_beside_it(case):
    found = scenarios.run_case(case(GYRO + TRACKER + FILTER, uses="truth"))
    alone = scenarios.run_case(case(""))
    assert np.array_equal(found.run.states, alone.run.states)
    assert {"attitude_estimate", "rate_estimate", "bias", "gyro", "knowledge_error"} <= set(found.run.names)
    assert 0.0 < (found.metrics["rms_knowledge_error_deg"].value or 0.0) < 0.1
    model = design_model(found.loaded.case, found.problem.craft)
    law = found.problem.law
    beside = controllers.analyse(law, model, blocks=found.problem.blocks).margins.to_dict()
    assert beside == nearly(controllers.analyse(law, model).margins.to_dict())


@pytest.mark.slow
def test_margins_count_what_the_law_sees(case):
    for uses, low, high in (("truth", 0.0, 1e-9), ("measurement", 0.5, 40.0), ("estimate", 1e-3, 40.0)):
        found = build(scenarios.load_case(case(GYRO + TRACKER + FILTER, uses=uses)).case)
        model = design_model(scenarios.load_case(case("")).case, found.craft)
        phases = [controllers.analyse(found.law, model, blocks=each).margins.phase_deg for each in ((), found.blocks)]
        assert low <= abs(phases[0] - phases[1]) <= high, uses


@pytest.mark.slow
def test_law_that_looks_at_momentum_sees_that_of_rate_it_sees(case):
    found = scenarios.run_case(case(GYRO + TRACKER + FILTER, law=FEEDBACK))
    run, J = found.run, np.diag([400.0, 307.8, 200.0])
    assert [block.name for block in found.problem.blocks] == [
        "momentum carried", "gyro", "star_tracker", "mekf", "momentum of rate",
    ]  # fmt: skip
    assert np.allclose(run.values("momentum_for_law"), run.values("rate_for_law") @ J, rtol=0.0, atol=1e-12)
    same(
        run,
        flown(
            found.problem,
            blocks.split_body_momentum(J, sample=0.1),
            *filtered(MEKF, found.problem),
            blocks.momentum_of_rate(J, sample=0.1),
        ),
    )
    assert found.problem.law is not None
    model = design_model(found.loaded.case, found.problem.craft)
    assert np.isfinite(controllers.analyse(found.problem.law, model, blocks=found.problem.blocks).margins.phase_deg)


def test_sensors_run_together_and_are_reported(case):
    found = scenarios.run_case(case("".join(map(sheet, SHEETS)) + WHEEL, uses="truth"))
    assert found.run.status == "completed"
    assert not found.run.warnings
    names = {block.name for block in found.problem.blocks}
    assert names <= set(found.run.names)
    # with a wheel of 5 N m s; the last count is 0.1 s before the end
    speed = found.run.values("tachometer")[-2, 0]
    assert speed == pytest.approx(100.0, abs=2.0 * np.pi / 24 / 0.1)


def test_complementary_filter_flies_as_from_python(case):
    text = '[estimator]\nkind = "complementary"\nattitude_gain = 0.1\nbias_gain_1_s = 1e-3\n'
    found = scenarios.run_case(case(GYRO + TRACKER + text))
    sensed = gyro.block(sample=0.1), tracker.block(sample=0.1)
    made = ComplementaryFilter(attitude_gain=0.1, bias_gain=1e-3).block(
        sensed[0], [(tracker, sensed[1])], attitude=found.problem.state[3:7]
    )
    same(found.run, flown(found.problem, *sensed, made))


@pytest.mark.parametrize("seeing", [TRACKER, DIRECTIONS], ids=["attitude", "directions"])
def test_filter_starts_from_what_sensors_tell(case, seeing):
    text = GYRO + seeing + '[estimator]\nkind = "mekf"\nstart = "sensors"\n'
    found = scenarios.run_case(case(text))
    knowledge, sigma = (found.run.values(name) for name in ("knowledge_error", "attitude_sigma"))
    assert sigma[0] == pytest.approx(np.pi) or sigma[0].max() < 0.01
    ticks = slice(20, -1, 2)  # those of the filter, held in between
    assert sigma[ticks].max() < 0.01
    assert (np.abs(knowledge[ticks]) < 4.5 * sigma[ticks]).all()


def test_compared_laws_see_what_they_say(case):
    more = f'[[compare]]\nlabel = "on truth"\n[compare.controller]\n{LQR}sample_s = 0.1\nuses = "truth"\n'
    loaded = scenarios.load_case(case(GYRO + TRACKER + FILTER + more))
    (_, problem) = other_laws(loaded, build(loaded.case))["on truth"]
    assert all(block.recorded for block in problem.blocks)
    assert not build(loaded.case).blocks[-1].recorded


REFUSED = {
    "estimate without estimator": (GYRO + TRACKER, "estimate", r'controller.uses = "estimate" needs an \[estimator\]'),
    "measurement without sensors": ("", "measurement", r"needs \[\[sensors\]\] that measure rate or attitude"),
    "no gyro": (TRACKER + FILTER, None, r"estimator: needs a gyro"),
    "no attitude": (GYRO + FILTER, None, r"estimator: .*the attitude is unobservable"),
    "nothing at all": (FILTER, None, r"estimator: needs \[\[sensors\]\], but there are none"),
    "two of one name": (GYRO + GYRO, None, r"sensors: two of them are called 'gyro'"),
    "two gyros": (GYRO + GYRO + 'name = "spare"\n', None, r"gyro, spare all measure the rate"),
    "which gyro": (GYRO + GYRO + 'name = "spare"\n' + TRACKER + FILTER, None, r"select one with gyro = "),
    "unknown gyro": (GYRO + TRACKER + FILTER + 'gyro = "gyr"\n', None, r"estimator: .*'gyr'"),
    "unknown sensor": (GYRO + TRACKER + FILTER + 'sensors = ["gyro"]\n', None, r"estimator: .*'gyro'"),
    "no bias": (GYRO.replace("bias_deg_h = 2.0", "") + TRACKER + FILTER, None, r"estimator: bias_sigma_deg_h: .*gyro"),
    "degrees for arcsec": (GYRO + TRACKER.replace("8.0", "80000.0"), None, r"sensors.1: .*below 0.1 rad"),
    "a name that is no word": (GYRO + 'name = "a gyro"\n', None, r"sensors.0: the name of a sensor"),
    "no direction": (sheet("sun-sensor").replace("[1.0, 2.0, 2.0]", "[0, 0, 0]"), "truth", r"sensors.0: sun: an inert"),
    "an exclusion of all": (sheet("star-tracker").replace("30.0", "180.0"), "truth", r"exclusions.0: the angle of an"),
    "no such wheel": (sheet("tachometer"), "truth", r"'wheel_angle' is unknown"),
    "tesla for nanotesla": (sheet("magnetometer").replace("20.0", "2e7"), "truth", r"sensors.0: noise of magnetom"),
    "nothing known": (
        GYRO + TRACKER + '[estimator]\nkind = "mekf"\n',
        None,
        r"attitude_sigma_deg: required, but missing",
    ),
    "known and not": (
        GYRO + TRACKER + FILTER + 'start = "sensors"\n',
        None,
        r"remove attitude_error_deg, attitude_sigma",
    ),
    "one direction": (
        GYRO + sheet("sun-sensor") + '[estimator]\nkind = "mekf"\nstart = "sensors"\n',
        None,
        r"measure only one direction",
    ),
    "the tracker samples faster": (GYRO + "sample_s = 0.2\n" + TRACKER + FILTER, None, r"more often than the gyro"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_sensor_errors_name_the_key(case, what):
    text, uses, words = REFUSED[what]
    with pytest.raises(InputError, match=words):
        build(scenarios.load_case(case(text, uses=uses)).case)


def test_no_seed_and_no_controller_are_refused(case, tmp_path):
    path = case(GYRO + TRACKER)
    path.write_text(path.read_text().replace("seed = 3\n", ""))
    with pytest.raises(InputError, match=r"'gyro', 'star_tracker' draw random numbers; give run.seed"):
        build(scenarios.load_case(path).case)
    path.write_text(path.read_text().replace(f"[controller]\nsample_s = 0.1\n{LQR}", ""))
    with pytest.raises(InputError, match=r"sensors: need a \[controller\]"):
        scenarios.load_case(path)


def test_campaigns_disperse_sensors_and_estimator(case):
    from polhode.scenarios.case.campaigns.case_campaign import run_campaign

    text = "\n".join(
        f'[dispersions."{key}"]\nrelative_sigma = 0.1'
        for key in ("sensors.0.bias_deg_h", "sensors.1.noise_arcsec", "estimator.attitude_sigma_deg")
    )
    text = GYRO + TRACKER + FILTER.replace("[0.05, 0.05, 0.1]", "0.05") + text + "\n[campaign]\nruns = 4\n"
    text += '[[require]]\nmetric = "rms_knowledge_error_deg"\nmax = 1.0\n'
    found = run_campaign(case(text), workers=1)
    values = found.campaign.metrics["rms_knowledge_error_deg"]
    assert len(set(values.tolist())) == 4


@pytest.mark.slow
def test_margins_are_confirmed_without_what_flies_for_the_record(case):
    found = build(scenarios.load_case(case(GYRO + TRACKER + FILTER, uses="truth")).case)
    told = [
        sim.confirm_margins(found.craft, found.law, reference=found.reference, blocks=each).to_dict()
        for each in (found.blocks, ())
    ]
    assert told[0] == nearly(told[1])


def test_jitter_stands_before_its_sensor_and_flies(case):
    jittery = GYRO + "jitter_s = 0.02\n" + TRACKER + FILTER
    found = scenarios.run_case(case(jittery))
    names = [block.name for block in found.problem.blocks]
    assert names[:3] == ["jitter of gyro", "gyro", "star_tracker"]
    assert found.problem.blocks[1].reads == ("attitude_at_gyro", "rate_at_gyro")
    calm = scenarios.run_case(case(GYRO + TRACKER + FILTER))
    assert not np.array_equal(found.run.states, calm.run.states)
    assert np.abs(found.run.values("attitude") - calm.run.values("attitude")).max() < 1e-4
    told = found.run.values("rate_at_gyro") - found.run.values("rate")
    assert 0.0 < np.abs(told).max() < 0.12 * np.abs(found.run.values("rate")).max()  # rows between samples hold


def test_jitter_of_what_is_held_is_refused(case):
    late = '[[blocks]]\nkind = "delay"\nreads = "rate"\ndelay_s = 0.1\n'
    text = GYRO + late + '[[blocks]]\nkind = "low-pass"\nreads = "rate"\nfrequency_rad_s = 9.0\njitter_s = 0.01\n'
    with pytest.raises(InputError, match=r"blocks\.1: jitter_s: it reads 'rate' from 'delay', which is held"):
        build(scenarios.load_case(case(text, uses="truth")).case)
    text = '[[blocks]]\nkind = "lag"\nreads = "command"\ntime_constant_s = 0.3\njitter_s = 0.01\n'
    with pytest.raises(InputError, match=r"blocks\.0: .*'command', which is held between samples"):
        build(scenarios.load_case(case(text)).case)
    with pytest.raises(InputError, match=r"sensors\.0: width of the jitter of 'gyro' is 0.2 s, beyond its period"):
        build(scenarios.load_case(case(GYRO + "jitter_s = 0.2\n", uses="truth")).case)
