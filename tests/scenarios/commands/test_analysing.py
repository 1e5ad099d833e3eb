"""polhode analyse: its output, files and exit codes."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from polhode.scenarios.commands.invoke import invoke

CASE = """
title = "A small craft under quaternion feedback"
description = "For the tests."
[plant]
inertia_kg_m2 = [10.0, 8.0, 6.0]
[initial]
attitude_deg = { sequence = "3-2-1", angles = [60.0, -50.0, 80.0] }
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.5
damping_ratio = 0.7
sample_s = 0.2
torque_limit_N_m = 1.0
[run]
duration_s = 40.0
integrator = "rk4"
step_s = 0.2
"""


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(CASE, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """The sweeps of margins are tested by themselves; they take most of the time."""
    from polhode.scenarios.commands import loop_analysis

    whole = loop_analysis._sweeps
    monkeypatch.setattr(loop_analysis, "_sweeps", lambda *arguments: whole(*arguments)[-1:])


@pytest.fixture
def few_starts(monkeypatch):
    """One start of the map, which `test_json_and_files` fills."""
    from polhode import sim

    whole = sim.region_of_attraction
    monkeypatch.setattr(
        sim, "region_of_attraction", lambda *a, **k: whole(*a, **{**k, "angles": (0.5,), "rates": (0.0,)})
    )


@pytest.mark.slow
def test_json_and_files(case, tmp_path, capsys):
    out = tmp_path / "found"
    assert invoke(["analyse", str(case), "--json", "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((out / "analysis.json").read_text(encoding="utf-8"))
    assert found["holds"] is True
    assert found["margins"]["worst_relative_error"] < 0.02
    # sampled and held, J theta'' = - f (k theta + c theta') leaves the unit circle at z = -1: f = 2 / (2 zeta wn h)
    ups = [row["observed"] for row in found["margins"]["rows"] if row["kind"] == "gain up"]
    np.testing.assert_allclose(ups, 2.0 / (2.0 * 0.7 * 0.5 * 0.2), rtol=1e-3)
    assert found["lyapunov"]["decreases"] is True
    assert found["unwinding"]["unwinds"] is False
    assert found["region_of_attraction"]["starts"] == 12 * 9 * 4
    assert found["sweeps"][-1]["swept"] == "spin rate"
    pictures = sorted(path.name for path in out.iterdir())
    assert pictures == ["analysis.json", "margins_over_spin_rate.png", "overlay.png", "region_of_attraction.png"]
    assert all((out / name).read_bytes().startswith(b"\x89PNG") for name in pictures if name.endswith(".png"))


@pytest.mark.slow
@pytest.mark.usefixtures("few_starts")
def test_words(case, capsys):
    assert invoke(["analyse", str(case)]) == 0
    said = capsys.readouterr().out
    for words in ("observed/predicted", "margins agree", "V = 1/2 v' Kp^-1 J v", "no unwinding", "settle within"):
        assert words in said


@pytest.mark.slow
@pytest.mark.usefixtures("few_starts")
def test_linear_law_has_no_lyapunov_function_here(case, capsys):
    case.write_text(
        CASE.replace('kind = "quaternion-feedback"\nfrequency_rad_s = 0.5\ndamping_ratio = 0.7', 'kind = "lqr"\n'
        "attitude_weight = 1.0\nrate_weight = 1.0\neffort_weight = 1.0"), encoding="utf-8",
    )  # fmt: skip
    assert invoke(["analyse", str(case), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["lyapunov"] is None
    assert "LinearFeedback" in found["lyapunov_reason"]


@pytest.mark.slow
@pytest.mark.usefixtures("few_starts")
def test_analyse_exit_code_reports_unstable_loop(case, capsys, monkeypatch):
    from polhode import sim

    def wrong(law):
        return SimpleNamespace(loop=lambda model, blocks=(): law.loop(model, delay=0.1))

    monkeypatch.setitem(sim.confirm_margins.__globals__, "with_defaults", wrong)
    assert invoke(["analyse", str(case)]) == 1
    assert "NO" in capsys.readouterr().out


def test_case_without_controller_is_refused(capsys):
    assert invoke(["analyse", "torque-free"]) == 2
    assert "[controller]" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "taken_as"),
    [
        ("four-wheel-pyramid", None),
        pytest.param("guided-slew", None, marks=pytest.mark.slow),
        pytest.param("flexible-slew", "its flexible arms rigid", marks=pytest.mark.slow),
        pytest.param(
            "flexible-on-wheels",
            "its flexible arms rigid and the gravity gradient of its prescribed orbit left out",
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.usefixtures("few_starts")
def test_wheels_arms_and_guided_references(name, taken_as, capsys):
    """Wheels give the torque, arms bend, the reference moves: margins are those of the loop about the attitude held."""
    invoke(["analyse", name, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert len(found["margins"]["rows"]) == 7
    assert found["taken_as"] == taken_as
    assert found["margins"]["worst_relative_error"] < 0.005
    assert found["holds"] is True


def test_mode_that_sees_less_than_attitude_says_what_it_leaves(capsys):
    """Pointing at the Sun says nothing of the turn about the line to it; blocks of other modes are in nobody's way."""
    assert invoke(["analyse", "acquisition", "--mode", "sun"]) == 2
    assert "a turn about an axis that the law is not shown" in capsys.readouterr().err
