"""The engine with tangents gives every shipped case the same rows, in every bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import polhode.scenarios.cases
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import arguments
from polhode.sim.codegen.tangent_library import tangents
from polhode.sim.engine.tangent_loop import TangentLoop, carries_tangents
from polhode.sim.runs.drive import gatherer, loop_of
from polhode.sim.runs.parallel_runs import fly_alone
from polhode.sim.runs.run_spec import run_spec

CASES = sorted(path.stem for path in Path(next(iter(polhode.scenarios.cases.__path__))).glob("*.toml"))
STEPS = 2000
"""Long enough for rows, samples, pulses and switching; a run of all steps is only longer."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(tangents() == 0, reason="no library with tangents")]


@pytest.mark.parametrize("name", CASES)
def test_values_beside_tangents_are_those_of_the_engine(name):
    settings = arguments(build(load_case(name).case))
    settings.pop("accuracy", None)
    spec = run_spec(**settings)._replace(max_steps=STEPS)
    x = spec.x * (1.0 + 1e-6 * np.cos(np.arange(spec.x.size)))
    x[3:7] = spec.x[3:7]
    loop, other = loop_of(spec), loop_of(spec._replace(x=x))
    assert carries_tangents(loop)
    rows, flight = gatherer(loop, spec), TangentLoop(loop, [(other, loop)])
    status = flight.advance(STEPS)
    flight.finish(loop)
    run, expected = rows(status), fly_alone(spec)
    assert run.status == expected.status
    for quantity in ("t", "states", "inputs", "observables", "block_signals"):
        one, same = getattr(run, quantity), getattr(expected, quantity)
        assert one is same is None or np.array_equal(one, same, equal_nan=True)
    if np.any(x != spec.x):
        assert np.any(flight.arrays["x"][:, 1] != 0.0)
    assert np.isfinite(flight.arrays["out_x"][: len(run.t)]).all()
