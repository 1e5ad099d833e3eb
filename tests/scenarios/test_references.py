"""Every kind of `[reference]`: the object, its use by a law, and refusals."""

from __future__ import annotations

from math import radians
from typing import Any

import numpy as np
import pytest

from polhode import controllers, sim
from polhode.controllers.guidance import steady_pose
from polhode.plant.attitude import from_euler_angles, rotation_matrix
from polhode.plant.environment import Epoch, sun_position
from polhode.plant.errors import InputError
from polhode.plant.loads.potentials.kepler import kepler_position
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.report.metrics import measure

from .conftest import Command

PLANT = """
title = "A case"
[plant]
inertia_kg_m2 = [[40.0, 2.0, -1.0], [2.0, 30.0, 1.5], [-1.0, 1.5, 20.0]]
{more}
[initial]
attitude_deg = {{ sequence = "3-2-1", angles = [40.0, 10.0, -20.0] }}
[run]
duration_s = 2.0
[reference]
{reference}
"""
FIELD = """[[plant.potentials]]
kind = "gravity-gradient"
mu_m3_s2 = 3.986004418e14
position_m = [7.0e6, 0.0, 0.0]
velocity_m_s = [0.0, 6000.0, 5400.0]
"""
START = from_euler_angles(np.radians((40.0, 10.0, -20.0)), "3-2-1")
SLEW = 'kind = "eigenaxis-slew"\nattitude = [1, 0, 0, 0]\n'
SPIN_UP = 'kind = "spin-up"\nrate_deg_s = [0, 6, 0]\n'
SUN = 'kind = "sun"\nboresight = [0, 0, 1]\ntarget = [1, 2, 0]\nclock = [1, 0, 0]\nclock_target = [0, 0, 1]\n'
NADIR = 'kind = "nadir"\nboresight = [0, 0, 1]\nclock = [1, 0, 0]\nclock_target = "velocity"\n'


@pytest.fixture
def read(tmp_path) -> Any:
    def function(reference: str, more: str = "") -> Any:
        path = tmp_path / "case.toml"
        path.write_text(PLANT.format(reference=reference, more=more), encoding="utf-8")
        return build(load_case(path).case).reference

    return function


def fly(name: str, *overrides: str) -> tuple[Any, Any]:
    """A shipped case, simulated, and its reference."""
    problem = build(load_case(name, overrides).case)
    run = sim.simulate(problem.craft, problem.law, state=problem.state, reference=problem.reference, **problem.settings)
    return run, problem


def test_slew_starts_where_craft_does_and_counts_its_inertia(read) -> None:
    inertia = ((40.0, 2.0, -1.0), (2.0, 30.0, 1.5), (-1.0, 1.5, 20.0))
    found = read(SLEW + "from_s = 3\ntorque_limit_N_m = [0.1, 0.2, 0.3]\nrate_limit_deg_s = 2.0\n")
    wanted = controllers.EigenaxisSlew(
        START, (1, 0, 0, 0), begin=3, inertia=inertia, torque_limit=(0.1, 0.2, 0.3), rate_limit=radians(2.0)
    )
    np.testing.assert_allclose(found.parameters, wanted.parameters, rtol=1e-14)


def test_slew_from_attitude_of_its_own(read) -> None:
    found = read(
        SLEW
        + "from_attitude_deg = { sequence = '3-1-3', angles = [0, 90, 0] }\nprofile = 'smooth'\n"
        + "acceleration_limit_deg_s2 = 0.5\n"
    )
    wanted = controllers.EigenaxisSlew(
        (0.5**0.5, 0.5**0.5, 0, 0), (1, 0, 0, 0), acceleration_limit=radians(0.5), profile="smooth"
    )
    np.testing.assert_allclose(found.parameters, wanted.parameters, rtol=1e-14, atol=1e-16)


def test_spin_up_starts_where_craft_does(read) -> None:
    found = read(SPIN_UP + "ramp_s = 7.5\nfrom_s = 1\nprofile = 'smooth'\n")
    wanted = controllers.SpinUp(START, rate=(0, radians(6), 0), begin=1, duration=7.5, profile="smooth")
    np.testing.assert_allclose(found.parameters, wanted.parameters, rtol=1e-15)
    given = read(SPIN_UP + "acceleration_rad_s2 = 0.01\nattitude = [0, 1, 0, 0]\n")
    assert given.duration == pytest.approx(radians(6) / 0.01, rel=1e-15)
    assert given.attitude.tolist() == [0, 1, 0, 0]


def test_shaper_places_impulses_on_samples_of_law(read) -> None:
    shaper = "shaper = { kind = 'ei', vibration_modes = [{ frequency_rad_s = 3.1, damping_ratio = 0.01 }] }\n"
    law = "[controller]\nkind = 'pid'\nfrequency_rad_s = 0.3\ndamping_ratio = 0.7\nsample_s = 0.25\n"
    found = read(SLEW + "acceleration_limit_deg_s2 = 0.5\n" + shaper + law)
    slew = controllers.EigenaxisSlew(START, (1, 0, 0, 0), acceleration_limit=radians(0.5))
    wanted = controllers.ShapedReference(slew, [(3.1, 0.01)], kind="ei", sample=0.25)
    np.testing.assert_allclose(found.parameters, wanted.parameters, rtol=1e-14, atol=1e-16)
    assert isinstance(read(SPIN_UP + "ramp_s = 7.5\n" + shaper).reference, controllers.SpinUp)


def test_sun(read) -> None:
    R = rotation_matrix(read(SUN).at(0.0)[:4])
    np.testing.assert_allclose(R[:, 2], np.array((1, 2, 0)) / 5**0.5, rtol=0, atol=1e-15)
    np.testing.assert_allclose(R[:, 0], (0, 0, 1), rtol=0, atol=1e-15)


ORBIT = '[orbit]\nepoch = "2026-03-20T12:00:00Z"\nsemi_major_axis_km = 7000\ninclination_deg = 60\nraan_deg = 70\n'


def test_orbit_of_the_case_gives_nadir_and_sun(read) -> None:
    epoch = Epoch("2026-03-20T12:00:00Z")
    turn = rotation_matrix(read(NADIR.replace("velocity", "sun"), ORBIT).at(0.0)[:4])
    place = np.array((np.cos(np.radians(70.0)), np.sin(np.radians(70.0)), 0.0))  # at the node
    np.testing.assert_allclose(turn[:, 2], -place, rtol=0, atol=1e-6)
    sun = sun_position(epoch) - 7e6 * place
    assert abs(turn[:, 1] @ sun) < 1e-6 * np.linalg.norm(sun)
    turn = rotation_matrix(
        read('kind = "sun"\nboresight = [0, 0, 1]\nclock = [1, 0, 0]\nclock_target = "nadir"', ORBIT).at(0.0)[:4]
    )
    np.testing.assert_allclose(turn[:, 2], sun / np.linalg.norm(sun), rtol=0, atol=1e-6)


def test_orbit_is_that_of_gravity_gradient_or_its_own(read) -> None:
    orbit = "mu_m3_s2 = 3.986004418e14\nposition_m = [7.0e6, 0.0, 0.0]\nvelocity_m_s = [0.0, 6000.0, 5400.0]\n"
    one, other = read(NADIR, FIELD), read(NADIR + orbit)
    np.testing.assert_array_equal(one.parameters, other.parameters)
    assert one.eccentricity == pytest.approx((6000.0**2 + 5400.0**2) * 7e6 / 3.986004418e14 - 1, rel=1e-13)


def test_kinds_that_a_rate_used_to_tell(read) -> None:
    at = "attitude = [1, 0, 0, 0]\n"
    assert isinstance(read(at), controllers.FixedReference)
    assert isinstance(read(f"kind = 'fixed'\n{at}"), controllers.FixedReference)
    for kind in ("", "kind = 'spin'\n"):
        spin = read(f"{kind}{at}rate_deg_s = [0, 0, 90]\n")
        assert isinstance(spin, controllers.SpinReference)
        assert spin.rate[2] == pytest.approx(radians(90), rel=1e-15)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("kind = 'eigen-slew'", "reference: unknown kind 'eigen-slew'; did you mean 'eigenaxis-slew'?"),
        ("kind = 'fixed'\nattitude = [1, 0, 0, 0]\nrate_deg_s = [0, 0, 1]", "at rest; remove the rate or write kind"),
        ("kind = 'spin'\nattitude = [1, 0, 0, 0]", 'reference: kind = "spin" needs rate_deg_s or rate_rad_s'),
        ("kind = 'spin'\nrate_deg_s = [0, 0, 1]", "reference: needs attitude or attitude_deg"),
        (SLEW, "reference: needs torque_limit_N_m or acceleration_limit_deg_s2"),
        (SLEW + "torque_limit_N_m = [1, 0, 1]", "torque_limit_N_m: must be greater than 0 on every axis"),
        (SLEW + "acceleration_limit_deg_s2 = 0", "must be greater than 0 deg/s^2; got 0 deg/s^2"),
        (SLEW + "rate_limit_deg_s = 1\nrate_limit_rad_s = 1", "only one of rate_limit_rad_s and rate_limit_deg_s"),
        (SLEW + "torque_limit_N_m = 1\nshaper = { vibration_modes = [] }", "needs one vibration mode or more"),
        (
            SLEW + "torque_limit_N_m = 1\nshaper = { vibration_modes = [{ frequency_rad_s = 2, damping_ratio = 1 }] }",
            "damping ratio must be below 1; got 1",
        ),
        (SLEW + "rate_limit = 1", "reference.rate_limit: unknown key; did you mean rate_limit"),
        (SLEW.replace("attitude = [1, 0, 0, 0]\n", "torque_limit_N_m = 1"), "the final attitude of the slew"),
        (SLEW + "torque_limit_N_m = 1\nfrom_attitude = [-1, 0, 0, 0]", "reference: slew start and end are the same"),
        (SPIN_UP, "reference: needs ramp_s or acceleration_deg_s2"),
        (SPIN_UP + "ramp_s = 1\nacceleration_deg_s2 = 1", "give only one of acceleration_deg_s2 and ramp_s"),
        (SPIN_UP.replace("6", "0") + "ramp_s = 1", "reference: spin-up rate must not be zero"),
        (SUN.replace("target = [1, 2, 0]", "target = [0, 0, 3]"), "target and clock target must not be parallel"),
        (NADIR, "reference: nadir needs an orbit: give mu_m3_s2, position_m and velocity_m_s here"),
        (NADIR.replace("velocity", "sun"), 'clock_target = "sun" needs the date of [orbit]'),
        (SUN.replace("target = [1, 2, 0]\n", ""), "the Sun needs the date of [orbit]"),
        (
            SUN.replace("[0, 0, 1]\n", '"nadir"\n').replace('boresight = "nadir"', "boresight = [0, 0, 1]"),
            "remove target",
        ),
        (NADIR + "mu_m3_s2 = 4e14", "give mu_m3_s2, position_m and velocity_m_s together, or none of them"),
        (
            NADIR + "mu_m3_s2 = 4e14\nposition_m = [7e6, 0, 0]\nvelocity_m_s = [0, 12e3, 0]",
            "reference: orbit must be an ellipse",
        ),
    ],
)
def test_reference_tables_reject_bad_input(read, reference: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read(reference)
    assert message in str(refused.value)


def test_slew_followed_by_samples_is_off_by_less_quicker_they_come() -> None:
    off = []
    for sample in (0.1, 0.05, 0.01):
        steps = [f"{key}={sample}" for key in ("controller.sample_s", "run.step_s", "run.output_s")]
        run, problem = fly("guided-slew", *steps)
        metrics = measure(run, settling_band_deg=0.1)
        off.append(metrics["peak_attitude_error_deg"].value)
        # the torque that Euler's equation requires on the path, and the small feedback torque
        assert np.abs(run.values("command")).max() == pytest.approx(0.8, abs=3e-4)
        assert problem.reference.peak_torque(problem.craft.body.inertia).max() == pytest.approx(0.8, rel=1e-13)
    assert off[0] == pytest.approx(0.024, abs=0.001)  # as in the case's comment
    assert off[1] < 0.5 * off[0]  # a switch is delayed by a part of the sample: first order
    assert off[2] < 0.1 * off[0]
    assert problem.reference.duration == pytest.approx(59.24, abs=0.005)


def test_nadir_pointing_is_off_by_what_holds_the_gravity_gradient() -> None:
    """The law is a spring of stiffness J wn^2 per radian; the torque varies slowly in comparison."""
    run, problem = fly("nadir-pointing")
    J = problem.craft.body.inertia
    for n in range(200, run.t.size, 100):
        t = float(run.t[n])
        place = np.array(kepler_position(t, 3.986004418e14, 7e6, 0, 0, 0, 6000.0, 5400.0))
        distance = np.linalg.norm(place)
        b = rotation_matrix(problem.reference.at(t)[:4]).T @ place / distance
        torque = 3 * 3.986004418e14 / distance**3 * np.cross(b, J @ b)
        held = np.linalg.norm(np.linalg.solve(J, torque)) / 0.02**2
        # 6 %: the torque on the body off the nadir, and a lag of 2/wn = 100 s on an orbit of 7,363 s
        assert run.values("attitude_error")[n] == pytest.approx(held, rel=0.06)


@pytest.mark.parametrize("name", ["guided-slew", "nadir-pointing"])
def test_linear_law_follows_moving_reference_too(name: str) -> None:
    law = 'controller={kind="lqr",attitude_weight=25,rate_weight=1,effort_weight=1,sample_s=0.1,torque_limit_N_m=1.0}'
    run, _ = fly(name, law, "run.duration_s=600")
    assert run.status == "completed"
    assert np.degrees(run.values("attitude_error")[-1]) < 0.02


def test_linear_law_in_another_basis_says_it_cannot_follow() -> None:
    law = 'controller={kind="lqr",attitude_weight=25,rate_weight=1,effort_weight=1,sample_s=0.1}'
    with pytest.raises(InputError, match="in the 'inertial' torque basis cannot follow a moving reference"):
        fly("guided-slew", law, "plant.torque_basis=inertial")


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("run.duration_s=60", ["reference: the slew ends at 69.2352 s, after the run of 60 s"]),
        (
            "reference.torque_limit_N_m=1.5",
            [
                "the body rate reached 4.787 deg/s, and for 11.8 of 120 s exceeded the rate limit of 4 deg/s",
                "reference: the slew requires 1.5 N m about body axis 1, more than the limit of 1 N m; set a lower",
            ],
        ),
        ("controller.torque_limit_N_m=0.8", []),
        (
            'reference={kind="spin-up",rate_deg_s=[0,0,1],ramp_s=119,from_s=2}',
            ["reference: the spin-up ends at 121 s, after the run of 120 s"],
        ),
    ],
)
def test_plan_that_cannot_be_kept_is_told(polhode: Command, override: str, words: list[str]) -> None:
    warnings = polhode("run", "guided-slew", "--json", "--set", override).json["warnings"]
    assert len(warnings) == len(words)
    assert all(told.startswith(word) for told, word in zip(warnings, words, strict=True))


@pytest.mark.parametrize(
    ("reference", "attitude", "rate"),
    [
        (SLEW + "torque_limit_N_m = 1", (1, 0, 0, 0), (0, 0, 0)),
        (SPIN_UP + "ramp_s = 1", START, (0, radians(6), 0)),
        ("attitude = [0, 1, 0, 0]", (0, 1, 0, 0), (0, 0, 0)),
        ("attitude = [0, 1, 0, 0]\nrate_deg_s = [0, 6, 0]", (0, 1, 0, 0), (0, radians(6), 0)),
    ],
)
def test_linear_law_is_designed_about_where_motion_comes_to(read, reference: str, attitude, rate) -> None:
    found = steady_pose(read(reference))
    np.testing.assert_allclose(found[0], attitude, rtol=0, atol=1e-15)
    np.testing.assert_allclose(found[1], rate, rtol=0, atol=1e-15)


def test_nadir_pointing_is_linearised_about_the_orbital_rate_at_perigee(polhode: Command) -> None:
    """The residual is the gravity gradient, 3 mu/r^3 z x J z, minus the gyroscopic torque w x J w."""
    model = polhode("linearize", "nadir-pointing", "--json").json
    J = np.array(((1200.0, 20.0, -15.0), (20.0, 1000.0, 30.0), (-15.0, 30.0, 500.0)))
    nadir, rate = np.array((0.0, 0.0, 1.0)), np.array((0.0, -np.hypot(6000.0, 5400.0) / 7e6, 0.0))
    torque = 3 * 3.986004418e14 / 7e6**3 * np.cross(nadir, J @ nadir) - np.cross(rate, J @ rate)
    wanted = np.abs(torque).max()
    assert model["equilibrium_residual"] == pytest.approx(wanted, rel=1e-9)


def test_lqr_spins_craft_up(polhode: Command) -> None:
    summary = polhode(
        "run",
        "slew-lqr",
        "--json",
        "--set",
        'reference={kind="spin-up",rate_deg_s=[0,0,3],acceleration_deg_s2=0.1,from_s=5,profile="smooth"}',
        "--set",
        "plant.inertia_kg_m2=[400,300,200]",
        "--set",
        "plant.torque_basis=body",
    ).json
    assert summary["warnings"] == []
    assert summary["metrics"]["settling_time_s"] == 0.0
    assert summary["final"]["rate_rad_s"] == pytest.approx((0, 0, radians(3)), abs=1e-7)
