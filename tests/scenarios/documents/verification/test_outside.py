"""The references of the table are independent, and the closed forms of the plant agree with them."""

import ast
import inspect

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode.plant.attitude.free_motion import FreeMotion, heavy_top
from polhode.scenarios.documents.verification import outside

E = np.array((0.5, -0.1, 0.7, 0.5))


def test_outside_references_use_nothing_of_polhode():
    tree = ast.parse(inspect.getsource(outside))
    named = {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names}
    assert {name.split(".")[0] for name in named} <= {"numpy", "scipy"}
    assert not any(node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))


def test_rotations_are_those_of_another_library():
    other = np.array((0.1, -0.7, 0.5, 0.5))
    first, second = Rotation.from_quat(np.roll(E, -1)), Rotation.from_quat(np.roll(other, -1))
    np.testing.assert_allclose(outside.rotation(E), first.as_matrix(), rtol=0, atol=1e-15)
    both = outside.rotation(outside.product(E, other))
    np.testing.assert_allclose(both, (first * second).as_matrix(), rtol=0, atol=1e-15)
    for axis, letter in enumerate("xyz"):
        turned = Rotation.from_euler(letter, 0.7).as_matrix()
        np.testing.assert_allclose(outside.elementary(axis, 0.7), turned, rtol=0, atol=1e-15)


def test_free_body_obeys_eulers_equations():
    inertia = np.array((400.0, 307.808385, 200.0))
    h, change = outside.free_body(np.linspace(0.0, 20.0, 41), inertia, amplitudes=(346.4101616, 200.0))
    np.testing.assert_allclose(change, np.cross(h.T, h.T / inertia).T, rtol=0, atol=1e-11)
    middle, least, period = outside.free_body_figures(inertia, amplitudes=(346.4101616, 200.0))
    motion = FreeMotion(inertia, rate=np.array((346.4101616, 0.0, -200.0)) / inertia)
    assert np.sort(np.abs(motion.amplitudes))[-1] == pytest.approx(middle, rel=1e-13)
    assert motion.smallest == pytest.approx(least, rel=1e-12)
    assert motion.period == pytest.approx(period, rel=1e-12)


def test_top_of_plant_agrees():
    reference = outside.top_frequencies(5.0, weight_moment=20.0, axial_momentum=50.0, tilt=0.3)
    assert reference == pytest.approx((9.209424558206, 0.416425036235), abs=1e-12)
    exact = heavy_top(5.0, 1.0, weight_moment=20.0, axial_momentum=50.0, tilt=0.3)
    assert (exact.nutation_frequency, exact.mean_precession) == pytest.approx(reference, rel=1e-12)
