"""Cases with flexible arms: accepted keys, and refusals with their messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.plant.flexible import rigid_twin
from polhode.scenarios import build, load_case

TEXT = """\
title = "a hub with one arm"

[plant]
inertia_kg_m2 = [0.149, 0.149, 0.149]
mass_kg = 22.4
hub_size_m = [0.2, 0.2, 0.2]

[[plant.elements]]
kind = "flexible-arm"
root_m = [0.1, 0.0, 0.0]
direction = [1.0, 0.0, 0.0]
length_m = 2.0
elements = 2
section = { width_m = 0.05, height_m = 0.02 }
youngs_modulus_Pa = 7.17e10
poisson_ratio = 0.25
density_kg_m3 = 2.8e3

[run]
duration_s = 1.0
"""

Refusal = Callable[..., str]


@pytest.fixture
def refusal(tmp_path: Path) -> Refusal:
    def refused(old: str, new: str) -> str:
        assert old in TEXT
        path = tmp_path / "case.toml"
        path.write_text(TEXT.replace(old, new), encoding="utf-8")
        with pytest.raises(InputError) as caught:
            build(load_case(path).case)
        return str(caught.value).removeprefix(f"{path}: ")

    return refused


def test_rectangle_and_poissons_ratio(tmp_path: Path) -> None:
    path = tmp_path / "case.toml"
    path.write_text(TEXT, encoding="utf-8")
    section = build(load_case(path).case).craft.elements[0].section
    assert section.area == pytest.approx(1e-3)
    assert section.second_moment_m == pytest.approx(0.05 * 0.02**3 / 12)  # bending across the height
    assert section.second_moment_n == pytest.approx(0.02 * 0.05**3 / 12)
    assert section.shear_modulus == pytest.approx(7.17e10 / 2.5)
    # Timoshenko & Goodier, table of beta for a rectangle: b/c = 2.5, 0.249
    assert section.torsion_constant == pytest.approx(0.249 * 0.05 * 0.02**3, rel=3e-3)


def test_rigid_arms_are_rods() -> None:
    craft = rigid_twin(build(load_case("flexible-satellite-free").case).craft)
    # a rod from 0.1 to 2.1 m: rho A (2.1^3 - 0.1^3) / 3, and rho J L about each axis
    along = 0.149 + 2 * 2800 * 1.04e-6 * 2
    across = 0.149 + 2 * 7 * (2.1**3 - 0.1**3) / 3 + 2 * 2800 * 5.2e-7 * 2
    assert np.allclose(craft.locked_inertia(craft.at_rest()), np.diag([along, across, across]), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("length_m = 2.0", "length_m = 0.0", "plant.elements.0.length_m: must be greater than 0 m; got 0.0 m"),
        ("elements = 2", "elements = 0", "plant.elements.0.elements: must be greater than 0; got 0"),
        ("elements = 2", "elements = 5000", "plant.elements.0: elements of arm must be at most 4096; got 5000"),
        (
            "youngs_modulus_Pa = 7.17e10",
            "youngs_modulus_Pa = -7e10",
            "plant.elements.0.youngs_modulus_Pa: must be greater than 0 Pa; got -70000000000.0 Pa",
        ),
        (
            "poisson_ratio = 0.25",
            "shear_modulus_Pa = -1.0",
            "plant.elements.0.shear_modulus_Pa: must be greater than 0 Pa; got -1.0 Pa",
        ),
        ("poisson_ratio = 0.25", "poisson_ratio = 0.7", "plant.elements.0.poisson_ratio: must be at most 0.5; got 0.7"),
        ("poisson_ratio = 0.25", "", "plant.elements.0: give one of shear_modulus_Pa and poisson_ratio"),
        (
            "hub_size_m = [0.2, 0.2, 0.2]",
            "hub_size_m = [0.1, 0.2, 0.2]",
            ("plant: arm 1 begins 0.1 m from the hub's centre along x, but the hub reaches only 0.05 m there; "
            "make the hub larger or move the root onto it"),
        ),
        (
            "hub_size_m = [0.2, 0.2, 0.2]",
            "hub_size_m = [0.2, 0.0, 0.2]",
            "plant: hub_size_m: edges must be greater than 0 m; got [0.2, 0.0, 0.2]",
        ),
        (
            "direction = [1.0, 0.0, 0.0]",
            "direction = [0, 0, 0]",
            "plant.elements.0: direction of arm must have a direction; got (0, 0, 0)",
        ),
        (
            "{ width_m = 0.05, height_m = 0.02 }",
            "{ width_m = 0.05 }",
            ("plant.elements.0.section: needs width_m and height_m of a rectangle, or area_m2, second_moment_m_m4 and "
            "second_moment_n_m4"),
        ),
        (
            "{ width_m = 0.05, height_m = 0.02 }",
            "{ width_m = 0.05, height_m = 0.02, area_m2 = 1e-3 }",
            "plant.elements.0.section: give either width_m and height_m, or area_m2 and the second moments",
        ),
        ("density_kg_m3", "density", "plant.elements.0.density: unknown key; did you mean density_kg_m3?"),
        ("[run]", '[[figures]]\nname = "1"\ncaption = "1"\nkind = "momentum"\nof = "nodes"\n[run]', "figures.0: kind"),
        (
            "[run]",
            "[[torques]]\nfrom_s = 2\nto_s = 1\ncomponents_N_m = [0, 1, 0]\n[run]",
            "torques.0: to_s = 1 s must be later than from_s = 2 s",
        ),
        (
            "[run]",
            "[metrics]\nresidual_from_s = 1\n[run]",
            "metrics.residual_from_s = 1 s must be before the end, 1 s",
        ),
    ],
)  # fmt: skip
def test_arm_keys_out_of_range_are_refused(refusal: Refusal, old: str, new: str, said: str) -> None:
    assert refusal(old, new).splitlines()[0].startswith(said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '[[plant.elements]]\nkind = "flexible-arm"',
            "[[satellite.arms]]",
            "satellite: unknown key; a spacecraft is a [plant]",
        ),
    ],
)
def test_old_way_is_shown_new_one(refusal: Refusal, old: str, new: str, said: str) -> None:
    assert refusal(old, new).startswith(said)
    assert '[[plant.elements]] with kind = "flexible-arm"' in refusal(old, new)
    assert "\n" not in refusal(old, new)


def test_hub_size_without_arms(refusal: Refusal) -> None:
    arm = TEXT[TEXT.index("[[plant.elements]]") : TEXT.index("[run]")]
    assert refusal(arm, "") == "plant: hub_size_m limits the roots of flexible arms, but the plant has none; remove it"
