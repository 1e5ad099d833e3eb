"""Sliders of a page: the arrays that they change are those of `polhode run --set`."""

import numpy as np
import pytest

from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case_run import arguments
from polhode.scenarios.report.reader_run.patches import affine_cells, applied, close, difference, straight_cells
from polhode.scenarios.report.reader_run.slider_keys import slider_keys
from polhode.scenarios.report.reader_run.sliders import sliders_of
from polhode.sim.codegen.browser.run_arrays import numbers_of
from polhode.sim.runs.run_spec import run_spec

SLOW = ("star-tracker-pointing", "flexible-slew", "thrusters-and-wheels", "torque-free", "nutation-damping")


def made(name, settings=()):
    overrides = [f"{path}={int(value) if path == 'run.seed' else value}" for path, value in settings]
    return numbers_of(run_spec(**arguments(build(load_case(name, overrides).case))))


@pytest.mark.parametrize(
    "name", ["slew-quaternion-feedback", *(pytest.param(each, marks=pytest.mark.slow) for each in ("slew-lqr", *SLOW))]
)
def test_slider_changes_what_set_changes(name):
    base = made(name)
    sliders = sliders_of(load_case(name), base)
    assert len(sliders) >= 3
    for slider in sliders:
        assert slider.values == tuple(sorted(slider.values))
        assert slider.key.value in slider.values
        for n in {0, len(slider.values) // 2, len(slider.values) - 1}:
            patch, adds = slider.changes(n)
            expected, _ = made(name, [(slider.key.path, slider.values[n])])
            assert close(applied(base[0], (patch,), adds), expected, adds), slider.key.path
            assert slider.affine or not adds  # bitwise, except for linear interpolation


@pytest.fixture(scope="module")
def feedback():
    name = "slew-quaternion-feedback"
    base = made(name)
    return name, base, {slider.key.path: slider for slider in sliders_of(load_case(name), base)}


def test_smooth_sliders_hold_between_their_values(feedback):
    name, base, found = feedback
    limit = found["controller.torque_limit_N_m"]
    assert set(limit.straight.values()) <= {1.0, -1.0}
    expected, _ = made(name, [(limit.key.path, 0.61803398875)])
    patch = {"limits": {place: sign * 0.61803398875 for (_, place), sign in limit.straight.items()}}
    assert {name for name, _ in limit.straight} == {"limits"}
    assert close(applied(base[0], (patch,), {}), expected, {})
    rate = found["initial.rate_deg_s.1"]
    expected, _ = made(name, [(rate.key.path, 0.123456789)])
    adds = {cell: slope * 0.123456789 for cell, slope in rate.affine.items()}
    assert adds
    assert close(applied(base[0], (), adds), expected, adds)


def test_combined_sliders_change_what_two_settings_change(feedback):
    name, base, found = feedback
    together = ["initial.rate_deg_s.0", "initial.rate_deg_s.2", "controller.torque_limit_N_m",
                "initial.attitude_deg.angles.1",
                "controller.frequency_rad_s"]  # fmt: skip
    assert not any(path in found[other].excludes for path in together for other in together)
    changes = [found[path].changes(1) for path in together]
    adds = {}
    for _, more in changes:
        adds = {cell: adds.get(cell, 0.0) + more.get(cell, 0.0) for cell in {**adds, **more}}
    expected, _ = made(name, [(path, found[path].values[1]) for path in together])
    assert close(applied(base[0], [patch for patch, _ in changes], adds), expected, adds)


def test_sliders_that_depend_on_each_other_exclude_each_other():
    found = {each.key.path: each for each in sliders_of(load_case("slew-lqr"), made("slew-lqr"))}
    weight, inertia, rate = (
        found[path] for path in ("controller.attitude_weight", "plant.inertia_kg_m2.0.0", "initial.rate_deg_s.0")
    )
    assert inertia.key.path in weight.excludes
    assert weight.key.path in inertia.excludes
    assert inertia.key.path in rate.excludes  # momentum is inertia times rate
    assert weight.designs
    assert inertia.designs
    assert not found["controller.torque_limit_N_m"].designs


def test_case_without_numbers_has_no_sliders():
    assert slider_keys({}) == ()
    assert slider_keys({"plant": {"inertia_kg_m2": []}, "run": {"step_s": 0.1, "duration_s": 0.0}}) == ()


def test_difference_replaces_arrays_of_another_shape_and_infinite_numbers():
    base = {"a": np.zeros(3), "b": np.arange(4.0), "n": np.arange(2)}
    other = {"a": np.zeros(5), "b": np.array([0.0, 1.0, np.inf, 3.0]), "n": np.array([0, 7])}
    patch = difference(base, other)
    assert patch["a"].shape == (5,)
    assert patch["b"].tolist() == other["b"].tolist()
    assert patch["n"] == {1: 7}
    assert difference(base, base) == {}
    assert close(applied(base, (patch,), {}), other, {})
    assert not close(base, other, {})


def test_negative_zero_is_a_difference():
    assert difference({"a": np.array([0.0])}, {"a": np.array([-0.0])}) == {"a": {0: 0.0}}


def test_lines_are_told_from_curves():
    base = {"a": np.array([1.0, 5.0])}
    line = [{"a": {0: 2.0}}, {"a": {0: 3.0}}]
    assert affine_cells(base, 1.0, (2.0, 3.0), line) == {("a", 0): 1.0}
    assert straight_cells((2.0, 3.0), line) == {("a", 0): 1.0}
    curve = [{"a": {0: 2.0}}, {"a": {0: 3.1}}]
    assert affine_cells(base, 1.0, (2.0, 3.0), curve) == {}
    assert straight_cells((2.0, 3.0), curve) == {}
    assert affine_cells(base, 1.0, (2.0, 3.0), [{"a": {0: 2.0}}, {"a": {0: 3.0, 1: 6.0}}]) == {}
