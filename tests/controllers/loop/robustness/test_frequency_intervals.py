"""Scalings of one frequency are valid on the whole returned arc, and not far beyond it."""

import numpy as np

from polhode.controllers.loop.robustness.frequency_intervals import Transfer, proven_arc
from polhode.controllers.loop.robustness.multipliers import (
    UncertainBlock,
    psi,
    structured_multipliers,
    structured_upper_bound,
)

BLOCKS = (UncertainBlock("real", 2, 2), UncertainBlock("full", 2, 1), UncertainBlock("complex", 1, 1))


def test_arcs_hold_between_the_frequencies():
    rng = np.random.default_rng(1)
    beyond = []
    for _ in range(8):
        n = int(rng.integers(2, 9))
        some = rng.normal(size=(n, n))
        A = some * rng.uniform(0.5, 0.999) / np.abs(np.linalg.eigvals(some)).max()
        parts = (rng.normal(size=shape) + 0j for shape in ((n, 4), (5, n), (5, 4)))
        system = Transfer(A, *parts)
        angle = rng.uniform(0.0, np.pi)
        size = rng.uniform(1.02, 2.0) * structured_upper_bound(system.at(angle), BLOCKS, accuracy=0.05)
        system = system._replace(C=system.C / size, D=system.D / size)
        found = structured_multipliers(system.at(angle), BLOCKS)
        assert found is not None
        arc = proven_arc(system, angle, found)
        assert arc is not None
        low, high = arc
        assert low < angle < high
        least = [np.linalg.eigvalsh(psi(system.at(each), found))[0] for each in np.linspace(low, high, 200)]
        assert min(least) > 0.0
        if high - low < 6.0:
            edges = (low - 1e-3 * (high - low), high + 1e-3 * (high - low))
            beyond += [np.linalg.eigvalsh(psi(system.at(each), found))[0] < 0.0 for each in edges]
        assert proven_arc(system._replace(D=system.D * 1e3, C=system.C * 1e3), angle, found) is None
    assert np.mean(beyond) > 0.6  # the rest touch zero and return, or come close to it
