"""Slews in least time: closed forms, files of plans, and rejected input."""

import re
import sys

import numpy as np
import pytest

from polhode import controllers
from polhode.plant import InputError
from polhode.plant.attitude import from_rotation_matrix, from_rotation_vector, rotation_matrix
from polhode.plant.errors import DesignError

CONE = controllers.PointingCone((0, 0, 1), (1, 0, 0), half_angle=0.4, name="Sun")
A = 1 / 3**0.5
PYRAMID = [(A, A, A), (-A, A, A), (-A, -A, A), (A, -A, A)]
ABOUT_X = from_rotation_vector((0.5, 0.0, 0.0))


def small(**changes):
    """A slew of 0.5 rad about a principal axis with one start, which ends at the eigenaxis."""
    settings = {"inertia": (3.0, 2.0, 1.0), "torque_limit": (0.1, 1e-3, 1e-3), "intervals": 10, "starts": 1, **changes}
    return controllers.TimeOptimalSlew((1, 0, 0, 0), ABOUT_X, **settings)


def test_optimal_slew_is_never_slower_than_the_eigenaxis():
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    slew = small()
    closed = 2.0 * np.sqrt(0.5 * 3.0 / 0.1)  # bang-bang: angle = torque/inertia (T/2)^2
    assert slew.duration == pytest.approx(closed, rel=1e-12)
    assert slew.plan.start == -1
    assert "the eigenaxis slew itself" in "\n".join(slew.report())
    np.testing.assert_allclose(slew.at(0.5 * closed)[4:7], (0.1 / 3.0 * 0.5 * closed, 0, 0), atol=1e-9)
    np.testing.assert_allclose(slew.peak_torque((3.0, 2.0, 1.0)), (0.1, 0.0, 0.0), atol=1e-6)
    np.testing.assert_array_equal(slew.at(closed + 3.0)[:4], slew.at(closed + 9.0)[:4])  # at rest after the end


def test_optimal_slew_of_wheels_is_limited_by_their_momentum():
    """About a principal axis with zero total momentum: trapezoid of rate with h = J w at the capacity."""
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    wheels = controllers.WheelAllocation(PYRAMID, limit=0.1)
    slew = small(torque_limit=None, wheels=wheels, momentum_capacity=0.15, starts=1)
    share = np.linalg.pinv(np.array(PYRAMID).T)[:, 0].max()  # of a wheel per unit about x
    rate, acceleration = 0.15 / share / 3.0, 0.1 / share / 3.0
    assert slew.plan.eigenaxis == pytest.approx(0.5 / rate + rate / acceleration, rel=1e-12)
    assert slew.duration <= slew.plan.eigenaxis * (1.0 + 1e-12)
    assert slew.plan.check.momentum == pytest.approx(1.0, abs=1e-3)


def test_axis_is_pointed_in_the_opposite_direction():
    """No shortest rotation is unique: any axis across the pointing axis will do, and the lightest is the fastest."""
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    slew = controllers.TimeOptimalSlew(
        (1, 0, 0, 0), pointing=((1, 0, 0), (-1, 0, 0)), inertia=(1.0, 2.0, 3.0), torque_limit=0.1, intervals=16,
        starts=1,
    )  # fmt: skip
    assert slew.plan.eigenaxis == pytest.approx(2.0 * np.sqrt(np.pi * 2.0 / 0.1), rel=1e-9)  # about y
    assert slew.duration <= slew.plan.eigenaxis
    np.testing.assert_allclose(rotation_matrix(slew.at(slew.duration)[:4])[:, 0], (-1.0, 0.0, 0.0), atol=1e-9)
    with pytest.raises(InputError, match="same attitude"):
        controllers.TimeOptimalSlew((1, 0, 0, 0), pointing=((1, 0, 0), (2, 0, 0)), inertia=(1, 1, 1), torque_limit=0.1)


def test_plan_file_is_read_while_its_inputs_are_the_same(tmp_path, monkeypatch):
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    path = tmp_path / "plan.csv"
    slew = small()
    slew.save(path)
    monkeypatch.setitem(sys.modules, "casadi", None)
    read = small(plan_file=path, begin=2.0)
    np.testing.assert_allclose(read.at(5.0), slew.at(3.0), rtol=0, atol=1e-11)  # 15 digits, times moved by 2 s
    with pytest.raises(InputError, match=r"plan\.csv is the plan of other inputs; plan again"):
        small(plan_file=path, seed=1)
    rows = path.read_text(encoding="utf-8").splitlines()
    number = next(n for n, row in enumerate(rows) if row.startswith("t_s")) + 150
    parts = rows[number].split(",")
    rows[number] = ",".join([*parts[:5], str(float(parts[5]) * 1.01), *parts[6:]])
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match="the table exceeds a limit by more than"):
        small(plan_file=path)
    path.write_text("t,e0\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not a slew plan"):
        small(plan_file=path)


def test_planning_without_casadi_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(
        DesignError, match=r"needs CasADi, which is not installed: pip install 'polhode\[guidance\]'"
    ) as e:
        small(seed=77)
    assert "\n" not in str(e.value)


@pytest.mark.slow
def test_plan_that_leaps_over_cones_between_samples_is_refused():
    """A closed wall of cones about the start: with 8 intervals the axis leaps over it, which only the check finds."""
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    turns = np.linspace(0.0, 2.0 * np.pi, 6, endpoint=False)
    centres = np.column_stack((np.sin(0.8) * np.cos(turns), np.sin(0.8) * np.sin(turns), np.full(6, np.cos(0.8))))
    wall = [controllers.PointingCone((0, 0, 1), centre, half_angle=0.5) for centre in centres]
    with pytest.raises(DesignError, match=r"between the samples .* exceeds .* least clearance -\d+.* give more starts"):
        controllers.KeepOutSlew(
            (1, 0, 0, 0), from_rotation_vector((0, 1.6, 0)), cones=wall, inertia=(1, 1, 1), torque_limit=1.0,
            intervals=8, starts=2,
        )  # fmt: skip


def test_slew_that_no_start_solves_is_refused_in_one_sentence():
    """At the end the x axis is in the equator, which three cones cover; each alone leaves room."""
    pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
    start = from_rotation_matrix([[0, 0, 1], [0, -1, 0], [1, 0, 0]])  # x up
    turns = np.radians((0, 120, 240))
    cones = [controllers.PointingCone((1, 0, 0), (np.cos(a), np.sin(a), 0), half_angle=1.1) for a in turns]
    with pytest.raises(
        DesignError, match=r"none of 2 starts led to a slew within .* \(IPOPT: \w+\); give more"
    ) as found:
        controllers.KeepOutSlew(
            start,
            pointing=((0, 0, 1), (0, 0, 1)),
            cones=cones,
            inertia=(1, 1, 1),
            torque_limit=1.0,
            intervals=8,
            starts=2,
        )
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda: small(torque_limit=0.0), "torque limit must be greater than 0 (N m); got 0"),
        (lambda: small(rate_limit=0.0), "rate limit must be greater than 0 (rad/s); got 0"),
        (lambda: small(torque_limit=None), "give either torque_limit (N m per body axis) or wheels"),
        (lambda: small(momentum_capacity=1.0), "momentum_capacity requires wheels"),
        (lambda: small(intervals=7), "slew intervals must be a whole number from 8 to 400; got 7"),
        (lambda: small(starts=0), "slew starts must be a whole number from 1 to 1000; got 0"),
        (lambda: small(pointing=((1, 0, 0), (0, 1, 0))), "give either end, the final attitude, or pointing"),
        (
            lambda: small(
                torque_limit=None,
                wheels=controllers.WheelAllocation(PYRAMID, limit=0.1),
                momentum_capacity=1.0,
                wheel_momentum=(0.0, 1.5, 0.0, 0.0),
            ),
            "wheel 2 begins with 1.5 N m s, beyond its momentum capacity of 1 N m s",
        ),
        (
            lambda: small(
                torque_limit=None,
                wheels=controllers.WheelAllocation(PYRAMID, limit=0.1, method="min-max"),
                momentum_capacity=1.0,
            ),
            'only with method = "pseudo-inverse"; got "min-max"',
        ),
        (
            lambda: controllers.TimeOptimalSlew(
                (1, 0, 0, 0),
                from_rotation_vector((0, 0, -np.pi / 2)),
                inertia=(1, 1, 1),
                momentum_capacity=(1, 0.1, 1),
                wheels=controllers.WheelAllocation(np.eye(3), limit=0.1),
                wheel_momentum=(0.5, 0, 0),
            ),
            "slew end: wheel 2 must hold 5 times its momentum capacity at rest in the end attitude",
        ),
        (
            lambda: controllers.KeepOutSlew(
                (1, 0, 0, 0), pointing=((0, 0, 1), (1, 0.2, 0)), cones=[CONE], inertia=(1, 1, 1), torque_limit=1
            ),
            "at every roll about the pointing axis Sun is at least 11.61 deg on the wrong side of its keep-out cone",
        ),
        (
            lambda: controllers.TimeOptimalSlew((1, 0, 0, 0), (-1, 0, 0, 0), inertia=(1, 1, 1), torque_limit=1),
            "start and end are the same attitude",
        ),
        (
            lambda: controllers.KeepOutSlew((1, 0, 0, 0), ABOUT_X, cones=[], inertia=(1, 1, 1), torque_limit=1),
            "needs at least one cone; without cones use TimeOptimalSlew",
        ),
        (
            lambda: controllers.KeepOutSlew(
                (1, 0, 0, 0), from_rotation_vector((0, 1.3, 0)), cones=[CONE], inertia=(1, 1, 1), torque_limit=1
            ),
            "slew end is 7.403 deg inside the keep-out cone of Sun (half-angle 22.92 deg); choose another end",
        ),
        (
            lambda: controllers.KeepOutSlew(
                (1, 0, 0, 0),
                ABOUT_X,
                cones=[controllers.PointingCone((0, 0, 1), (1, 0, 0), half_angle=1.0, keep="in", name="station")],
                inertia=(1, 1, 1),
                torque_limit=1,
            ),
            "slew start is 32.7 deg outside the keep-in cone of station",
        ),
        (
            lambda: controllers.PointingCone((0, 0, 1), (1, 0, 0), half_angle=np.pi, name="Sun"),
            "Sun: the half-angle of a cone must be between 0 and 180 deg; got 180 deg",
        ),
        (
            lambda: controllers.PointingCone((0, 0, 1), (1, 0, 0), half_angle=0.0),
            "the half-angle of a cone must be between 0 and 180 deg; got 0 deg",
        ),
        (lambda: controllers.PointingCone((0, 0, 1), (1, 0, 0), half_angle=1.0, keep="off"), "keep of cone"),
    ],
)
def test_optimal_slew_rejects_bad_input(use, words):
    with pytest.raises(InputError, match=re.escape(words)) as found:
        use()
    assert "\n" not in str(found.value)
