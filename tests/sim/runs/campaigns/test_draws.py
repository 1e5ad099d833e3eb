"""Draws of several runs of a campaign equal those of each run, bitwise."""

from __future__ import annotations

import numpy as np
import pytest

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
from polhode.sim.runs.campaigns.draws import columns_of, drawn_alone, draws_of, flat_columns

INERTIA = ((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0))
SCATTERED = {
    "mass": Normal(mean=7.0, sigma=0.5, low=6.0),
    "gain": LogNormal(median=2.0, sigma=0.1),
    "inertia": Inertia(tensor=INERTIA, relative_sigma=0.1),
    "turned": Inertia(tensor=INERTIA, relative_sigma=0.1, axes_sigma=0.05),
    "rate": Componentwise([Normal(mean=0.1 * n, sigma=1e-3) for n in range(3)]),
    "delay": Uniform(low=0.0, high=0.2),
    "name": Choice(("first", "second")),
    "pair": Choice(((1.0, 2.0), (3.0, 4.0))),
}


@pytest.fixture(scope="module")
def draws():
    groups = (Correlated(("mass", "delay"), np.array([[1.0, 0.6], [0.6, 1.0]])),)
    return draws_of(SCATTERED, groups, plan="random", runs=100, seed=5)


def test_each_is_drawn_as_by_itself(draws) -> None:
    drawn = draws.of(range(3, 60))
    assert len(drawn) == 57
    for k, one in enumerate(drawn):
        alone = draws(3 + k)
        assert (one.run, one.seed, one.number) == (alone.run, alone.seed, alone.number) == (3 + k, 5, 3 + k)
        for name, value in alone.values.items():
            assert type(one.values[name]) is type(value)
            assert np.array_equal(one.values[name], value), name
        assert [*flat_columns(one.values).values()] == pytest.approx(columns_of(drawn.values)[k], abs=0, nan_ok=True)


def test_values_of_all_are_arrays(draws) -> None:
    drawn = draws.of(range(10))
    assert drawn.values["inertia"].shape == (10, 3, 3)
    assert np.array_equal(drawn.values["inertia"], np.array([draw.values["inertia"] for draw in drawn]))
    assert drawn.values["mass"].shape == (10,)
    some = drawn[2:5]
    assert some.runs == (2, 3, 4)
    assert np.array_equal(some.values["rate"], drawn.values["rate"][2:5])
    assert some[0].values["name"] == drawn[2].values["name"]


def test_draw_of_one_has_the_form_of_several(draws) -> None:
    nominal = drawn_alone(draws.nominal({"name": "second", "mass": 8}))
    assert len(nominal) == 1
    assert nominal.values["inertia"].shape == (1, 3, 3)
    assert nominal[0].values["name"] == "second"
    assert nominal[0].values["mass"] == 8
    assert nominal[0].run == -1


@pytest.mark.parametrize("name", [name for name in SCATTERED if name != "name"])
def test_value_is_that_of_its_numbers_alone(name) -> None:
    each = SCATTERED[name]
    u = np.random.default_rng(2).random((40, each.uniforms))
    assert np.array_equal(np.array(each.several(u)), np.array([each.value(row) for row in u]))


@pytest.mark.parametrize(
    "each",
    [
        Choice((1, 2, 3)),
        Choice((0.5, 2.0)),
        Choice((1, 2.5)),
        Direction(length=2.0),
        Rotation(),
        Rotation(about=(1, 0, 0, 0), sigma=(0.1,) * 3),
    ],
    ids=["whole numbers", "numbers", "both", "direction", "rotation", "attitude"],
)
def test_numbers_are_an_array_whatever_they_are_drawn_from(each) -> None:
    """Twice a list is a longer list; twice an array is another array."""
    made = draws_of({"x": each}, (), plan="random", runs=8, seed=5)
    found = made.of(range(8))
    assert isinstance(found.values["x"], np.ndarray)
    for n in range(8):
        assert np.array_equal(found[n].values["x"], made(n).values["x"])
        alone = drawn_alone(made(n)).values["x"]
        assert isinstance(alone, np.ndarray)
        assert np.array_equal(alone, found.values["x"][n : n + 1])
    assert not isinstance(found[0].values["x"], np.generic)
