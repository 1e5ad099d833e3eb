"""Distributions against their moments, their bounds and their physical limits."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.plant.attitude import rotation_angle, rotation_matrix
from polhode.sim.runs.campaigns import Choice, Componentwise, Direction, Inertia, LogNormal, Normal, Rotation, Uniform
from polhode.sim.runs.campaigns.plans import Plan

RUNS = 4000


def drawn(distribution, runs=RUNS, seed=3):
    points = Plan(kind="random", runs=runs, width=distribution.uniforms, seed=seed).points
    return np.array([distribution.value(u) for u in points])


def within(found, expected, sigma):
    """Five standard errors of the mean of RUNS draws: one test in two million fails by chance."""
    assert abs(float(np.mean(found)) - expected) < 5.0 * sigma / np.sqrt(RUNS)


def test_normal_has_its_moments():
    found = drawn(Normal(mean=3.0, sigma=0.5))
    within(found, 3.0, 0.5)
    within((found - 3.0) ** 2, 0.25, 0.25 * np.sqrt(2.0))


def test_truncated_normal_has_the_mean_of_its_closed_form():
    found = drawn(Normal(mean=0.0, sigma=1.0, low=0.0, high=1.0))
    pdf = np.exp(-0.5 * np.array([0.0, 1.0]) ** 2) / np.sqrt(2.0 * np.pi)
    share = 0.3413447460685429  # Phi(1) - Phi(0)
    assert found.min() >= 0.0
    assert found.max() <= 1.0
    within(found, (pdf[0] - pdf[1]) / share, 0.3)


def test_distribution_keeps_far_tail_inside_its_bounds():
    found = drawn(Normal(mean=0.0, sigma=1.0, low=6.0), runs=200)
    assert np.isfinite(found).all()
    assert found.min() >= 6.0
    with pytest.raises(InputError, match="no probability between low 9"):
        Normal(mean=0.0, sigma=1.0, low=9.0)


def test_uniform_and_log_normal_have_their_moments():
    within(drawn(Uniform(low=-1.0, high=3.0)), 1.0, 4.0 / np.sqrt(12.0))
    within(np.log(drawn(LogNormal(median=5.0, sigma=0.2))), np.log(5.0), 0.2)


def test_choice_takes_each_as_often():
    found = drawn(Choice((1.0, 2.0, 7.0)))
    for value in (1.0, 2.0, 7.0):
        within(found == value, 1.0 / 3.0, np.sqrt(2.0) / 3.0)


def test_direction_is_uniform_on_the_sphere():
    found = drawn(Direction(length=2.0))
    assert np.allclose(np.linalg.norm(found, axis=1), 2.0, rtol=1e-14)
    for k in range(3):  # Archimedes: each component is uniform
        within(found[:, k], 0.0, 2.0 / np.sqrt(3.0))
        within(found[:, k] ** 2, 4.0 / 3.0, 4.0 * np.sqrt(4.0 / 45.0))


def test_direction_on_a_cap_has_the_mean_of_its_area():
    about, half = np.array((1.0, 2.0, -2.0)), 0.4
    found = drawn(Direction(length=1.0, about=about, half_angle=half))
    height = found @ about / 3.0
    assert height.min() >= np.cos(half) - 1e-12
    within(height, 0.5 * (1.0 + np.cos(half)), (1.0 - np.cos(half)) / np.sqrt(12.0))


def test_rotation_is_uniform_on_all_rotations():
    found = drawn(Rotation())
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-14)
    R = rotation_matrix(found)
    for row in range(3):
        for column in range(3):
            within(R[:, row, column], 0.0, np.sqrt(1.0 / 3.0))
    angle = rotation_angle(found)  # density (1 - cos angle)/pi: mean pi/2 + 2/pi
    within(angle, np.pi / 2.0 + 2.0 / np.pi, 0.65)


def test_rotation_about_an_attitude_scatters_in_body_axes():
    about = np.array((0.5, 0.5, -0.5, 0.5))
    found = drawn(Rotation(about=about, sigma=(0.01, 0.02, 0.03)))
    off = np.swapaxes(rotation_matrix(about)[None], 1, 2) @ rotation_matrix(found)
    vector = 0.5 * np.stack([off[:, 2, 1] - off[:, 1, 2], off[:, 0, 2] - off[:, 2, 0], off[:, 1, 0] - off[:, 0, 1]], 1)
    for k, sigma in enumerate((0.01, 0.02, 0.03)):
        within(vector[:, k] ** 2, sigma**2, 1.5 * sigma**2)


@pytest.mark.parametrize(
    "nominal", [(10.0, 12.0, 20.0), (1.0, 1.0, 2.0), ((5, 0.4, -0.2), (0.4, 4, 0.3), (-0.2, 0.3, 3))]
)
def test_inertia_is_always_that_of_a_body(nominal):
    for J in drawn(Inertia(tensor=nominal, relative_sigma=0.3, axes_sigma=0.2), runs=500):
        moments = np.linalg.eigvalsh(J)
        assert np.array_equal(J, J.T)
        assert moments[0] > 0.0
        assert moments[0] + moments[1] >= moments[2] * (1.0 - 1e-12)


def test_inertia_scatters_by_what_was_asked_to_first_order():
    found = drawn(Inertia(tensor=(10.0, 12.0, 20.0), relative_sigma=0.01))
    moments = np.array([np.diag(J) for J in found])
    share = moments.std(axis=0) / (10.0, 12.0, 20.0)
    assert np.sqrt((share**2).mean()) == pytest.approx(0.01, rel=0.05)  # 4000 draws: 1 % is one sigma of it


def test_each_scatters_its_entries_alone():
    found = drawn(Componentwise((Normal(mean=1.0, sigma=0.1), Uniform(low=0.0, high=1.0))))
    within(found[:, 0], 1.0, 0.1)
    assert abs(np.corrcoef(found.T)[0, 1]) < 5.0 / np.sqrt(RUNS)
    with pytest.raises(InputError, match="each entry of a vector must have one number"):
        Componentwise((Rotation(),))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Normal(mean=0.0, sigma=-1.0), "sigma must be"),
        (lambda: Uniform(low=2.0, high=1.0), "low must be below high"),
        (lambda: Choice(()), "at least one value"),
        (lambda: Direction(length=1.0, about=(1, 0, 0)), "must be given together"),
        (lambda: Direction(length=1.0, about=(0, 0, 0), half_angle=0.1), "not all zero"),
        (lambda: Rotation(sigma=0.1), "must be given together"),
        (lambda: Inertia(tensor=(20, 5, 10), relative_sigma=0.1), "triangle inequality"),
        (lambda: Inertia(tensor=(3, 3, 3), relative_sigma=1.5), "relative sigma must be below 1; got 1.5"),
    ],
)
def test_bad_numbers_are_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
