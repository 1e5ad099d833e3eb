"""References: their motion, and consistency of attitude and rate."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polhode import controllers, plant
from polhode.plant.attitude import matrix_G, quaternion_product


def tumbling(t, q, r):
    """A rotation about x by q0 sin(q1 t): consistent attitude, rate and acceleration."""
    angle = q[0] * np.sin(q[1] * t)
    r[0] = np.cos(0.5 * angle)
    r[1] = np.sin(0.5 * angle)
    for n in range(2, 10):
        r[n] = 0.0
    r[4] = q[0] * q[1] * np.cos(q[1] * t)
    r[7] = -q[0] * q[1] ** 2 * np.sin(q[1] * t)


E0 = np.array([0.5, -0.5, 0.1, 0.7]) / np.linalg.norm([0.5, -0.5, 0.1, 0.7])
REFERENCES = [
    controllers.FixedReference(E0),
    controllers.SpinReference(E0, rate=(0.3, -0.2, 0.5)),
    controllers.SpinReference(E0, rate=(0, 0, 0)),
    controllers.CustomReference(tumbling, parameters=(0.4, 2.0)),
]


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("t", [0.0, 1.7, 40.0])
def test_references_have_consistent_attitude_rate_acceleration(reference, t):
    h = 1e-4
    before, now, after = (reference.at(s) for s in (t - h, t, t + h))
    # central difference: h^2/6 of third derivatives below 10 per s^3 gives 2e-8, round-off 1e-16 / h = 1e-12
    np.testing.assert_allclose(
        (after[:4] - before[:4]) / (2 * h), 0.5 * matrix_G(now[:4]).T @ now[4:7], rtol=0, atol=5e-8
    )
    np.testing.assert_allclose((after[4:7] - before[4:7]) / (2 * h), now[7:], rtol=0, atol=5e-8)
    assert np.linalg.norm(now[:4]) == pytest.approx(1.0, abs=1e-15)


def test_spin_reference_matches_scipy_rotation():
    rate, t = np.array([0.3, -0.2, 0.5]), 123.4
    reference = controllers.SpinReference(E0, rate=rate)
    turned = Rotation.from_quat(E0, scalar_first=True) * Rotation.from_rotvec(rate * t)
    # the angle is 76 rad, which each side rounds to 1e-14
    np.testing.assert_allclose(
        Rotation.from_quat(reference.at(t)[:4], scalar_first=True).as_matrix(),
        turned.as_matrix(),
        rtol=0,
        atol=5e-14,
    )


def test_spin_reference_changes_quaternion_sign_after_full_turn():
    reference = controllers.SpinReference(rate=(0, 0, 2 * np.pi))
    np.testing.assert_allclose(reference.at(1.0)[:4], [-1, 0, 0, 0], rtol=0, atol=1e-15)


def test_spin_reference_starts_at_attitude_and_composes_on_the_right():
    reference = controllers.SpinReference(E0, rate=(0, 0, np.pi))
    np.testing.assert_allclose(
        reference.at(1.0)[:4], quaternion_product(E0, np.array([0, 0, 0, 1.0])), rtol=0, atol=1e-15
    )


def test_reference_arguments_are_normalised_and_copied():
    given = np.array([1.0 + 1e-9, 0, 0, 0])
    reference = controllers.FixedReference(given)
    given[0] = 5.0
    assert reference.attitude[0] == 1.0
    assert reference.parameters.shape == (4,)
    with pytest.raises(ValueError, match="read-only"):
        reference.attitude[0] = 2.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: controllers.FixedReference((1, 1, 0, 0)),
            "reference attitude must be unit Euler parameters",
        ),
        (lambda: controllers.FixedReference((1, 0, 0)), "reference attitude must be 4 numbers"),
        (lambda: controllers.SpinReference(rate=(0, 1)), r"reference rate must be 3 numbers \(rad/s\)"),
        (lambda: controllers.SpinReference(rate=(0, 1, np.inf)), "reference rate must be finite"),
        (lambda: controllers.CustomReference("spin"), "must be callable as function"),
        (lambda: controllers.CustomReference(lambda t, q, r: None), "must write 10 finite numbers"),
        (
            lambda: controllers.CustomReference(lambda t, q, r: r.__setitem__(12, q[0]), parameters=(1.0,)),
            r"failed at t = 0 s .IndexError: index 12 is out of bounds .*size 10.; q has the 1 parameters",
        ),
        (
            lambda: controllers.CustomReference(lambda t, q, r: q.__setitem__(0, 2.0), parameters=(1.0,)),
            r"failed at t = 0 s .ValueError: .*read-only",
        ),
        (lambda: controllers.CustomReference(lambda t, q, r: r.fill(1.0)), "must be unit Euler parameters"),
        (lambda: controllers.FixedReference().at(np.nan), "t must be finite"),
    ],
)
def test_references_reject_bad_input(make, message):
    with pytest.raises(plant.InputError, match=message):
        make()


def test_spin_reference_needs_a_rate():
    with pytest.raises(TypeError, match="rate"):
        controllers.SpinReference((1, 0, 0, 0))
