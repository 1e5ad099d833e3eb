"""Slew of a satellite with flexible arms under laws that ignore or include them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from polhode.plant import Spacecraft
from polhode.plant.linear.vibration.mesh_modes import modes_of
from polhode.scenarios import CaseRun, build, load_case, run_case
from polhode.scenarios.commands.law_comparison import COMPARED
from polhode.sim.analysis.residual_vibration import residual_vibration

from .conftest import Command

SHORT = ("run.duration_s=12", "metrics.residual_from_s=10", "require=[]")
PLAIN = ("compare=[]", "controller.filters=[]")


def flown(*overrides: str) -> CaseRun:
    return run_case("flexible-slew", overrides=[*SHORT, *overrides])


@pytest.fixture(scope="module")
def plain() -> CaseRun:
    return flown(*PLAIN)


def inertia_about_y(craft: Spacecraft) -> float:
    return float(craft.locked_inertia(craft.at_rest())[1, 1])


def growth(gains: tuple[float, float], sample: float) -> float:
    """1/s, of the fastest arm mode without damping, under sampled feedback of angle and rate.

    Sampled exactly with its hold: x' = A x + B u, u = -K (angle, rate) of the hub.
    """
    craft = build(load_case("flexible-slew").case).craft
    modes = modes_of(craft)
    excited = (modes.frequencies > 1.0) & (np.abs(modes.shapes[4]) > 1e-3)
    w = np.concatenate(([0.0], modes.frequencies[excited]))
    turn = np.concatenate(([inertia_about_y(craft) ** -0.5], modes.shapes[4, excited]))
    n = w.size
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.diag(w**2), np.zeros((n, n))]])
    B = np.concatenate((np.zeros(n), turn))
    whole = np.zeros((2 * n + 1, 2 * n + 1))
    whole[: 2 * n, : 2 * n], whole[: 2 * n, 2 * n] = A, B
    held = linalg.expm(whole * sample)
    K = np.concatenate((gains[0] * turn, gains[1] * turn))
    poles = linalg.eigvals(held[: 2 * n, : 2 * n] - np.outer(held[: 2 * n, 2 * n], K))
    return float(np.log(np.abs(poles).max()) / sample)


def test_rigid_arm_regulator_excites_first_mode_as_predicted() -> None:
    """Without damping, which cancels most of it: the growth itself is then accurate to a per cent."""
    undamped = [f"plant.elements.{arm}.damping_time_s=0" for arm in (0, 1)]
    changed = ("run.duration_s=8", "run.output_s=2.5e-3", "metrics.residual_from_s=7", "require=[]")
    flight = run_case("flexible-slew", overrides=[*changed, *PLAIN, *undamped])
    K = flight.problem.law.gain  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue] # linear
    expected = growth((K[1, 1], K[1, 4] * inertia_about_y(flight.problem.craft)), 0.02)
    assert expected > 0.3
    t, tip = flight.run.t, flight.run.values("tip_deflection")[:, 0, 2]
    early, late = (float(np.std(tip[(t >= a) & (t < a + 0.5)])) for a in (5.0, 7.0))
    assert np.log(late / early) / 2.0 == pytest.approx(expected, rel=0.015)
    assert np.abs(flight.run.values("command")).max() < 5.0  # the limit has no effect


@pytest.mark.slow
def test_filters_leave_no_vibration_on_any_mesh(plain: CaseRun) -> None:
    left = residual_vibration(plain.run, after=10.0)
    finer = ("plant.elements.0.elements=4", "plant.elements.1.elements=4")
    roll_off = 'controller.filters=[{kind="roll-off", frequency_rad_s=20.0}]'
    for overrides in ((), (roll_off,), finer):
        flight = flown("compare=[]", *overrides)
        quiet = residual_vibration(flight.run, after=10.0)
        assert quiet.tip_deflection.max() < 0.02 * left.tip_deflection.max()
        assert quiet.strain_energy < 0.2 * left.strain_energy  # includes the slow bending of a rotating satellite


def test_guided_slew_starts_where_satellite_is_and_leaves_arms_quiet() -> None:
    guided = 'reference={kind="eigenaxis-slew", attitude=[1, 0, 0, 0], acceleration_limit_deg_s2=4, profile="smooth"}'
    flight = flown("compare=[]", guided)
    error = np.degrees(flight.run.values("attitude_error"))
    assert error[0] < 1e-9
    # a smooth slew of 60 degrees at 4 deg/s^2 lasts sqrt(10/sqrt(3) 60/4) s (the peak of a quintic's acceleration)
    lasts = np.sqrt(10.0 / np.sqrt(3.0) * 60.0 / 4.0)
    assert error.max() < 0.02 * 15.0 / 8.0 * 60.0 / lasts  # its rotation in a sample at the quintic's peak rate
    turning = np.abs(flight.run.values("rate")[:, 1]) > np.radians(0.05)
    assert flight.run.t[turning][-1] == pytest.approx(lasts, rel=0.06)
    bent = np.abs(flight.run.values("tip_deflection")[:, :, 2]).max()
    assert residual_vibration(flight.run, after=10.0).tip_deflection.max() < 0.01 * bent


@pytest.mark.slow
def test_laws_side_by_side(polhode: Command) -> None:
    words = [
        part for each in ("run.duration_s=2", "metrics.residual_from_s=1", "require=[]") for part in ("--set", each)
    ]
    outcome = polhode("run", "flexible-slew", "--json", *words)
    assert outcome.code == 0
    rows = outcome.json["comparison"]
    assert [row["label"] for row in rows] == ["lqr + notch", "lqr alone", "lqr + roll-off"]
    assert all(set(row) == {"label", "status", *COMPARED} for row in rows)
    assert rows[0]["residual_tip_deflection_m"] == outcome.json["metrics"]["residual_tip_deflection_m"]
    assert rows[0]["residual_tip_deflection_m"] < 0.3 * rows[1]["residual_tip_deflection_m"]
    assert rows[0]["settling_time_s"] is None  # two seconds are not enough
    assert "attitude error is" in outcome.json["unavailable"]["settling_time_s"]
