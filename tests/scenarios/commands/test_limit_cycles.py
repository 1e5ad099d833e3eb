"""`polhode analyse` of on-off thrusters: cycles by closed form, describing function and simulation."""

import json

import numpy as np
import pytest


@pytest.mark.slow
def test_predicted_and_simulated(polhode, tmp_path):
    out = tmp_path / "out"
    done = polhode("analyse", "thruster-limit-cycle", "--json", "--out", str(out))
    assert done.code == 0, done.err
    rows = done.json["limit_cycles"]
    assert [row["axis"] for row in rows] == ["x", "y", "z"]
    for row, inertia in zip(rows, (400.0, 307.8, 200.0), strict=True):
        assert row["inertia_kg_m2"] == inertia
        assert row["holds"]
        exact, band = row["continuous"], row["band"]
        assert len(row["simulated"]) == 3
        assert not band["can_rest"] or band["one_sample_rad_s"] > 0.0
        for simulated in row["simulated"]:
            assert abs(simulated["period_s"] / exact["period_s"] - 1.0) < 0.02
            assert abs(simulated["amplitude_rad"] / exact["amplitude_rad"] - 1.0) < 0.03
            for key in ("period_s", "amplitude_rad", "rate_rad_s"):
                assert 0.99 * band[key][0] <= simulated[key] <= 1.01 * (band[key][1] or np.inf)
        # the drift of phase-plane control: hysteresis / (2 lead), increased by the delay of half a sample
        assert 1.0 < exact["rate_rad_s"] / (np.radians(0.2) / 20.0) < 1.02
    assert json.loads((out / "analysis.json").read_text(encoding="utf-8")) == done.json
    assert (out / "limit_cycles.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.slow
def test_words(polhode):
    done = polhode("analyse", "thruster-limit-cycle")
    assert done.code == 0, done.err
    for words in ("sampled, any start", "without sampling", "describing function", "about z every simulated cycle"):
        assert words in done.out


def test_axes_that_are_not_principal_are_refused(polhode):
    tensor = "plant.inertia_kg_m2=[[400,20,0],[20,300,0],[0,0,200]]"
    done = polhode("analyse", "thruster-limit-cycle", "--set", tensor)
    assert done.code == 2
    assert "product of inertia of 20 kg m^2" in done.err


def test_limit_cycles_command_states_why_there_is_none(polhode):
    done = polhode("analyse", "thruster-limit-cycle", "--set", "controller.delay_s=15")
    assert done.code == 2
    assert "about x: the torque delay 15.01 s" in done.err


def test_about_a_spin_no_axis_cycles_alone(polhode):
    done = polhode("analyse", "thruster-limit-cycle", "--set", "reference.rate_deg_s=[0,0,5]")
    assert done.code == 2
    assert "a spin couples the axes" in done.err


@pytest.mark.slow
def test_pulses_too_coarse_for_a_cycle(polhode):
    done = polhode("analyse", "thruster-limit-cycle", "--set", "controller.torque_N_m=[0.1,0.1,10]")
    assert done.code == 2
    assert "about z: one sample of thrust changes the rate by 0.0573 deg/s" in done.err
