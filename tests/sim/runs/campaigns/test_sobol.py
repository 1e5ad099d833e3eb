"""Sobol indices against closed forms and scipy."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.runs.campaigns import Correlated, Normal, Uniform, campaign
from polhode.sim.runs.campaigns.plans import Plan
from polhode.sim.runs.campaigns.sobol import sobol_indices

A, B = 7.0, 0.1
TURN = Uniform(low=-np.pi, high=np.pi)


def ishigami(draw):
    x, y, z = (draw.values[name] for name in "xyz")
    return {"f": np.sin(x) + A * np.sin(y) ** 2 + B * z**4 * np.sin(x), "flat": 1.0}


def test_ishigami_and_homma():
    """Ishigami & Homma (1990): V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2, and the part of each input."""
    found = campaign(ishigami, dict.fromkeys("xyz", TURN), runs=5 * 1024, plan="saltelli", seed=3)
    indices = found.sobol_indices("f")
    v = A**2 / 8 + B * np.pi**4 / 5 + B**2 * np.pi**8 / 18 + 0.5
    alone = {"x": 0.5 * (1 + B * np.pi**4 / 5) ** 2 / v, "y": A**2 / 8 / v, "z": 0.0}
    both = 8 * B**2 * np.pi**8 / 225 / v
    total = {"x": alone["x"] + both, "y": alone["y"], "z": both}
    assert [*indices] == ["x", "y", "z"]
    for name, index in indices.items():
        assert index.first == pytest.approx(alone[name], abs=0.02)
        assert index.total == pytest.approx(total[name], abs=0.02)
        assert index.first_interval[0] < index.first < index.first_interval[1]
        assert index.total_interval[0] < index.total < index.total_interval[1]
        assert index.samples == 1024
    assert found.sobol_indices("flat") == {}


def test_estimates_are_those_of_scipy():
    from scipy.stats import sobol_indices as theirs

    rows = np.random.default_rng(4).normal(size=(64, 5)) ** 3
    ours = sobol_indices(rows, "abc", confidence=0.9, seed=1)
    given = {"f_A": rows[None, :, 0], "f_B": rows[None, :, 1], "f_AB": rows[:, 2:].T[:, None, :]}
    found = theirs(func=given, n=64)
    for n, name in enumerate("abc"):
        assert ours[name].first == pytest.approx(found.first_order[n], rel=1e-12)
        assert ours[name].total == pytest.approx(found.total_order[n], rel=1e-12)


def product_of(draw):
    return {"z": draw.values["a"] * draw.values["b"] + draw.values["c"]}


def test_sobol_index_of_correlated_inputs_is_joint():
    names = {"a": Normal(mean=1.0, sigma=0.3), "c": Normal(mean=0.0, sigma=0.5), "b": Normal(mean=1.0, sigma=0.3)}
    group = Correlated(("a", "b"), ((1.0, 0.8), (0.8, 1.0)))
    found = campaign(product_of, names, runs=4 * 1024, plan="saltelli", correlated=[group])
    assert found.sources == ("a with b", "c")
    # var(a b) of two normal numbers of mean 1: 2 s^2 (1 + r) + s^4 (1 + r^2)
    mixed = 2 * 0.09 * 1.8 + 0.09**2 * 1.64
    index = found.sobol_indices("z")
    assert index["a with b"].first == pytest.approx(mixed / (mixed + 0.25), abs=0.02)
    assert index["c"].total == pytest.approx(0.25 / (mixed + 0.25), abs=0.02)


def test_runs_without_a_value_take_their_sample_along():
    rows = np.random.default_rng(1).normal(size=(40, 4))
    rows[3, 2] = rows[7, 0] = np.nan
    assert sobol_indices(rows, "ab", confidence=0.9, seed=0)["a"].samples == 38
    rows[:30, 1] = np.nan
    with pytest.raises(InputError, match="at least 16 samples of 4 runs that all have a value; there are 10 of 40"):
        sobol_indices(rows, "ab", confidence=0.9, seed=0)


def noisy(draw):
    noise = np.random.default_rng((draw.seed, draw.number)).normal()
    return {"m": 0.1 * draw.values["a"] + noise}


def test_sobol_indices_exclude_noise():
    one = {"a": Normal(mean=0.0, sigma=1.0), "b": Normal(mean=0.0, sigma=1.0)}
    index = campaign(noisy, one, runs=4 * 512, plan="saltelli", seed=1).sobol_indices("m")
    assert index["b"].total == pytest.approx(0.0, abs=1e-12)
    assert index["a"].total == pytest.approx(0.01 / 1.01, abs=0.003)


def test_sobol_indices_refuse_bad_input():
    with pytest.raises(
        InputError, match=r"requires 5 runs \(two more than there are dispersions\) times a power of 2; got 64"
    ):
        Plan(kind="saltelli", runs=64, width=3, seed=0)
    flown = campaign(ishigami, dict.fromkeys("xyz", TURN), runs=32)
    with pytest.raises(InputError, match='these have plan = "random"'):
        flown.sobol_indices("f")
