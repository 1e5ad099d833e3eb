"""Browser runs of the engine against runs of the compiled engine."""

from pathlib import Path

import numpy as np
import pytest

from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import arguments, run_problem
from polhode.scenarios.cases import __path__ as case_folders
from polhode.sim.codegen.browser.run_arrays import browser_run
from polhode.sim.runs.run_spec import run_spec

from .in_node import require_node, run_in_node

CASES = sorted(path.stem for path in Path(next(iter(case_folders))).glob("*.toml"))

FAST = {"slew-lqr", "slew-with-actuator-lag", "spring-mounted-case-2", "star-tracker-pointing", "thrusters-and-wheels"}

TO_THE_BIT = {
    "disk-on-spring", "flexible-satellite-free", "flexible-slew", "four-wheel-pyramid", "momentum-bias",
    "pulsed-station", "slew-dispersed", "slew-lqr", "slew-quaternion-feedback", "slew-with-actuator-lag",
    "spinning-top", "spring-mounted-case-1", "spring-mounted-case-2", "thruster-limit-cycle", "thrusters-and-wheels",
    "torque-free", "tumbling-brick",
}  # fmt: skip
"""Cases without functions that two mathematical libraries round differently, such as sin and atan2."""

LIBM = {
    "cubesat-detumble": 7.4e-5,  # the distance of its run at 1e-9 from that at 1e-12: limits on the dipoles are kinks
    "dual-spin": 1e-6,
    "flat-spin": 1e-10,
    "flexible-on-wheels": 1e-8,
    "flexible-satellite-torque": 1e-8,
    "panel-deployment": 1e-9,  # its latch torque is an angle times a stiffness of 4000 N m/rad
    "wing-deployment": 1e-5,  # the same; a native run with rtol changed by 1e-14 differs by 4e-6
}
"""Where the other library changes more than rounding: adaptive and implicit steps may be taken otherwise, within their
tolerance. Elsewhere differences grow to less than 1e-10 of the largest value of a quantity."""

SMALLEST = {"carried_momentum": 1.0}
"""Size below which a quantity is rounding noise of larger ones."""


@pytest.mark.parametrize("name", [pytest.param(each, marks=[] if each in FAST else pytest.mark.slow) for each in CASES])
def test_module_repeats_the_compiled_engine(name: str) -> None:
    require_node()
    problem = build(load_case(name).case)
    run = run_problem(problem)
    (found,) = run_in_node(browser_run(run_spec(**arguments(problem))))
    assert (found.status == "completed") == (run.status == "completed")
    assert found.t.tobytes() == run.t.tobytes()
    if name in TO_THE_BIT:
        assert np.array_equal(found.tables["states"][:, : run.x.shape[1]], run.x)
        assert np.array_equal(found.tables["inputs"], run.inputs)
    for quantity, values in found.values.items():
        expected = np.asarray(run.values(quantity)).reshape(values.shape)
        largest = max(float(np.abs(expected).max()), SMALLEST.get(quantity, 1e-6))
        assert float(np.abs(values - expected).max()) <= LIBM.get(name, 1e-10) * largest, quantity


def test_runs_follow_one_another_in_one_module() -> None:
    data = browser_run(run_spec(**arguments(build(load_case("slew-lqr", ["run.duration_s=20"]).case))))
    first, second = run_in_node(data, patches=((), ()), repeat=3)
    assert first.tables["states"].tobytes() == second.tables["states"].tobytes()
