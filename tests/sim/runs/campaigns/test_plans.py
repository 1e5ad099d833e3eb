"""Plans: their points in the cube, each belonging to one run."""

import pickle

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.runs.campaigns import Choice, Uniform
from polhode.sim.runs.campaigns.draws import runs_of
from polhode.sim.runs.campaigns.plans import EDGE, PLANS, Plan

COUNTS = {"saltelli": 6 * 16, "factorial": 81, "one-at-a-time": 9, "corners": 16}


@pytest.mark.parametrize("kind", PLANS)
def test_rows_are_the_points_inside_the_cube(kind):
    plan = Plan(kind=kind, runs=COUNTS.get(kind, 64), width=4, seed=9)
    assert plan.points.shape == (plan.runs, 4)
    assert plan.points.min() > 0.0
    assert plan.points.max() < 1.0
    again = pickle.loads(pickle.dumps(plan))  # our own, just made
    for run in (0, 3, plan.runs - 1):
        assert np.array_equal(plan.rows([run, 3]), plan.points[[run, 3]])
        assert np.array_equal(again.rows([run]), plan.points[[run]])


def test_random_run_does_not_depend_on_how_many_there_are():
    few, many = (Plan(kind="random", runs=runs, width=3, seed=5) for runs in (10, 1000))
    assert np.array_equal(few.points, many.points[:10])
    assert not np.array_equal(few.points, Plan(kind="random", runs=10, width=3, seed=6).points)


def test_latin_hypercube_has_one_point_in_each_slice():
    points = Plan(kind="latin-hypercube", runs=50, width=3, seed=1).points
    for column in points.T:
        assert sorted((column * 50).astype(int)) == list(range(50))


def test_sobol_is_balanced_in_every_half():
    points = Plan(kind="sobol", runs=64, width=3, seed=1).points
    assert ((points > 0.5).sum(axis=0) == 32).all()
    with pytest.raises(InputError, match="power of 2; got 100: use 64 or 128"):
        Plan(kind="sobol", runs=100, width=3, seed=1)


def test_factorial_has_every_combination_of_its_levels():
    points = Plan(kind="factorial", runs=27, width=3, seed=0).points
    assert len({tuple(point) for point in points}) == 27
    with pytest.raises(InputError, match=r"levels\^numbers|levels\^3"):
        Plan(kind="factorial", runs=26, width=3, seed=0)


def test_corners_and_one_at_a_time_are_at_three_sigma():
    corners = Plan(kind="corners", runs=8, width=3, seed=0).points
    assert {tuple(point) for point in corners} == {
        (a, b, c) for a in (1 - EDGE, EDGE) for b in (1 - EDGE, EDGE) for c in (1 - EDGE, EDGE)
    }
    single = Plan(kind="one-at-a-time", runs=7, width=3, seed=0).points
    assert (single[0] == 0.5).all()
    assert ((single[1:] != 0.5).sum(axis=1) == 1).all()
    three = [Uniform(low=0.0, high=1.0)] * 3
    assert runs_of("corners", three) == 8
    assert runs_of("one-at-a-time", three) == 7
    assert runs_of("random", three) is None
    assert runs_of("factorial", [Choice((1, 2)), Choice((1, 2, 3))]) == 6
    with pytest.raises(InputError, match="requires 8 runs for these dispersions; got 9"):
        Plan(kind="corners", runs=9, width=3, seed=0)
    with pytest.raises(InputError, match="disperse fewer"):
        Plan(kind="corners", runs=2**21, width=21, seed=0)


def test_unknown_plan_is_named_with_its_nearest():
    with pytest.raises(InputError, match="random"):
        Plan(kind="randon", runs=9, width=3, seed=0)


def test_grid_has_each_value_of_each_choice():
    plan = Plan(kind="factorial", runs=6, width=2, seed=0, levels=(2, 3))
    a, b = Choice((10, 20)), Choice((1, 2, 3))
    found = [(a.value(u[:1]), b.value(u[1:])) for u in plan.points]
    assert found == [(x, y) for x in (10, 20) for y in (1, 2, 3)]
