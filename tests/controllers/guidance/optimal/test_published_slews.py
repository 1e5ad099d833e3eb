"""Slews in least time against published optima: Betts 6.12, Bilimoria & Wie, Melton's forced boundary arc."""

import numpy as np
import pytest

from polhode import controllers
from polhode.plant.attitude import from_rotation_matrix, from_rotation_vector, rotation_angle, rotation_matrix

pytest.importorskip("casadi", reason="CasADi is in the extra guidance")

BETTS_INERTIA = np.array((5621.0, 4547.0, 2364.0))
BETTS_END = from_rotation_vector((np.radians(150.0), 0.0, 0.0))
BETTS_ARCS = (
    (6.931089842, (-1, 1, -1, 1)),
    (6.335356760, (-1, 1, -1, -1)),
)
"""Durations, s; see `betts_arcs`."""


def betts_arcs():
    """Six arcs of Betts 6.12, from an independent bang-bang solution: duration, s, and signs of the torque."""
    return (
        (6.931089842, (1, -1, 1)),
        (6.335356760, (1, -1, -1)),
        (0.773788598, (1, 1, -1)),
        (5.646707744, (-1, 1, -1)),
        (5.967374978, (-1, 1, 1)),
        (2.976088613, (-1, -1, 1)),
    )


@pytest.mark.slow
def test_time_optimal_slew_meets_betts_reorientation():
    """Betts (2010), example 6.12: 28.6304077 s; by its six arcs 28.630406535 s, eigenaxis 34.311215179 s."""
    slew = controllers.TimeOptimalSlew((1, 0, 0, 0), BETTS_END, inertia=BETTS_INERTIA, torque_limit=50.0, starts=6)
    # the collocation of order 4 with 60 intervals is 5e-7 off the arcs
    assert slew.duration == pytest.approx(28.630406535, rel=2e-6)
    assert slew.plan.eigenaxis == pytest.approx(34.311215179, rel=1e-10)
    assert slew.plan.start > 0  # from the eigenaxis the search stays at the eigenaxis slew
    assert slew.plan.durations[0] == pytest.approx(34.311215179, rel=1e-6)
    assert slew.plan.residual < 1e-6
    assert slew.plan.check.torque < 1.0 + 1e-4
    switches, torque = [], []
    for begin in np.linspace(0.01, slew.duration - 0.01, 800):
        r = slew.at(begin)
        u = BETTS_INERTIA * r[7:] + np.cross(r[4:7], BETTS_INERTIA * r[4:7])
        torque.append(np.sign(u))
        if len(torque) > 1 and (torque[-1] != torque[-2]).any():
            switches.append(begin)
    ends = np.cumsum([duration for duration, _ in betts_arcs()])[:-1]
    # there are mirrored optima of the same duration: the switches are those of the arcs, or reversed in time
    found = np.array(switches)
    assert found.size == 5
    best = min(np.abs(found - ends).max(), np.abs(found - np.sort(slew.duration - ends)).max())
    assert best < 0.06  # the grid above has steps of 0.036 s


@pytest.mark.slow
def test_time_optimal_slew_meets_bilimoria_and_wie():
    """Bilimoria & Wie (1993): 3.243083068997 for an inertially symmetric body through 180 deg; eigenaxis 3.544907702."""
    slew = controllers.TimeOptimalSlew((1, 0, 0, 0), (0, 0, 0, 1), inertia=(1, 1, 1), torque_limit=1.0, starts=6)
    assert slew.duration == pytest.approx(3.243083068997, rel=2e-6)
    assert slew.plan.eigenaxis == pytest.approx(2.0 * np.sqrt(np.pi), rel=1e-12)
    assert slew.plan.start > 0
    assert slew.plan.check.miss < 1e-8
    assert slew.plan.check.torque < 1.0 + 1e-4


@pytest.mark.slow
def test_keep_out_slew_meets_meltons_boundary_arc():
    """Melton, forced boundary arc: 1.94866; a keep-out and a keep-in cone 1e-5 rad apart hold the sensor on the edge.

    The same with the keep-out cone only takes 1.928, and with free roll at the beginning too 1.850.
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
    assert forced.duration == pytest.approx(1.94866, abs=1.5e-3)
    assert forced.duration > free.duration + 0.01
    for slew in (free, forced):
        attitude = slew.plan.attitude
        assert np.degrees(rotation_angle(attitude[0], start)) < 1e-6
        np.testing.assert_allclose(rotation_matrix(attitude[-1])[:, 0], end, atol=1e-8)
        assert slew.plan.check.clearance.min() > -1e-4
