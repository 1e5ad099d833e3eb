"""Worst-case search: it finds known maxima, is repeatable by its seed, and reports skipped runs."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim import worst_case
from polhode.sim.runs.campaigns import (
    Choice,
    Componentwise,
    Correlated,
    Direction,
    Inertia,
    LogNormal,
    Normal,
    Rotation,
    Uniform,
)
from polhode.sim.runs.campaigns.worst_case import values_within


def bowl(draw):
    return (draw.values["x"] - 0.3) ** 2 + abs(draw.values["y"] - 0.1)


TWO = {"x": Uniform(low=-1.0, high=2.0), "y": Normal(mean=0.0, sigma=0.1)}


def test_worst_case_search_finds_interior_maximum():
    found = worst_case(bowl, TWO, starts=16, refined=3)
    assert found.value == pytest.approx(0.0, abs=5e-3)
    assert found.values["x"] == pytest.approx(0.3, abs=0.03)
    assert found.value == found.measured.min()
    assert found.nominal == pytest.approx(0.04 + 0.1)


def test_worst_case_search_finds_corner_exactly():
    found = worst_case(lambda draw: -draw.values["x"] + draw.values["y"], TWO, starts=1, refined=0)
    assert (found.values["x"], found.values["y"]) == (pytest.approx(2.0, abs=1e-12), pytest.approx(-0.3, abs=1e-12))
    assert worst_case(bowl, TWO, largest=True, starts=1).values["x"] == pytest.approx(2.0)


def test_seed_says_what_is_tried():
    one, same, other = (worst_case(bowl, TWO, starts=8, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.places, same.places)
    assert np.array_equal(one.measured, same.measured)
    assert not np.array_equal(one.places, other.places)
    assert [*one.dispersed] == ["x", "y"]
    assert one.dispersed["x"][0] == pytest.approx(0.5)


def test_worst_case_search_ends_at_the_bound():
    found = worst_case(lambda draw: -np.inf if draw.values["x"] > 1.9 else 1.0, TWO)
    assert found.lost
    assert len(found.measured) < 6
    assert worst_case(lambda draw: np.inf, TWO, largest=True).lost


def test_worst_case_search_counts_refused_points():
    def measure(draw):
        if draw.values["x"] > 0.0:
            raise InputError("no craft")
        return draw.values["x"]

    found = worst_case(measure, TWO, starts=8)
    assert found.value == pytest.approx(-1.0)
    assert found.refused == np.isnan(found.measured).sum() + 1  # the nominal one too
    assert found.reason == "no craft"
    with pytest.raises(InputError, match=r"none of the \d+ evaluated points has a value"):
        worst_case(lambda draw: np.nan, TWO, starts=1)


def test_correlated_numbers_stay_together():
    found = worst_case(
        lambda draw: draw.values["a"] - draw.values["b"],
        {"a": Normal(mean=0.0, sigma=1.0), "b": Normal(mean=0.0, sigma=1.0)},
        correlated=[Correlated(["a", "b"], [[1.0, 0.99], [0.99, 1.0]])],
        starts=1,
    )
    # b = 0.99 a + 0.141 c of independent a and c, both from -3 to 3
    assert found.value == pytest.approx(-(0.01 * 3 + np.sqrt(1 - 0.99**2) * 3), rel=1e-6)


def test_more_than_six_numbers_are_tried_one_at_a_time():
    found = worst_case(
        lambda draw: float(np.sum(draw.values["v"])),
        {"v": Componentwise((Uniform(low=0, high=1),) * 8)},
        starts=1,
        refined=0,
    )
    assert len(found.measured) == 1 + 16 + 1
    assert found.cut == ()


@pytest.mark.parametrize(
    ("distribution", "place", "value", "endless"),
    [
        (Normal(mean=1.0, sigma=0.5), [1.0], 2.5, True),
        (Normal(mean=1.0, sigma=0.5, low=0.0), [-1.0], 0.0, True),
        (Normal(mean=1.0, sigma=0.5, low=0.0, high=3.0), [0.5], 2.25, False),
        (Uniform(low=2.0, high=4.0), [-1.0], 2.0, False),
        (LogNormal(median=2.0, sigma=0.1), [1.0], 2.0 * np.exp(0.3), True),
        (Choice((1.0, 7.0)), [1.0], 7.0, False),
        (Direction(length=2.0, about=(0, 0, 1), half_angle=0.5), [-1.0, 0.0], [0, 0, 2.0], False),
        (Rotation(about=(1, 0, 0, 0), sigma=0.1), [1.0, 0, 0], [np.cos(0.15), np.sin(0.15), 0, 0], True),
        (Rotation(), [-1.0, -1.0, -1.0], None, False),
        (Inertia(tensor=(3, 2, 1), relative_sigma=0.1), [0.0] * 6, np.diag([3.0, 2.0, 1.0]), True),
        (Componentwise((Uniform(low=0, high=1), Normal(mean=0, sigma=1))), [1.0, -1.0], [1.0, -3.0], True),
    ],
)
def test_places_are_even_in_what_scatters(distribution, place, value, endless):
    u = np.clip(distribution.within(np.array(place), 3.0), 2.0**-53, 1.0 - 2.0**-53)
    found = distribution.value(u)
    if value is not None:
        assert np.allclose(found, value, atol=1e-9)
    assert distribution.unbounded is endless
    assert distribution.is_discrete is isinstance(distribution, Choice)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dispersions": {}}, "needs at least one dispersion"),
        ({"dispersions": {"x": 3.0}}, "the dispersion of x"),
        ({"starts": 10}, "power of 2"),
        ({"refined": -1}, "refined must be at least 0"),
        ({"sigmas": 0.0}, "sigmas must be"),
        ({"sigmas": 9.0}, "sigmas must be at most 7"),
        ({"dispersions": {"x": Normal(mean=0.0, sigma=1.0, low=4.0)}}, "no probability within 3 sigma"),
    ],
)
def test_worst_case_search_refuses_bad_input(change, words):
    given = {"dispersions": TWO, **change}
    with pytest.raises(InputError, match=words):
        worst_case(bowl, given.pop("dispersions"), **given)


@pytest.mark.parametrize("sigmas", [3.0, 7.0])
def test_bounds_of_a_normal_distribution_are_where_they_are_stated(sigmas):
    found = values_within({"x": Normal(mean=1.0, sigma=2.0)}, (), np.array([1.0]), sigmas)["x"]
    assert found == pytest.approx(1.0 + 2.0 * sigmas, rel=1e-5)
