"""Every kind of controller from a case file: designed, described, simulated."""

import pytest

HEAD = """\
title = "a slew"

[plant]
inertia_kg_m2 = [[400.0, 12.0, -8.0], [12.0, 307.8, 15.0], [-8.0, 15.0, 200.0]]

[initial]
attitude_deg = { sequence = "3-2-1", angles = [60.0, -50.0, 80.0] }
rate_rad_s = [0.01, 0.02, -0.01]

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[run]
duration_s = 300.0

[controller]
sample_s = 0.1
delay_s = 0.05
torque_limit_N_m = 1.0
"""
LAWS = {
    "lqr": "attitude_weight = 25.0\nrate_weight = 1.0\neffort_weight = 1.0",
    "quaternion-feedback": "frequency_rad_s = 0.1\ndamping_ratio = 0.9",
    "energy-shaping": "frequency_rad_s = 0.1\ndamping_ratio = 0.9",
    "sliding-mode": "slope_1_s = 0.2\nreach_N_m = 0.8\nboundary_layer_rad_s = 0.02",
    "on-off": "torque_N_m = 1.0\ndeadband_deg = 0.2\nhysteresis_deg = 0.05\nlead_s = 20.0",
    "rate-damping": "gain_N_m_s = 20.0",
    "lqi": "attitude_weight = 25.0\nrate_weight = 1.0\neffort_weight = 1.0\nintegral_weight = 0.01",
    "lqg": (
        "attitude_weight = 25.0\nrate_weight = 1.0\neffort_weight = 1.0\n"
        "torque_noise_N_m_rtHz = 0.01\nattitude_noise_rad = 1e-4\nrate_noise_rad_s = 1e-4"
    ),
    "lqgi": (
        "attitude_weight = 25.0\nrate_weight = 1.0\neffort_weight = 1.0\nintegral_weight = 0.01\n"
        "torque_noise_N_m_rtHz = 0.01\nattitude_noise_rad = 1e-4\nrate_noise_rad_s = 1e-4"
    ),
    "disturbance-observer": (
        "attitude_weight = 25.0\nrate_weight = 1.0\neffort_weight = 1.0\ntorque_walk_N_m_rts = 0.01\n"
        "torque_noise_N_m_rtHz = 0.01\nattitude_noise_rad = 1e-4\nrate_noise_rad_s = 1e-4"
    ),
    "pid": "frequency_rad_s = 0.1\ndamping_ratio = 0.9\nintegral_time_s = 60.0",
    "state-feedback": "attitude_gain_N_m_rad = 4.0\nrate_gain_N_m_s_rad = [60.0, 50.0, 40.0]\ncommand_gain = 0.1",
    "state-space": "A = [[0.5]]\nB = [[1.0, 0.0]]\nC = [[0.1]]\nD = [[4.0, 60.0]]",
    "pole-placement": "poles_1_s = [-0.1, -0.11, -0.12, -0.13, [-0.1, 0.05], [-0.1, -0.05]]",
    'pid" # filtered': (
        "frequency_rad_s = 0.1\ndamping_ratio = 0.9\n"
        '[[controller.filters]]\nkind = "notch"\nfrequency_rad_s = 6.0\n'
        '[[controller.filters]]\nkind = "roll-off"\nfrequency_rad_s = 3.0'
    ),
}


@pytest.fixture(params=LAWS)
def slew(request, tmp_path):
    path = tmp_path / "slew.toml"
    kind = request.param.split('"')[0]
    path.write_text(f'{HEAD}kind = "{kind}"\n{LAWS[request.param]}\n', encoding="utf-8")
    return kind, path


def test_flies(slew, polhode):
    kind, path = slew
    done = polhode("run", str(path), "--json")
    assert done.code == 0, done.err
    if kind == "rate-damping":
        rate = done.json["final"]["rate_rad_s"]
        assert max(map(abs, rate)) < 1e-6  # a factor exp(-20 * 300 / 415)
    else:
        bound = {"lqi": 0.5, "lqgi": 0.5, "pid": 0.5, "on-off": 0.36}.get(kind, 1e-3)  # integrals; sqrt(3) x deadband
        assert done.json["metrics"]["final_attitude_error_deg"] < bound
    if kind == "on-off":
        assert done.json["metrics"]["peak_torque_N_m"] is None  # its pulses are shorter than the output interval
    else:
        assert done.json["metrics"]["peak_torque_N_m"] <= 1.0


@pytest.mark.parametrize(
    "slew",
    [pytest.param(k, marks=[pytest.mark.slow] * (k not in ("on-off", "rate-damping"))) for k in LAWS],
    indirect=True,
)
def test_law_kinds_are_described(slew, polhode):
    kind, path = slew
    done = polhode("design", str(path), "--json")
    assert done.code == 0, done.err
    assert done.json["method"] == kind
    assert done.json["gains"]
    if kind == "on-off":
        assert done.json["margins"] is None
        assert "no margins" in polhode("design", str(path)).out
    else:
        assert (done.json["step"] is None) == (kind == "rate-damping")  # it controls no attitude: the loop of the rate
        assert done.json["margins"]["axes"][0]["gain_up_dB"] > 6.0
        assert abs(complex(*done.json["closed_loop_poles"][0])) < 1.0


@pytest.mark.thinned(4)
def test_direction_of_command_is_kept(slew, polhode):
    kind, path = slew
    low = ("run", str(path), "--json", "--set", "controller.torque_limit_N_m=0.3")
    plain = polhode(*low)
    if kind == "on-off":
        assert "the thrusters give [1.0, 1.0, 1.0] N m, but the torque basis allows [0.3" in plain.err
        return
    kept = polhode(*low, "--set", "controller.keep_direction=true")
    assert kept.code == 0, kept.err
    assert kept.json["final"] != plain.json["final"]


def test_rate_damping_needs_no_reference(tmp_path, polhode):
    text = HEAD.replace("[reference]\nattitude = [1.0, 0.0, 0.0, 0.0]\n", "")
    path = tmp_path / "damped.toml"
    path.write_text(f'{text}kind = "rate-damping"\n{LAWS["rate-damping"]}\n', encoding="utf-8")
    done = polhode("run", str(path), "--json")
    assert done.code == 0, done.err
    path.write_text(f'{text}kind = "lqr"\n{LAWS["lqr"]}\n', encoding="utf-8")
    assert "needs a [reference]" in polhode("run", str(path)).err


@pytest.mark.slow
def test_saved_and_flown_from_a_file(polhode, tmp_path):
    path = tmp_path / "slew.toml"
    path.write_text(f'{HEAD}kind = "lqi"\n{LAWS["lqi"]}\n', encoding="utf-8")
    designed = polhode("design", str(path), "--out", str(tmp_path / "gains"))
    assert designed.code == 0, designed.err
    flown = tmp_path / "flown.toml"
    rest = HEAD.replace("sample_s = 0.1\ndelay_s = 0.05\n", "")
    flown.write_text(f'{rest}kind = "file"\nfile = "gains/law.toml"\n', encoding="utf-8")
    first, second = (polhode("run", str(each), "--json") for each in (path, flown))
    assert second.code == 0, second.err
    assert second.json["final"] == first.json["final"]
    other = polhode("run", str(flown), "--json", "--set", "plant.inertia_kg_m2=[400,300,200]")
    assert other.code == 2
    assert "fingerprint" in other.err


def test_bad_poles(polhode, tmp_path):
    path = tmp_path / "slew.toml"
    path.write_text(f'{HEAD}kind = "pole-placement"\npoles_1_s = [-1.0, "x"]\n', encoding="utf-8")
    done = polhode("run", str(path))
    assert done.code == 2
    assert (
        "controller.poles_1_s: must be poles in 1/s, each a number or [real, imaginary]; number 2 is the text"
        in done.err
    )
