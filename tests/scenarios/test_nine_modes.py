# pyright: reportOptionalMemberAccess=false
# (a case without a law fails the test by itself)
"""The case `nine-modes`: its loop and run follow from the printed sum of modes, and tuning meets its requirements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from polhode.plant.errors import InputError
from polhode.scenarios import build, load_case, run_case, tune_case
from polhode.scenarios.case.campaigns.worst_craft import inline_toml
from polhode.scenarios.case.kinds.design import design_model

J, DAMPING, SAMPLE, DELAY = 77075.0, 0.005, 0.025, 0.008
GAINS = np.array((1.0, 0.018, 0.012, 0.057, 0.024, 0.155, -1.341, -1.387, -0.806, -0.134))
POLES = 2.0 * np.pi * np.array((0.0, 0.110, 0.432, 0.912, 10.834, 12.133, 13.201, 14.068, 14.285, 15.264))
"""K_i and w_i of Entropy 23(8), 930, after the rigid body."""

ZEROS = str([[0, 0, 0]] * 9)
ON_HUB = tuple(f"sensors.{n}.modal_slopes_rad_sqrt_kg_m={ZEROS}" for n in (0, 1))
NO_NOTCH = "controller.filters.2.width=1e-6"


def printed_plant() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the plant sampled with hold and delay, states [each mode and its rate; last command], and the angle."""
    n = 2 * len(POLES)
    flow, enter, angle = np.zeros((n + 1, n + 1)), np.zeros(n + 1), np.zeros(n + 1)
    for k, (gain, w) in enumerate(zip(GAINS, POLES, strict=True)):
        a = np.array([[0.0, 1.0, 0.0], [-(w**2), -2.0 * DAMPING * w, 1.0 / J], [0.0, 0.0, 0.0]])
        early, late = expm(a * DELAY), expm(a * (SAMPLE - DELAY))
        at = slice(2 * k, 2 * k + 2)
        flow[at, at], flow[at, n] = late[:2, :2] @ early[:2, :2], late[:2, :2] @ early[:2, 2]
        enter[at], angle[2 * k] = late[:2, 2], gain
    enter[n] = 1.0
    return flow, enter, angle


def law_about_x(law: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the matrices of the law from angle and rate about x to the torque about x."""
    law = law.compensator
    return law.A, law.B[:, [0, 3]], law.C[0], law.D[0, [0, 3]]


def test_loop_of_nine_modes_is_that_of_the_printed_sum():
    """Loop gain about x, with the mean rate of the gyro.

    The participations change K_i and w_i by 1e-5 relative to 1, which a zero between two close modes amplifies.
    """
    problem = build(load_case("nine-modes").case)
    model = design_model(load_case("nine-modes").case, problem.craft)
    loop = problem.law.loop(model, blocks=problem.blocks)
    resonances = POLES[1:, None] * (1.0 + DAMPING * np.linspace(-3.0, 3.0, 25))
    frequencies = np.sort(np.concatenate((np.geomspace(0.05, 120.0, 400), resonances.ravel())))
    z = np.exp(1j * SAMPLE * frequencies)
    found = loop.broken([0]).response(SAMPLE * frequencies)[:, 0, 0]

    flow, enter, angle = printed_plant()
    A, B, C, D = law_about_x(problem.law)
    expected = np.empty_like(z)
    for n, each in enumerate(z):
        theta = angle @ np.linalg.solve(each * np.eye(len(flow)) - flow, enter)
        measured = np.array((theta, theta * (1.0 - 1.0 / each) / SAMPLE))
        expected[n] = -(C @ np.linalg.solve(each * np.eye(len(A)) - A, B @ measured) + D @ measured)
    error = np.abs(found - expected)
    assert (error < 2e-3 * np.abs(expected)).all()


def test_run_of_nine_modes_follows_the_printed_sum():
    """The measured angle in the nonlinear sampled run without noise, at an initial angle of 0.01 deg."""
    quiet = (
        "sensors.0.angle_random_walk_deg_sqrt_h=0",
        "sensors.1.noise_arcsec=1e-9",
        "sensors.1.roll_noise_arcsec=1e-9",
    )
    start = 'initial.attitude_deg={sequence="1-2-3", angles=[0.01, 0.0, 0.0]}'
    run = run_case("nine-modes", overrides=[*quiet, start, "run.duration_s=4", "run.output_s=0.025", "require=[]"]).run
    measured = Rotation.from_quat(run.values("attitude_for_law"), scalar_first=True).as_rotvec()[:-1, 0]

    flow, enter, angle = printed_plant()
    A, B, C, D = law_about_x(build(load_case("nine-modes").case).law)
    s, x, expected = np.zeros(len(flow)), np.zeros(len(A)), []
    s[0] = before = np.radians(0.01)
    for _ in measured:
        theta = angle @ s
        y = np.array((theta, (theta - before) / SAMPLE))
        expected.append(theta)
        s, x, before = flow @ s + enter * (C @ x + D @ y), A @ x + B @ y, theta
    bent = np.array(expected)
    assert np.abs(measured - bent).max() < 1e-5 * bent[0]
    rigid = Rotation.from_quat(run.values("attitude"), scalar_first=True).as_rotvec()[:-1, 0]
    assert np.abs(rigid - measured).max() > 0.02 * bent[0]  # the hub itself moves otherwise


def test_notch_is_needed_only_for_sensors_apart_from_the_actuators():
    """Largest pole without the notch, with the sensors on the hub and at their place."""

    def radius(*overrides: str) -> float:
        case = load_case("nine-modes", overrides=[NO_NOTCH, *overrides]).case
        problem = build(case)
        return problem.law.loop(design_model(case, problem.craft), blocks=problem.blocks).radius()

    assert radius(*ON_HUB) < 1.0
    assert radius() > 1.001


@pytest.mark.slow
def test_tune_meets_requirements_of_nine_modes():
    """From a law that misses four requirements; three of the eleven values are free, and the margins only checked."""
    off = {"frequency_rad_s": 2.8, "filters.1.gain": 5.0, "filters.3.frequency_rad_s": 65.0}
    free = [f"controller.{key}" for key in off]
    bands = load_case("nine-modes").document["require"][2:7]
    assert {each["metric"] for each in bands} == {"gain_in_band_dB"}
    overrides = [f"tune={{free={free}, starts=1}}", *(f"controller.{key}={value}" for key, value in off.items())]
    found = tune_case("nine-modes", overrides=[*overrides, f"require={inline_toml(bands)}"])
    assert found.met
    assert sum(not each.meets(each.before) for each in found.requirements) == 4
    problem = build(found.loaded.case)
    margins = problem.law.margins(design_model(found.loaded.case, problem.craft), blocks=problem.blocks).smallest()
    assert margins["gain_margin_dB"] > 5.0
    assert margins["phase_margin_deg"] > 20.0


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("sensors.0.modal_slopes_rad_sqrt_kg_m=[[1, 0, 0]]", r"one vector for each of the 9 modes .*; got 1"),
        ("plant.elements=[]", 'the plant has no element of kind "flexible-modes"'),
        ("sensors.1.modal_coordinates=['mode_1', 'mode_12']", "one vector for each of the 2 names"),
    ],
)
def test_slopes_that_do_not_match_the_modes_are_refused(override, message):
    with pytest.raises(InputError, match=message):
        build(load_case("nine-modes", overrides=[override]).case)
