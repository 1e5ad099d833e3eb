"""`polhode poles`: poles over a parameter of the case, against closed forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.commands.pole_sweep import parse_range

from ..conftest import Command

SPIN = """
title = "A spinning disc"
[plant]
inertia_kg_m2 = [3.0, 3.0, 5.0]
[initial]
rate_rad_s = [0.0, 0.0, 1.0]
[run]
duration_s = 1.0
"""

DAMPED = """
title = "Rate damping"
[plant]
inertia_kg_m2 = [4.0, 4.0, 4.0]
[initial]
rate_rad_s = [0.0, 0.0, 0.0]
[controller]
kind = "rate-damping"
gain_N_m_s = 1.0
sample_s = 0.5
torque_limit_N_m = 1.0
[run]
duration_s = 1.0
"""


@pytest.fixture
def case(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "case.toml"
    path.write_text(request.param, encoding="utf-8")
    return path


@pytest.mark.parametrize("case", [SPIN], indirect=True)
def test_nutation_over_spin_rate_is_that_of_euler(polhode: Command, case: Path, tmp_path: Path) -> None:
    """The momentum of a spinning disc rotates in the body at (I3 - I1) / I1 times its spin rate."""
    picture = tmp_path / "campbell.png"
    outcome = polhode("poles", case, "--vary", "initial.rate_rad_s.2=0.5:2:4", "--out", picture, "--json")
    assert outcome.code == 0
    for value, poles in zip(outcome.json["values"], outcome.json["poles"], strict=True):
        frequencies = np.array(poles)[:, 1]
        assert np.abs(frequencies - value * (5.0 - 3.0) / 3.0).min() < 1e-12
        assert np.abs(np.array(poles)[:, 0]).max() < 1e-7
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("case", [DAMPED], indirect=True)
def test_locus_of_rate_damping_crosses_at_its_limit(polhode: Command, case: Path) -> None:
    """w[k+1] = (1 - K h / I) w[k], so z = 1 - K h / I; it leaves the unit circle at K = 2 I / h = 16."""
    outcome = polhode("poles", case, "--vary", "controller.gain_N_m_s=1:19:10", "--json")
    assert outcome.code == 0
    for gain, poles in zip(outcome.json["values"], outcome.json["poles"], strict=True):
        wanted = np.log(complex(1.0 - gain * 0.5 / 4.0)) / 0.5 if gain != 8.0 else None
        found = np.array([complex(*each) for each in poles])
        if wanted is not None:
            assert np.abs(found - wanted).min() < 1e-9 * abs(wanted)
    assert outcome.json["stability_changes_between"] == [[15.0, 17.0]]


@pytest.mark.parametrize("text", ["a", "a=1", "a=2:1", "a=0:1:1", "a=0:1:2:3", "=0:1", "a=x:1", "a=0:inf"])
def test_range_that_cannot_be_read_is_rejected(text: str) -> None:
    with pytest.raises(InputError, match="--vary"):
        parse_range(text)


@pytest.mark.parametrize("case", [SPIN], indirect=True)
def test_unknown_key_is_named(polhode: Command, case: Path) -> None:
    outcome = polhode("poles", case, "--vary", "initial.rat_rad_s=0:1")
    assert outcome.code == 2
    assert "rat_rad_s" in outcome.err
