# pyright: reportOptionalMemberAccess=false
# (a case without a law fails the test by itself)
"""Modal slopes of the sensors of a case: keys, names of the modes, nominal plant, estimator, dispersions, wheels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios import build, load_case, run_case
from polhode.scenarios.case.campaigns.case_campaign import run_campaign
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.campaigns.flyer import CaseFlyer
from polhode.scenarios.case.kinds.design import design_model, design_warnings
from polhode.scenarios.commands.analysing import _allan
from polhode.sim.runs.campaigns import Draw

HEAD = """
title = "t"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude_deg = { sequence = "3-2-1", angles = [2.0, -1.0, 1.0] }
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[run]
duration_s = 5.0
integrator = "rk4"
step_s = 0.02
output_s = 0.1
seed = 1
[controller]
kind = "pid"
frequency_rad_s = 0.5
damping_ratio = 0.7
sample_s = 0.1
"""
MODES = """
[[plant.elements]]
kind = "flexible-modes"
frequencies_rad_s = [3.1, 7.9]
damping_ratios = 0.003
rotation_sqrt_kg_m = [[9.0, 0.0, 2.0], [0.0, 7.0, 1.0]]
"""
SLOPES = "modal_slopes_rad_sqrt_kg_m = [[0.01, 0.0, 0.002], [0.0, 0.02, 0.0]]\n"
GYRO = """
[[sensors]]
kind = "gyro"
angle_random_walk_deg_sqrt_h = 1e-3
rate_random_walk_deg_h_sqrt_h = 0.1
bias_deg_h = 1.0
"""
TRACKER = '[[sensors]]\nkind = "star-tracker"\nnoise_arcsec = 1.0\nroll_noise_arcsec = 1.0\n'
FILTER = '[estimator]\nkind = "mekf"\nattitude_sigma_deg = 0.1\n'
OTHERS = {
    "sun-cells": "sun = [1, 2, 2]\nnormals = [[1, 0, 1], [-1, 0, 1], [0, 1, 1]]\nnoise_percent = 2.0\n",
    "sun-sensor": "sun = [1, 2, 2]\nnoise_deg = 0.05\nhalf_angle_deg = 60.0\n",
    "magnetometer": "field_nT = [20000, -10000, 30000]\nnoise_nT = 20.0\n",
    "horizon-sensor": "nadir = [0, 0, -1]\nnoise_deg = 0.05\nhalf_angle_deg = 70.0\n",
    "tachometer": 'wheels = "wheel_angle"\ncounts_per_revolution = 24\n',
}


@pytest.fixture
def made(tmp_path: Path) -> Any:
    def case(*parts: str, overrides: tuple[str, ...] = ()) -> Any:
        path = tmp_path / "case.toml"
        path.write_text(HEAD + "\n".join(parts), encoding="utf-8")
        return load_case(str(path), overrides=list(overrides))

    return case


def loop_of(loaded: Any) -> Any:
    problem = build(loaded.case)
    assert problem.law is not None
    return problem.law.loop(design_model(loaded.case, problem.craft), blocks=problem.blocks)


def test_slopes_of_two_elements_are_in_order_or_by_name(made):
    """By default one slope for each mode of all elements; named ones may be fewer, in any order."""
    four = "modal_slopes_rad_sqrt_kg_m = [[0.01, 0, 0], [0, 0.02, 0], [0, 0, 0], [0, 0, 0.03]]\n"
    named = "modal_slopes_rad_sqrt_kg_m = [[0, 0, 0.03], [0.01, 0, 0], [0, 0.02, 0]]\n"
    named += 'modal_coordinates = ["mode_2_2", "mode_1_1", "mode_1_2"]\n'
    first, second = (loop_of(made(MODES, MODES, GYRO + each, TRACKER + each)) for each in (four, named))
    assert np.abs(np.sort_complex(first.poles()) - np.sort_complex(second.poles())).max() < 1e-9
    bare = loop_of(made(MODES, MODES, GYRO, TRACKER))
    assert np.abs(np.sort(np.abs(first.poles()))[-8:] - np.sort(np.abs(bare.poles()))[-8:]).max() > 1e-5


@pytest.mark.parametrize("kind", OTHERS)
def test_every_sensor_kind_takes_slopes_or_refuses_them(made, kind):
    text = f'[[sensors]]\nkind = "{kind}"\n{OTHERS[kind]}'
    if kind == "tachometer":
        with pytest.raises(InputError, match=r"sensors\.0\.modal_slopes_rad_sqrt_kg_m: unknown key; allowed here"):
            made(MODES, text + SLOPES)
        return
    block = build(made(MODES, text + SLOPES).case).blocks[0]
    assert block.reads[-4:] == ("mode_1", "mode_2", "mode_1_rate", "mode_2_rate")


def test_law_for_rigid_nominal_plant_meets_the_slopes_in_its_loop(made):
    """The design ignores modes and slopes; loop and run include both."""
    rigid = "[nominal.plant]\ninertia_kg_m2 = [400.0, 307.8, 200.0]\n"
    with_nominal = made(MODES, GYRO + SLOPES, TRACKER + SLOPES, rigid)
    problem = build(with_nominal.case)
    without = build(made(MODES, GYRO, TRACKER).case)
    assert np.array_equal(problem.law.gain, without.law.gain)
    poles = np.sort_complex(loop_of(with_nominal).poles())
    assert np.abs(poles - np.sort_complex(loop_of(made(MODES, GYRO + SLOPES, TRACKER + SLOPES)).poles())).max() < 1e-12
    assert problem.blocks[0].reads[2:4] == ("mode_1", "mode_2")


def test_estimator_reads_sensors_with_slopes(made):
    """The vibration in the run with a filter grows as the unstable pole of the linear loop."""
    unstable = "sensors.0.modal_slopes_rad_sqrt_kg_m=[[0.05, 0, 0], [0, 0.05, 0]]"
    small = "initial.attitude_deg.angles=[0.02, -0.01, 0.01]"
    text = (MODES, GYRO + SLOPES, TRACKER, FILTER)
    assert loop_of(made(*text)).radius() < 1.0
    loaded = made(*text, overrides=(unstable,))
    pole = loop_of(loaded).poles()[0]
    assert abs(pole) > 1.005
    run = run_case(loaded.source, overrides=[unstable, small, "run.duration_s=60", "run.step_s=0.01"]).run
    rate = run.values("rate")[300:600, 0]  # grows by a factor of 17, about 16 periods
    wave = pole ** np.arange(rate.size)
    both = np.column_stack((wave.real, wave.imag))
    amplitude = np.linalg.lstsq(both, rate, rcond=None)[0]
    assert np.abs(rate - both @ amplitude).max() < 0.03 * np.abs(rate).max()


def test_dispersed_slopes_change_the_loop_of_a_spacecraft_but_not_its_law(made):
    key = "sensors.0.modal_slopes_rad_sqrt_kg_m.1.1"
    dispersed = f'[dispersions]\n"{key}" = {{ distribution = "uniform", low = 0.0, high = 0.03 }}\n'
    loaded = made(MODES, GYRO + SLOPES, TRACKER + SLOPES, dispersed)
    flyer = CaseFlyer(loaded, dispersions_of(loaded.case))
    other, problem = flyer.problem(Draw(run=0, seed=0, values={key: 0.03}), "run 0")
    assert problem.law is flyer.nominal.law
    found = problem.law.loop(design_model(other.case, problem.craft), blocks=problem.blocks).poles()
    expected = loop_of(made(MODES, GYRO + SLOPES, TRACKER + SLOPES, overrides=(f"{key}=0.03",))).poles()
    assert np.abs(np.sort_complex(found) - np.sort_complex(expected)).max() < 1e-12
    assert np.abs(np.abs(found).max() - loop_of(loaded).radius()) > 1e-5


def test_batch_of_runs_has_the_slopes_of_each_run(made):
    """The runs of a campaign share vector registers; each has its own slope, and other noise than a single run."""
    key = "sensors.0.modal_slopes_rad_sqrt_kg_m.0.0"
    dispersed = f'[dispersions]\n"{key}" = {{ distribution = "uniform", low = 0.0, high = 0.2 }}\n'
    loaded = made(MODES, GYRO + SLOPES, TRACKER + SLOPES, dispersed, "[campaign]\nruns = 8\nseed = 1\n")
    assert CaseFlyer(loaded, dispersions_of(loaded.case)).flies_together
    campaign = run_campaign(loaded, workers=1).campaign
    found, slopes = campaign.metrics["effort_N2_m2_s"], np.ravel(campaign.dispersed[key])
    assert np.ptp(found) > 0.05 * found.min()
    for n in (0, int(slopes.argmin()), int(slopes.argmax())):
        alone = run_case(loaded.source, overrides=[f"{key}={slopes[n]}"]).metrics["effort_N2_m2_s"].value
        assert found[n] == pytest.approx(alone, rel=2e-3)


def test_loop_on_wheels_uses_slopes(made):
    """With wheels, the momentum state leaves out that of the wheels; modal rates follow from it as well."""
    wheels = """
[[plant.elements]]
kind = "wheel-array"
axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
inertia_kg_m2 = 0.1
"""
    external = loop_of(made(MODES, GYRO + SLOPES, TRACKER + SLOPES))
    internal = loop_of(made(MODES, wheels, GYRO + SLOPES, TRACKER + SLOPES))
    bare = loop_of(made(MODES, wheels, GYRO, TRACKER))
    flexible = [np.sort(np.abs(each.poles()))[::-1][:4] for each in (external, internal, bare)]
    assert np.abs(flexible[0] - flexible[1]).max() < 1e-3 * np.abs(1.0 - flexible[0]).min() + 1e-5
    assert np.abs(flexible[1] - flexible[2]).max() > 1e-4


KEY = "sensors.0.modal_slopes_rad_sqrt_kg_m"
REFUSED = {
    "no modes": (
        (GYRO + SLOPES,), "",
        'the slopes belong to vibration modes, but the plant has no element of kind "flexible-modes"; add one, or',
    ),
    "one of two": (
        (MODES, GYRO + SLOPES), f"{KEY}=[[1, 0, 0]]",
        "must have one vector for each of the 2 modes of the flexible-modes elements (mode_1 to mode_2); got 1",
    ),
    "none": ((MODES, GYRO + SLOPES), f"{KEY}=[]", "(mode_1 to mode_2); got 0"),
    "two components": ((MODES, GYRO + SLOPES), f"{KEY}=[[1, 0], [0, 1]]", "must be 3 numbers; got 2"),
    "two for one name": (
        (MODES, GYRO + SLOPES), "sensors.0.modal_coordinates=['mode_1']",
        "one vector for each of the 1 names in modal_coordinates; got 2",
    ),
    "unknown mode": (
        (MODES, GYRO + SLOPES), "sensors.0.modal_coordinates=['mode_1', 'panel']",
        "sensors.0: modal_coordinates: modal coordinate 'panel' is unknown; (mode_1, mode_2)",
    ),
    "one mode twice": ((MODES, GYRO + SLOPES), "sensors.0.modal_coordinates=['mode_1', 'mode_1']", "must be different"),
    "names only": (
        (MODES, GYRO + 'modal_coordinates = ["mode_1"]\n'), "", "given without modal slopes; give both or none"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_slopes_that_do_not_match_the_plant_are_refused(made, name):
    parts, override, message = REFUSED[name]
    with pytest.raises(InputError, match=re.escape(message)):
        build(made(*parts, overrides=(override,) * bool(override)).case)


def test_design_of_an_estimator_warns_of_sensors_apart_from_the_hub(made, polhode):
    lqg = (
        'controller={kind="lqg", attitude_weight=1.0, rate_weight=1.0, effort_weight=1.0, torque_noise_N_m_rtHz=1e-3, '
        "attitude_noise_rad=1e-4, sample_s=0.1}"
    )
    parts = MODES, GYRO + SLOPES, TRACKER + SLOPES

    def warned(*overrides: str) -> str:
        case = made(*parts, overrides=overrides).case
        return " ".join(design_warnings(case, build(case).craft))

    assert "estimates vibration modes" in warned(lqg)
    assert "gyro and star_tracker rotate relative to the hub" in warned(lqg)
    assert not warned()
    assert not warned(f'{lqg[:-1]}, uses="truth"}}')
    still = [f"sensors.{n}.modal_slopes_rad_sqrt_kg_m=[[0, 0, 0], [0, 0, 0]]" for n in (0, 1)]
    assert not warned(lqg, *still)

    source = made(*parts).source
    linear = polhode("linearize", source, "--json")
    assert any("gyro and star_tracker rotate relative to it" in each for each in linear.json["warnings"])


def test_allan_deviation_of_a_gyro_with_slopes_is_that_of_the_gyro(made):
    figures = []
    for gyro in (GYRO, GYRO + SLOPES):
        case = made(MODES, gyro).case
        (figure,) = _allan(case, build(case)).values()
        figures.append(figure.axes[0].lines[0].get_ydata())
    assert np.array_equal(*figures)


def test_slopes_beside_arms_need_a_design_on_rigid_arms():
    """Modes of the arms would be numbered together with those of the slopes."""
    modes = "{kind='flexible-modes', frequencies_rad_s=[9.0], damping_ratios=0.01, rotation_sqrt_kg_m=[[0.1, 0, 0]]}"
    gyro = "{kind='gyro', angle_random_walk_deg_sqrt_h=1e-3, modal_slopes_rad_sqrt_kg_m=[[0.1, 0, 0]]}"
    law = "controller={kind='pid', frequency_rad_s=0.1, damping_ratio=0.7, sample_s=0.02}"
    changed = ["compare=[]", f"plant.elements.1={modes}", f"sensors=[{gyro}]", law, "run.seed=1"]
    loaded = load_case("flexible-slew", overrides=changed)
    assert loop_of(loaded).radius() < 1.0
    with pytest.raises(InputError, match="further vibration modes of the linear model, for which the sensor has no"):
        build(load_case("flexible-slew", overrides=[*changed, "controller.design_on='modes'"]).case)
