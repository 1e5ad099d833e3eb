"""Rigid body: inertia about the mass centre or the pivot."""

import dataclasses

import numpy as np
import pytest

from polhode import plant


def test_free_rigid_body_keeps_its_inertia():
    body = plant.RigidBody((4, 3, 2), mass=1.5)
    np.testing.assert_array_equal(body.inertia, np.diag((4.0, 3.0, 2.0)))
    assert body.mass == 1.5
    assert body.pivot is None


def test_pivoted_rigid_body_obeys_parallel_axis_theorem():
    body = plant.RigidBody((4, 3, 2), mass=1.5, pivot=(1, -2, 0.5))
    expected = np.diag((4.0, 3.0, 2.0)) + 1.5 * (5.25 * np.eye(3) - np.outer((1, -2, 0.5), (1, -2, 0.5)))
    np.testing.assert_allclose(body.inertia, expected, rtol=1e-15)
    np.testing.assert_array_equal(body.central_inertia, np.diag((4.0, 3.0, 2.0)))


def test_rigid_body_is_immutable():
    given = np.array((4.0, 3.0, 2.0))
    body = plant.RigidBody(given)
    given[0] = 100.0
    assert body.inertia[0, 0] == 4.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.mass = 3.0  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"inertia": (20, 10, 5)}, "triangle inequality"),
        ({"mass": 0.0}, r"mass must be greater than 0 \(kg\); got 0"),
        ({"mass": -1}, "mass must be greater than 0"),
        ({"mass": np.inf}, r"mass must be finite \(kg\)"),
        ({"mass": "heavy"}, "mass must be numbers"),
        ({"mass": (1, 2)}, r"mass must be one number \(kg\); got shape \(2,\)"),
        ({"mass": 1.0, "pivot": (0, 1)}, r"pivot must be 3 numbers \(m\); got shape \(2,\)"),
        ({"pivot": (0, 0, 1)}, r"a pivot shifts the inertia by a term in the mass; give RigidBody\(..., mass=...\)"),
    ],
)
def test_rigid_body_rejects_bad_input(arguments, message):
    given = {"inertia": (4, 3, 2)} | arguments
    with pytest.raises(plant.InputError, match=message):
        plant.RigidBody(given.pop("inertia"), **given)
