"""`[run] formulation`: a case simulated in each of the documents' equations."""

import numpy as np
import pytest

from polhode.plant.formulations import FORMULATIONS


@pytest.fixture
def body(tmp_path):
    path = tmp_path / "body.toml"
    path.write_text(
        """
title = "a free body"
[plant]
inertia_kg_m2 = [[4.0, 0.1, -0.2], [0.1, 3.0, 0.3], [-0.2, 0.3, 2.0]]
[initial]
rate_rad_s = [0.3, -0.4, 0.7]
[[torques]]
from_s = 1.0
to_s = 2.0
basis = "body"
components_N_m = [0.2, 0.1, -0.1]
[run]
duration_s = 5.0
integrator = "rk8"
step_s = 0.01
""",
        encoding="utf-8",
    )
    return str(path)


@pytest.mark.parametrize("name", sorted(FORMULATIONS))
def test_every_formulation_gives_the_motion_of_the_plant(name, body, polhode):
    own = polhode("run", body, "--json", "--at", "0.5,1.7,5")
    words = ["--set", f"run.formulation={name}"]
    if FORMULATIONS[name].has_angles:
        words += ["--set", "run.formulation_sequence=3-1-3", "--set", "initial.attitude=[0.6,0.64,0.48,0.0]"]
        own = polhode("run", body, "--json", "--at", "0.5,1.7,5", *words[2:][2:])
    done = polhode("run", body, "--json", "--at", "0.5,1.7,5", *words)
    assert done.code == 0, done.err
    assert len(done.json["samples"]) == 3
    for mine, its in zip(own.json["samples"], done.json["samples"], strict=True):
        sign = np.sign(np.dot(mine["attitude"], its["attitude"]))
        np.testing.assert_allclose(sign * np.array(its["attitude"]), mine["attitude"], rtol=0, atol=1e-10)
        np.testing.assert_allclose(its["rate_rad_s"], mine["rate_rad_s"], rtol=0, atol=1e-10)
        assert its["energy_J"] == pytest.approx(mine["energy_J"], rel=1e-10)


def test_gimbal_lock_is_told(polhode, body):
    words = ("--set", "run.formulation=euler-angles", "--set", "run.formulation_sequence=3-2-1")
    turn = ("--set", "initial.rate_rad_s=[0,1,0]", "--set", "plant.inertia_kg_m2=[4,3,2]")
    done = polhode("run", body, "--json", *words, *turn, "--set", "torques.0.components_N_m=[0,0,0]")
    assert done.code == 1
    assert done.json["status"] == "singular"
    assert "gimbal lock of '3-2-1'" in done.err
    assert done.json["t_end_s"] == pytest.approx(np.pi / 2, abs=0.05)


def test_angles_at_their_singular_pose_are_refused(polhode, body):
    words = ("--set", "run.formulation=euler-angles", "--set", "run.formulation_sequence=3-1-3")
    done = polhode("run", body, *words)
    assert done.code == 2
    assert "gimbal lock" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run.formulation=euler-angle",), "did you mean"),
        (("run.formulation=euler-angles",), "needs formulation_sequence"),
        (("run.formulation=hamilton-7", "run.formulation_sequence=3-1-3"), "is not used by"),
        (("run.formulation_sequence=3-1-3",), "needs a formulation in Euler angles"),
    ],
)
def test_bad_words(polhode, body, words, message):
    done = polhode("run", body, *(part for word in words for part in ("--set", word)))
    assert done.code == 2
    assert message in done.err


def test_elements_are_refused(polhode):
    done = polhode("run", "momentum-bias", "--set", "run.formulation=hamilton-7")
    assert done.code == 2
    assert "momentum-bias: run.formulation: formulation 'hamilton-7' describes one rigid body" in done.err


def test_under_a_law(polhode):
    """The same law, margins and requirements; dop853, delay and compensation as for the standard equations."""
    own, other = (
        polhode("run", "slew-lqr", "--json", "--at", "10,60", *words)
        for words in ((), ("--set", "run.formulation=lagrange-29"))
    )
    assert other.code == own.code == 0, other.err
    for mine, its in zip(own.json["samples"], other.json["samples"], strict=True):
        np.testing.assert_allclose(its["attitude"], mine["attitude"], rtol=0, atol=1e-9)
        np.testing.assert_allclose(its["rate_rad_s"], mine["rate_rad_s"], rtol=0, atol=1e-9)
    assert [each["met"] for each in other.json["requirements"]] == [each["met"] for each in own.json["requirements"]]


@pytest.mark.slow
def test_pictures(polhode, tmp_path, body):
    done = polhode("run", body, "--set", "run.formulation=lagrange-23", "--out", str(tmp_path / "out"))
    assert done.code == 0, done.err
    assert (tmp_path / "out" / "overview.png").exists()
