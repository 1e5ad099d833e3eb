"""`polhode linearize` of a craft with flexible arms, against references and against itself in other words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case

from ..conftest import Command

CASE = "flexible-satellite-torque"
FINE = ("--set", "plant.elements.0.elements=8", "--set", "plant.elements.1.elements=8")


def model(polhode: Command, *more: str) -> dict[str, Any]:
    outcome = polhode("linearize", CASE, "--json", *more)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.json


def test_frequencies_of_two_other_codes(polhode: Command) -> None:
    """12.556713 Hz symmetric, 39.976164 Hz antisymmetric, rotary inertia kept; both in two planes."""
    found = model(polhode, "--damping", "0", *FINE)
    free = [mode["frequency_Hz"] for mode in found["free_modes"][:4]]
    assert free == pytest.approx([12.556713, 12.556713, 39.976164, 39.976164], rel=1e-4)
    axes = [int(np.argmax(np.abs(mode["hub_turn_rad_per_kg05_m"]))) for mode in found["free_modes"][2:4]]
    assert axes == [1, 2]
    first = found["modes"][0]
    assert first["rotation_kg05_m"] == pytest.approx((0, np.sqrt(first["inertia_share"][1] * 43.368157), 0), rel=1e-5)
    assert found["valid_up_to_Hz"] is None


def test_eigenvalues_are_those_of_the_modes(polhode: Command) -> None:
    """The damping of modes in free flight is written down in another way than the matrices."""
    found = model(polhode, "--damping", "0.004")
    poles = np.array([complex(*pair) for pair in found["eigenvalues"]])
    oscillating = poles[poles.imag > 1.0]
    assert len(found["states"]) == 6 + 2 * len(oscillating)
    turning = [mode for mode in found["free_modes"] if np.abs(mode["hub_turn_rad_per_kg05_m"]).max() > 1e-6][:4]
    for mode in turning:
        w = 2 * np.pi * mode["frequency_Hz"]
        nearest = oscillating[np.abs(np.abs(oscillating) - w).argmin()]
        assert abs(nearest) == pytest.approx(w, rel=1e-3)
        assert -nearest.real / abs(nearest) == pytest.approx(mode["damping_ratio"], rel=0.01)


def test_reduced_model_says_how_far_it_is_good(polhode: Command) -> None:
    small, larger = model(polhode, "--modes", "2"), model(polhode, "--modes", "6")
    assert small["modes_in_model"] == [1, 2]
    assert len(small["states"]) == 10
    assert small["states"][6:8] == ["mode_1", "mode_2"]
    assert 15 < small["valid_up_to_Hz"] < 25
    assert 90 < larger["valid_up_to_Hz"] < 150


PLANT = """
title = "two arms and a wheel"
[plant]
inertia_kg_m2 = [20, 15, 18]
mass_kg = 300
[[plant.elements]]
kind = "wheel"
axis = [0, 0, 1]
inertia_kg_m2 = 0.05
relative_rate_rad_s = 100
[[plant.elements]]
kind = "flexible-arm"
root_m = [0.5, 0, 0]
direction = [1, 0, 0]
length_m = 3.0
elements = 2
section = { area_m2 = 1e-3, second_moment_m_m4 = 8e-9, second_moment_n_m4 = 2e-8 }
youngs_modulus_Pa = 7e10
shear_modulus_Pa = 2.7e10
density_kg_m3 = 2700
tip_mass_kg = 5.0
[initial]
[run]
duration_s = 1
"""


def test_plant_with_arms_among_its_elements(polhode: Command, tmp_path: Path) -> None:
    """Its modes in place of the arms, the wheel as it is: the poles are those of the whole craft."""
    case = tmp_path / "arms.toml"
    case.write_text(PLANT)
    outcome = polhode("linearize", str(case), "--json", "--damping", "0")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json["states"][-1] == "wheel_angle_momentum"
    assert outcome.json["states"][6] == "mode_1"
    loaded = load_case(str(case))
    craft = build(loaded.case, with_law=False).craft
    exact = craft.linearize(craft.at_rest()).eigenvalues()
    found = np.array([complex(*pair) for pair in outcome.json["eigenvalues"]])
    slow = found[(np.abs(found) > 1e-3) & (np.abs(found) < 1e4)]
    assert slow.size > 10
    assert (np.abs(slow[:, None] - exact).min(axis=1) / np.abs(slow)).max() < 1e-6
    refused = polhode("linearize", str(case), "--modes", "2", "--allow-nonequilibrium")
    assert refused.code == 2
    assert "with --modes arms are linearised at rest" in refused.err


def test_plant_with_arms_on_pivot_keeps_its_arms(polhode: Command, tmp_path: Path) -> None:
    case = tmp_path / "arms.toml"
    case.write_text(PLANT.replace("mass_kg = 300", "mass_kg = 300\npivot_m = [0, 0, -0.5]"))
    found = polhode("linearize", str(case), "--json")
    assert (found.code, found.err) == (0, "")
    assert "arm_node_1_x" in found.json["states"]
    refused = polhode("linearize", str(case), "--modes", "2")
    assert refused.code == 2
    assert "omit the pivot" in refused.err


@pytest.mark.slow
def test_pictures_and_files(polhode: Command, tmp_path: Path) -> None:
    outcome = polhode("linearize", CASE, "--modes", "4", "--damping", "0.005", "--out", str(tmp_path / "out"))
    assert (outcome.code, outcome.err) == (0, "")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "linear_model.json",
        "linear_model.mat",
        "modes_free.png",
        "modes_hub_fixed.png",
        "response.png",
    }
    assert json.loads((tmp_path / "out" / "linear_model.json").read_text())["modes_in_model"] == [1, 2, 7, 8]
    assert "14 states, hub and 4 of 30 modes" in outcome.out
    assert "10.214   0.005" in outcome.out
    assert max(len(line) for line in outcome.out.splitlines() if "written to" not in line) <= 100


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((CASE, "--modes", "99"), "modes must be 1 to 10"),
        ((CASE, "--damping", "1.5"), "damping ratios must be from 0 to below 1"),
        ((CASE, "--modes", "2", "--allow-nonequilibrium"), "linearised at rest"),
        (("slew-lqr", "--modes", "2"), "--modes requires a spacecraft with flexible arms, but slew-lqr has none"),
        (("slew-lqr", "--damping", "0.1"), "--damping requires a spacecraft with flexible arms, but slew-lqr has none"),
    ],
)
def test_arm_modes_command_rejects_bad_input(polhode: Command, words: tuple[str, ...], message: str) -> None:
    outcome = polhode("linearize", *words)
    assert outcome.code == 2
    assert message in outcome.err
