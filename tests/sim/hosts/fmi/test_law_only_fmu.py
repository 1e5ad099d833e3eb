"""Inputs of a law in an FMU without a plant."""

from types import SimpleNamespace

import numpy as np

from polhode.controllers import FixedReference
from polhode.controllers.contracts.law_layout import REFERENCE
from polhode.sim.engine.indices import LAW_FURTHER
from polhode.sim.hosts.fmi.law_only_fmu import look_at_inputs


def test_law_only_fmu_puts_the_rate_before_the_other_states():
    """A ring's angle and momentum, and one further signal, which the law reads from another source."""
    reference, count = FixedReference(), np.zeros(LAW_FURTHER + 1, dtype=np.int64)
    count[LAW_FURTHER] = 1
    x, w, seen = np.arange(1.0, 10.0), np.array((0.1, 0.2, 0.3)), np.full(13, -1.0)
    b = SimpleNamespace(seen=seen, x=x, w=w, r=np.zeros(REFERENCE.size), rq=reference.parameters, count=count)
    assert look_at_inputs(0.0, reference.kernel, b) == 0
    assert seen.tolist() == [*x[:7], *w, *x[7:], -1.0]
