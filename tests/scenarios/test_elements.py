"""Case files with elements: independent numbers of the ring, and requirements of each scenario."""

import numpy as np
import pytest

RING = {  # an independent symbolic Lagrangian, integrated to twelve digits or more: J omega, slug angle, energy
    1.0: ((1.75939365604163, -0.464972295424222, 15.9912364465647), 0.324728931294458, 82.4211988350476),
    5.0: ((0.727238955757275, -1.24784783983578, 16.0351584967962), 1.20316993592358, 82.0697481701489),
    60.0: ((0.0796175005452824, -0.0373359108362617, 16.1061172219474), 2.62234443895005, 81.7097623039919),
}


def test_ring_gives_independent_numbers(polhode):
    done = polhode("run", "nutation-damping", "--json", "--at", "1,5,60")
    assert done.code == 0, done.err
    for sample in done.json["samples"]:
        momentum, angle, energy = RING[sample["t_s"]]
        np.testing.assert_allclose(np.array((1, 1, 1.6)) * sample["rate_rad_s"], momentum, rtol=0, atol=1e-9)
        assert sample["internal"]["ring_angle_rad"] == pytest.approx(angle, abs=1e-9)
        assert sample["energy_J"] == pytest.approx(energy, abs=1e-9)


def test_seeker_under_gravity(polhode):
    done = polhode("run", "seeker-under-gravity", "--json", "--at", "1")
    assert done.code == 0, done.err
    (sample,) = done.json["samples"]
    momentum = (1.71183498855696, -0.462043757609153, 15.9919922632493)
    np.testing.assert_allclose(np.array((1, 1, 1.6)) * sample["rate_rad_s"], momentum, rtol=0, atol=1e-9)
    assert sample["internal"]["ring_angle_rad"] == pytest.approx(0.339845264985846, abs=1e-9)


def test_minor_axis_is_flagged_and_grows(polhode):
    done = polhode("run", "nutation-damping-minor-axis", "--json")
    assert done.code == 0, done.err
    (warning,) = done.json["warnings"]
    assert "unstable: spin about the minor axis" in warning
    metrics = done.json["metrics"]
    grown = np.log(
        np.sin(np.radians(metrics["final_nutation_deg"])) / np.sin(np.radians(metrics["initial_nutation_deg"]))
    )
    told = float(warning.split("e-fold in ")[1].split(" s")[0])
    # the eigenvalue is that of small angles, and the first revolutions contain more than nutation
    assert grown == pytest.approx(600.0 / told, rel=0.1)


def test_flat_spin_ends_about_the_major_axis(polhode):
    done = polhode("run", "flat-spin", "--json", "--at", "0,1500")
    assert done.code == 0, done.err
    start, end = done.json["samples"]
    H = np.linalg.norm(start["momentum_N_m_s"])
    along = np.array((1.0, 1.0, 0.0)) / np.sqrt(2.0)  # hub and wheel together
    major = np.linalg.eigvalsh(np.diag((5.8, 6.2, 1.0)) + 0.6 * np.outer(along, along)).max()
    assert end["energy_J"] == pytest.approx(H**2 / (2.0 * major), rel=2e-3)
    assert done.json["metrics"]["final_nutation_deg"] == pytest.approx(90.0, abs=2.0)


def test_wheel_holds_against_torque(polhode):
    done = polhode("run", "momentum-bias", "--json")
    assert done.code == 0, done.err
    # precession: torque x time over momentum, about z for a torque about x
    expected = np.degrees(5e-4 * 600.0 / 20.0)
    assert done.json["metrics"]["final_attitude_error_deg"] == pytest.approx(expected, rel=0.02)
    free = polhode("run", "momentum-bias", "--json", "--set", "plant.elements.0.relative_rate_rad_s=0")
    assert free.json["metrics"]["final_attitude_error_deg"] > 40.0


def test_dual_spin_turn(polhode):
    done = polhode("run", "dual-spin", "--json", "--at", "0,1500")
    assert done.code == 0, done.err
    start, end = (np.array(sample["momentum_N_m_s"]) for sample in done.json["samples"])
    assert abs(start[0]) < 1e-12
    assert abs(end[0]) == pytest.approx(np.linalg.norm(start), rel=2e-3)  # all of it along the wheel axis


@pytest.mark.slow
def test_controller_and_damper_together(polhode):
    done = polhode("run", "spin-stabilised-with-control", "--json")
    assert done.code == 0, done.err
    assert done.json["metrics"]["final_nutation_deg"] < 1e-3
    designed = polhode("design", "spin-stabilised-with-control", "--json")
    assert designed.code == 0, designed.err
    assert abs(complex(*designed.json["closed_loop_poles"][0])) < 1.0


@pytest.mark.slow
def test_design_of_damper(polhode, tmp_path):
    out = tmp_path / "out"
    done = polhode("design", "nutation-damping", "--json", "--out", str(out))
    assert done.code == 0, done.err
    major = done.json["spins"][0]
    assert (major["axis"], major["verdict"]) == ("major", "asymptotically stable")
    optimum = done.json["optimum"]
    assert optimum["time_constant_s"] < optimum["time_constant_as_given_s"]
    assert (out / "damping_chart.png").read_bytes()[:4] == b"\x89PNG"
    told = polhode("design", "nutation-damping")
    assert "asymptotically stable  major axis" in told.out


def test_wheels_take_the_torque_of_the_controller(polhode, tmp_path):
    path = tmp_path / "wheels.toml"
    path.write_text(
        """
title = "a slew on four wheels"
[plant]
inertia_kg_m2 = [[120.0, 5.0, -3.0], [5.0, 100.0, 2.0], [-3.0, 2.0, 80.0]]
[[plant.elements]]
kind = "wheel-array"
axes = [[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]
inertia_kg_m2 = 0.05
torque_limit_N_m = 0.4
relative_rates_rad_s = [100, -100, 100, -100]
[initial]
attitude_deg = { sequence = "3-2-1", angles = [20, -10, 15] }
[reference]
attitude = [1, 0, 0, 0]
[controller]
kind = "quaternion-feedback"
frequency_rad_s = 0.1
damping_ratio = 0.9
sample_s = 0.1
torque_limit_N_m = 0.5
[run]
duration_s = 200.0
""",
        encoding="utf-8",
    )
    done = polhode("run", str(path), "--json", "--at", "0,10,200")
    assert done.code == 0, done.err
    assert done.json["metrics"]["final_attitude_error_deg"] < 1e-3
    assert max(map(abs, done.json["samples"][1]["momentum_N_m_s"])) < 1e-12  # no external torque
    assert "wheel_4_angle_rate_rad_s" in done.json["samples"][1]["internal"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("friction_kg_s=-1", "friction_kg_s"),
        ("fill_deg=400", "fill_deg"),
        ("fill_deg=0", "fill_deg"),
        ("axis=[0,0,0]", "must have a direction"),
        ("mass=1", "mass_kg"),
    ],
)
def test_bad_rings(polhode, keys, message):
    done = polhode("run", "nutation-damping", "--set", f"plant.elements.0.{keys}")
    assert done.code == 2
    assert "plant.elements.0" in done.err
    assert message in done.err


def test_wheel_heavier_than_its_craft(polhode):
    done = polhode("run", "flat-spin", "--set", "plant.elements.0.inertia_kg_m2=100")
    assert done.code == 2
    assert "inertia" in done.err


@pytest.mark.slow
def test_published_ring_gives_published_numbers(polhode, tmp_path):
    done = polhode("run", "published-ring-damper", "--json", "--at", "1,60", "--out", str(tmp_path))
    assert done.code == 0, done.err
    first, last = done.json["samples"]
    momentum = (1.91834400349152, -0.565646784016438, 16.0006960146355)
    np.testing.assert_allclose(np.array((1, 1, 1.6)) * first["rate_rad_s"], momentum, rtol=0, atol=1e-9)
    assert first["internal"]["ring_angle_rad"] == pytest.approx(0.513920292711161, abs=1e-9)
    ring = first["internal"]["ring_angle_rate_rad_s"] + first["rate_rad_s"][2]
    assert ring == pytest.approx(12.0270303192475, abs=1e-9)
    assert last["energy_J"] == pytest.approx(94.8, abs=0.05)
    assert done.json["invariants"]["momentum_drift_relative"] == pytest.approx(0.07, abs=0.02)
    assert "model = consistent is correct" in done.json["warnings"][0]
    assert (tmp_path / "ring_comparison.png").exists()


def test_published_ring_flies_under_law(polhode):
    changes = ('plant.elements.0.model="published"', "plant.elements.0.axis=[0,0,1]", "run.duration_s=5", "require=[]")
    words = [word for change in changes for word in ("--set", change)]
    done = polhode("run", "spin-stabilised-with-control", "--json", *words)
    assert done.code == 0, done.err
    assert "model = consistent is correct" in done.json["warnings"][0]


@pytest.mark.parametrize("verb", ["linearize", "design", "analyse"])
def test_published_ring_has_no_linear_model(polhode, verb):
    done = polhode(verb, "spin-stabilised-with-control", "--set", 'plant.elements.0.model="published"')
    assert done.code == 2
    assert 'plant.elements.0.model: "published" can only be simulated' in done.err


def test_published_ring_flies_without_other_elements(polhode):
    wheel = '{kind="viscous-wheel", axis=[0,0,1], inertia_kg_m2=0.1, friction_N_m_s=0.1}'
    ring = '{kind="ring-damper", model="published", axis=[0,0,1], mass_kg=0.05, radius_m=0.5, friction_kg_s=0.2}'
    done = polhode("run", "published-ring-damper", "--set", f"plant.elements=[{wheel}, {ring}]")
    assert done.code == 2
    assert "published-ring-damper: plant.elements.1.model: the published ring model describes a rotor with" in done.err
