"""Slews in least time against published optima: Betts 6.12, Bilimoria & Wie, Melton's forced boundary arc."""

import numpy as np
import pytest

from polhode import controllers
from polhode.plant.attitude import from_rotation_matrix, from_rotation_vector, rotation_matrix

pytest.importorskip("casadi", reason="CasADi is in the extra guidance")
pytestmark = pytest.mark.slow

BETTS_INERTIA = np.array((5621.0, 4547.0, 2364.0))
BETTS_ARCS = (6.931089842, 6.335356760, 0.773788598, 5.646707744, 5.967374978, 2.976088613)
"""Durations between the switches of the bang-bang solution, integrated by DOP853 to 1e-12, s."""


def test_time_optimal_slew_meets_betts_reorientation():
    """Betts (2010), example 6.12: 28.6304077 s; by its six arcs 28.630406535 s, eigenaxis 34.311215179 s."""
    end = from_rotation_vector((np.radians(150.0), 0.0, 0.0))
    slew = controllers.TimeOptimalSlew((1, 0, 0, 0), end, inertia=BETTS_INERTIA, torque_limit=50.0, starts=6)
    # the collocation of order 4 with 60 intervals is 5e-7 off the arcs
    assert slew.duration == pytest.approx(28.630406535, rel=2e-6)
    assert slew.plan.eigenaxis == pytest.approx(34.311215179, rel=1e-10)
    assert slew.plan.start > 0
    assert slew.plan.durations[0] == pytest.approx(34.311215179, rel=1e-6)  # a local optimum: the eigenaxis
    assert slew.plan.residual < 1e-6
    assert slew.plan.check.torque < 1.0 + 1e-4
    grid = np.linspace(0.01, slew.duration - 0.01, 800)
    r = np.array([slew.at(t) for t in grid.tolist()])
    torque = r[:, 7:] * BETTS_INERTIA + np.cross(r[:, 4:7], r[:, 4:7] * BETTS_INERTIA)
    assert np.quantile(np.abs(torque), 0.01) > 49.9  # bang-bang on every axis
    switches = grid[1:][(np.sign(torque[1:]) != np.sign(torque[:-1])).any(axis=1)]
    arcs = np.diff(np.concatenate(([0.0], switches, [slew.duration])))
    # mirrored optima of the same duration exist: the arcs are in this order or in reverse
    off = [np.abs(arcs - order).max() for order in (BETTS_ARCS, BETTS_ARCS[::-1])]
    assert min(off) < 0.08  # two steps of the grid


def test_time_optimal_slew_meets_bilimoria_and_wie():
    """Bilimoria & Wie (1993): 3.243083068997, inertially symmetric body through 180 deg; eigenaxis 3.544907702."""
    slew = controllers.TimeOptimalSlew((1, 0, 0, 0), (0, 0, 0, 1), inertia=(1, 1, 1), torque_limit=1.0, starts=6)
    assert slew.duration == pytest.approx(3.243083068997, rel=2e-6)
    assert slew.plan.eigenaxis == pytest.approx(2.0 * np.sqrt(np.pi), rel=1e-12)
    assert slew.plan.start > 0
    assert slew.plan.check.miss < 1e-8
    assert slew.plan.check.torque < 1.0 + 1e-4


def test_keep_out_slew_meets_meltons_boundary_arc():
    """Melton, forced boundary arc: 1.94866; a keep-out and a keep-in cone 1e-5 rad apart hold the sensor on the edge.

    With the keep-out cone only it takes 1.928.
    """
    half = np.pi / 4
    b1 = np.array((np.sin(half), 0.0, np.cos(half)))
    start = from_rotation_matrix(np.column_stack((b1, (0.0, 1.0, 0.0), np.cross(b1, (0.0, 1.0, 0.0)))))
    end = (0.0, np.sin(half), np.cos(half))
    out = controllers.PointingCone((1, 0, 0), (0, 0, 1), half_angle=half, name="Sun")
    within = controllers.PointingCone((1, 0, 0), (0, 0, 1), half_angle=half + 1e-5, keep="in", name="edge")
    common = {"pointing": ((1, 0, 0), end), "inertia": (1, 1, 1), "torque_limit": 1.0, "starts": 3}
    free = controllers.KeepOutSlew(start, cones=[out], **common)
    forced = controllers.KeepOutSlew(start, cones=[out, within], **common)
    assert free.duration == pytest.approx(1.928, abs=1e-3)
    assert forced.duration == pytest.approx(1.94866, abs=5e-4)  # 1e-5 rad of room gain 3e-4
    for slew in (free, forced):
        np.testing.assert_allclose(rotation_matrix(slew.plan.attitude[-1])[:, 0], end, atol=1e-8)
        assert slew.plan.check.clearance.min() > -1e-4
