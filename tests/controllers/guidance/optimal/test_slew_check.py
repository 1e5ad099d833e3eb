"""Check of a slew between its samples: it finds what closed forms say a table exceeds."""

import numpy as np
import pytest

from polhode import controllers
from polhode.controllers.guidance.optimal.slew_check import check_slew
from polhode.controllers.guidance.optimal.slew_limits import slew_limits
from polhode.controllers.guidance.optimal.slew_problem import slew_problem
from polhode.plant.attitude import from_rotation_vector

J = (3.0, 2.0, 1.0)
END = from_rotation_vector((0.0, 1.2, 0.0))
CONES = [
    controllers.PointingCone((0, 0, 1), (np.sin(0.6), 0, np.cos(0.6)), half_angle=0.3),
    controllers.PointingCone((1, 0, 0), (np.cos(1.2), 0, -np.sin(1.2)), half_angle=1.1, keep="in"),
]


def checked(limit, *, rate_limit=None, cones=(), torque=0.6):
    """The bang-bang turn about y that takes a torque of 0.6 N m, checked under other limits."""
    limits = slew_limits(
        J, start=(1, 0, 0, 0), torque_limit=limit, wheels=None, momentum_capacity=None, wheel_momentum=None,
        rate_limit=rate_limit,
    )  # fmt: skip
    problem = slew_problem((1, 0, 0, 0), END, pointing=None, limits=limits, cones=())
    object.__setattr__(problem, "cones", tuple(cones))  # ends on the wrong side are for this test only
    slew = controllers.EigenaxisSlew((1, 0, 0, 0), END, inertia=J, torque_limit=torque)
    t = np.linspace(0.0, slew.duration, 81)  # a sample at the switch
    rows = np.array([slew.at(each) for each in t.tolist()])
    return check_slew(problem, controllers.SampledReference(t, rows[:, :4], rate=rows[:, 4:7])), slew


def test_check_finds_excess_torque_and_rate():
    check, slew = checked(0.5, rate_limit=0.4)
    assert check.torque == pytest.approx(0.6 / 0.5, rel=2e-4)  # a Hermite cubic is h^2/12 off
    assert check.rate == pytest.approx(slew.peak_rate / 0.4, rel=1e-4)
    assert check.excess[0] == pytest.approx(0.2, rel=1.2e-3)
    assert check.miss < 1e-6
    assert not check.acceptable(1e-3)
    assert checked(0.601)[0].acceptable(1e-3)


def test_check_finds_cones_between_samples():
    """The z axis passes the centre of the first cone; the x axis begins 0.1 rad outside the second one."""
    check, _ = checked(1.0, cones=CONES)
    np.testing.assert_allclose(check.clearance, (-0.3, -0.1), atol=1e-6)
    assert check.excess[3] == pytest.approx(0.3, abs=1e-6)
    assert not check.acceptable(1e-3)


@pytest.mark.parametrize("keep", ["out", "in"])
def test_cone_narrower_than_the_samples_is_not_jumped(keep):
    """The z axis passes 5e-4 rad from the centre of a cone of 1e-3 rad, or the hole of a keep-in cone, in a gap."""
    t = np.linspace(0.0, 1.2, 25)
    path = from_rotation_vector(np.outer(t, (0.0, 1.0, 0.0)))
    centre = np.array((np.sin(0.612), 5e-4, np.cos(0.612)))
    half, centre = (1e-3, centre) if keep == "out" else (np.pi - 1e-3, -centre)
    cone = controllers.PointingCone((0, 0, 1), centre, half_angle=half, keep=keep)
    fine = from_rotation_vector(np.outer(np.linspace(0.6, 0.65, 50_001), (0.0, 1.0, 0.0)))
    assert cone.clearance(path).min() > 0.0
    assert cone.least_clearance(path) == pytest.approx(cone.clearance(fine).min(), abs=1e-9)
    assert cone.least_clearance(path) == pytest.approx(-5e-4, rel=1e-5)
    assert cone.least_clearance(path[:10]) == cone.clearance(path[:10]).min()


def test_cone_clearance_equals_its_quadratic_form():
    rng = np.random.default_rng(3)
    e = rng.normal(size=(50, 4))
    e /= np.linalg.norm(e, axis=1)[:, None]
    for cone in CONES:
        cosine = np.einsum("ni,ij,nj->n", e, cone.form, e)
        angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        np.testing.assert_allclose(cone.clearance(e), cone.sign * (angle - cone.half_angle), atol=1e-9)
