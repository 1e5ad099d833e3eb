"""`[[sensors]]`, `[estimator]` and `controller.uses` of a case: what flies is what the same objects are in Python."""

from typing import Any

import numpy as np
import pytest

from polhode import controllers, scenarios, sim
from polhode.controllers import blocks
from polhode.controllers.estimators import MEKF, USQUE
from polhode.controllers.sensors import RateGyro, StarTracker
from polhode.plant import InputError
from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.scenarios.case_run import other_laws
from polhode.scenarios.objects.design import design_model
from polhode.scenarios.objects.estimators import KINDS as ESTIMATORS
from polhode.scenarios.objects.problem import build
from polhode.scenarios.objects.sensors import KINDS

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
SHEETS = {"gyro": GYRO, "star-tracker": TRACKER}

gyro = RateGyro.from_data_sheet(
    angle_random_walk_deg_sqrt_h=0.01, rate_random_walk_deg_h_sqrt_h=0.05, bias_deg_h=2.0, bias_instability_deg_h=0.1,
    correlation_time_s=100.0, step_arcsec=0.01, limit_deg_s=10.0,
)  # fmt: skip
gyro = RateGyro(**{**{name: getattr(gyro, name) for name in gyro.__dataclass_fields__}, "loss": 0.1})
ARCSEC = np.radians(1.0 / 3600.0)
tracker = StarTracker(
    across=8.0 * ARCSEC, roll=60.0 * ARCSEC, mounting=(0.8, 0.0, 0.6, 0.0), outages=[(2.0, 3.0)], delay=0.2,
    rate_limit=np.radians(2.0),
)  # fmt: skip


@pytest.fixture
def case(tmp_path) -> Any:
    def make(text, law=LQR, uses=None):
        path = tmp_path / "case.toml"
        path.write_text(HEAD + law + (f'uses = "{uses}"\n' if uses else "") + text)
        return path

    return make


def flown(problem, *beside):
    """The same flown from Python, with these blocks."""
    settings = dict(problem.settings)
    return sim.simulate(
        problem.craft, problem.law, state=problem.state, reference=problem.reference, blocks=beside, **settings
    )


def same(run, other):
    assert run.status == other.status == "completed"
    assert np.array_equal(run.states, other.states)
    assert np.array_equal(run.beside, other.beside)


def filtered(kind, problem):
    sensed = gyro.block(sample=0.1), tracker.block(sample=0.1)
    start = quaternion_product(problem.state[3:7], from_rotation_vector(np.radians([0.02, -0.03, 0.05])))
    knows = {"attitude_sigma": np.radians([0.05, 0.05, 0.1]), "bias_sigma": gyro.bias}
    found = kind(gyro_noise=gyro.noise, gyro_walk=gyro.walk, gate=0.9999).block(
        sensed[0], [(tracker, sensed[1])], attitude=start, **knows
    )
    return [*sensed, found]


def test_kinds_are_all_here():
    assert {kind.name for kind in KINDS} == set(SHEETS)
    assert {kind.name for kind in ESTIMATORS} == {"mekf", "usque"}


@pytest.mark.parametrize("kind", SHEETS)
def test_each_kind_is_the_object_of_python(case, kind):
    """Every number of the table is in the numbers of the block."""
    (block,) = build(scenarios.load_case(case(SHEETS[kind], uses="truth")).case).blocks
    (of_python,) = [each.block(sample=0.1) for each in (gyro, tracker) if each.name == block.name]
    assert np.array_equal(block.parameters, of_python.parameters)
    assert np.array_equal(block.memory, of_python.memory)
    assert (block.sample, block.offset, block.delay) == (of_python.sample, of_python.offset, of_python.delay)


@pytest.mark.parametrize(("kind", "filter_kind"), [("mekf", MEKF), ("usque", USQUE)])
def test_the_estimate_flies_as_from_python_to_the_bit(case, kind, filter_kind):
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


def test_truth_flies_sensors_and_estimator_beside_it(case):
    found = scenarios.run_case(case(GYRO + TRACKER + FILTER, uses="truth"))
    alone = scenarios.run_case(case(""))
    assert np.array_equal(found.run.states, alone.run.states)
    assert {"attitude_estimate", "rate_estimate", "bias", "gyro", "knowledge_error"} <= set(found.run.names)
    assert 0.0 < (found.metrics["rms_knowledge_error_deg"].value or 0.0) < 0.1
    model = design_model(found.loaded.case, found.problem.craft)
    law = found.problem.law
    beside = controllers.analyse(law, model, blocks=found.problem.blocks).margins.to_dict()
    assert beside == controllers.analyse(law, model).margins.to_dict()


@pytest.mark.slow
def test_margins_count_what_the_law_sees(case):
    for uses, low, high in (("truth", 0.0, 1e-9), ("measurement", 0.5, 40.0), ("estimate", 1e-3, 40.0)):
        found = build(scenarios.load_case(case(GYRO + TRACKER + FILTER, uses=uses)).case)
        model = design_model(scenarios.load_case(case("")).case, found.craft)
        phases = [controllers.analyse(found.law, model, blocks=each).margins.phase_deg for each in ((), found.blocks)]
        assert low <= abs(phases[0] - phases[1]) <= high, uses


def test_a_law_that_looks_at_the_momentum_sees_that_of_the_rate_it_sees(case):
    found = scenarios.run_case(case(GYRO + TRACKER + FILTER, law=FEEDBACK))
    run, J = found.run, np.diag([400.0, 307.8, 200.0])
    assert [block.name for block in found.problem.blocks] == [
        "momentum carried", "gyro", "star_tracker", "mekf", "momentum of rate",
    ]  # fmt: skip
    assert np.allclose(run.values("momentum_seen"), run.values("rate_seen") @ J, rtol=0.0, atol=1e-12)
    same(
        run,
        flown(
            found.problem,
            blocks.momentum_apart(J, sample=0.1),
            *filtered(MEKF, found.problem),
            blocks.momentum_of_rate(J, sample=0.1),
        ),
    )
    assert found.problem.law is not None
    model = design_model(found.loaded.case, found.problem.craft)
    assert np.isfinite(controllers.analyse(found.problem.law, model, blocks=found.problem.blocks).margins.phase_deg)


def test_compared_laws_see_what_they_say(case):
    more = f'[[compare]]\nlabel = "on truth"\n[compare.controller]\n{LQR}sample_s = 0.1\nuses = "truth"\n'
    loaded = scenarios.load_case(case(GYRO + TRACKER + FILTER + more))
    (_, problem) = other_laws(loaded, build(loaded.case))["on truth"]
    assert all(block.recorded for block in problem.blocks)
    assert not build(loaded.case).blocks[-1].recorded


REFUSED = {
    "estimate without estimator": (GYRO + TRACKER, "estimate", r'controller.uses = "estimate" needs an \[estimator\]'),
    "measurement without sensors": ("", "measurement", r"needs \[\[sensors\]\] that stand for rate or attitude"),
    "no gyro": (TRACKER + FILTER, None, r"estimator: it works on a gyro"),
    "no attitude": (GYRO + FILTER, None, r"estimator: .*cannot observe the attitude"),
    "nothing at all": (FILTER, None, r"estimator: it works on \[\[sensors\]\], and there are none"),
    "two of one name": (GYRO + GYRO, None, r"sensors: two of them are called 'gyro'"),
    "two gyros": (GYRO + GYRO + 'name = "spare"\n', None, r"gyro, spare would all stand for the rate"),
    "which gyro": (GYRO + GYRO + 'name = "spare"\n' + TRACKER + FILTER, None, r"say which it works on, as gyro = "),
    "unknown gyro": (GYRO + TRACKER + FILTER + 'gyro = "gyr"\n', None, r"estimator: .*'gyr'"),
    "unknown sensor": (GYRO + TRACKER + FILTER + 'sensors = ["gyro"]\n', None, r"estimator: .*'gyro'"),
    "no bias": (GYRO.replace("bias_deg_h = 2.0", "") + TRACKER + FILTER, None, r"estimator: bias_sigma_deg_h: .*gyro"),
    "degrees for arcsec": (GYRO + TRACKER.replace("8.0", "80000.0"), None, r"sensors.1: .*below 0.1 rad"),
    "a name that is no word": (GYRO + 'name = "a gyro"\n', None, r"sensors.0: a sensor's name"),
    "the tracker samples faster": (GYRO + "sample_s = 0.2\n" + TRACKER + FILTER, None, r"more often than the gyro"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_in_words(case, what):
    text, uses, words = REFUSED[what]
    with pytest.raises(InputError, match=words):
        build(scenarios.load_case(case(text, uses=uses)).case)


def test_no_seed_and_no_controller_are_refused(case, tmp_path):
    path = case(GYRO + TRACKER)
    path.write_text(path.read_text().replace("seed = 3\n", ""))
    with pytest.raises(InputError, match=r"'gyro', 'star_tracker' draw random numbers; give run.seed"):
        build(scenarios.load_case(path).case)
    path.write_text(path.read_text().replace(f"[controller]\nsample_s = 0.1\n{LQR}", ""))
    with pytest.raises(InputError, match=r"sensors: they stand round a \[controller\]"):
        scenarios.load_case(path)


def test_campaigns_disperse_sensors_and_estimator(case):
    from polhode.scenarios.campaigns.case_campaign import run_campaign

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
    assert told[0] == told[1]
