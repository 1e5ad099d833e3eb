"""Confidence intervals against published values and against their definition."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.runs.campaigns import chance_correlation, clopper_pearson, one_sided, rank_correlation, runs_needed


def test_no_failure_has_the_closed_form():
    low, high = clopper_pearson(50, 50, confidence=0.9)
    assert high == 1.0
    assert low == pytest.approx(0.05 ** (1 / 50), rel=1e-12)
    assert clopper_pearson(0, 50, confidence=0.9) == (0.0, pytest.approx(1 - low, rel=1e-12))


def test_ends_leave_half_of_rest_on_either_side():
    from scipy.stats import binom

    low, high = clopper_pearson(7, 20, confidence=0.95)
    assert binom.sf(6, 20, low) == pytest.approx(0.025, rel=1e-9)
    assert binom.cdf(7, 20, high) == pytest.approx(0.025, rel=1e-9)


@pytest.mark.parametrize(
    ("share", "confidence", "failures", "runs"),
    [(0.95, 0.95, 0, 59), (0.95, 0.95, 1, 93), (0.9, 0.95, 0, 29), (0.99, 0.95, 0, 299), (0.99865, 0.9, 0, 1705)],
)
def test_runs_needed_are_those_of_the_tables(share, confidence, failures, runs):
    """Wilks (1941) for 59, 93, 29, 299; Hanson & Beard (2012) for three sigma at 90 %."""
    assert runs_needed(share, confidence=confidence, failures=failures) == runs


def test_runs_needed_are_the_least_that_show_it():
    for failures in (0, 2, 5):
        n = runs_needed(0.97, confidence=0.9, failures=failures)
        two_sided = 0.8  # its lower end is the one-sided bound at 0.9
        assert clopper_pearson(n - failures, n, confidence=two_sided)[0] >= 0.97
        assert clopper_pearson(n - 1 - failures, n - 1, confidence=two_sided)[0] < 0.97


def test_rank_correlation_is_that_of_scipy_and_leaves_gaps_out():
    from scipy.stats import spearmanr

    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 9, 60).astype(float), rng.normal(size=60)
    expected = spearmanr(x, y).statistic
    assert rank_correlation(x, y) == pytest.approx(expected, rel=1e-12)
    assert rank_correlation([*x, np.nan, 1.0], [*y, 1.0, np.nan]) == pytest.approx(expected, rel=1e-12)
    assert np.isnan(rank_correlation(x, np.ones(60)))


def test_bad_numbers_are_refused():
    with pytest.raises(InputError, match="passed must be between 0 and runs"):
        clopper_pearson(3, 2)
    with pytest.raises(InputError, match="confidence must lie inside 0 and 1"):
        runs_needed(0.9, confidence=1.0)


def test_one_sided_bounds_have_their_stated_coverage():
    """From the binomial distribution: at the bound the observed result, or a more extreme one, has 1 - c left."""
    from scipy.stats import binom

    for passed, runs, confidence in [(392, 500, 0.9), (3, 7, 0.95), (1, 2, 0.3)]:
        low, high = one_sided(passed, runs, confidence=confidence)
        assert binom.sf(passed - 1, runs, low) == pytest.approx(1.0 - confidence, rel=1e-9)
        assert binom.cdf(passed, runs, high) == pytest.approx(1.0 - confidence, rel=1e-9)
    assert one_sided(0, 5)[0] == 0.0
    assert one_sided(5, 5)[1] == 1.0


def test_chance_correlation_is_exceeded_by_chance_as_often_as_it_says():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(4000, 40)), rng.normal(size=(4000, 40))
    ranks = [np.argsort(np.argsort(each, axis=1), axis=1) - 19.5 for each in (x, y)]
    r = (ranks[0] * ranks[1]).sum(axis=1) / (ranks[0] ** 2).sum(axis=1)
    share = (np.abs(r) > chance_correlation(40)).mean()
    assert share == pytest.approx(0.05, abs=0.012)  # 3.5 standard deviations of 4000 trials
