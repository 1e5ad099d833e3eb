"""Principal axes: order, handedness, and equal moments."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude import rotation_matrix
from polhode.plant.attitude.free_motion import principal_axes
from polhode.plant.errors import InputError


@pytest.mark.parametrize("moments", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (1, 3, 2), (2, 2, 1), (2, 2, 2)])
def test_principal_axes_of_diagonal_tensor_are_exact(moments: tuple[float, ...]) -> None:
    computed = principal_axes(moments)
    assert computed.exact
    np.testing.assert_array_equal(computed.moments, np.sort(moments))
    assert set(np.abs(computed.axes).ravel().tolist()) == {0.0, 1.0}
    assert np.linalg.det(computed.axes) == 1.0
    np.testing.assert_array_equal(computed.axes @ np.diag(computed.moments) @ computed.axes.T, np.diag(moments))


def test_principal_axes_diagonalise_a_full_tensor() -> None:
    turn = rotation_matrix(np.array([0.5, -0.5, 0.1, 0.7]) / 1.0)
    tensor = turn @ np.diag((1.0, 2.0, 2.5)) @ turn.T
    computed = principal_axes(0.5 * (tensor + tensor.T))
    assert not computed.exact
    np.testing.assert_allclose(computed.moments, (1.0, 2.0, 2.5), rtol=1e-14)  # eigenvalues: rounding
    np.testing.assert_allclose(computed.axes @ computed.axes.T, np.eye(3), rtol=0.0, atol=1e-14)
    assert np.linalg.det(computed.axes) == pytest.approx(1.0, abs=1e-14)
    rate = np.array([0.3, -0.2, 0.7])
    np.testing.assert_allclose(computed.momentum(rate), tensor @ rate, rtol=1e-13)
    np.testing.assert_allclose(computed.rate(computed.momentum(rate)), rate, rtol=1e-13)


def test_principal_moments_within_rounding_are_equal() -> None:
    turn = rotation_matrix((0.5, -0.5, 0.1, 0.7))
    tensor = turn @ np.diag((2.0, 2.0, 2.5)) @ turn.T
    computed = principal_axes(0.5 * (tensor + tensor.T))
    assert computed.gaps[0] == 0.0
    assert computed.gaps[1] > 0.0


def test_principal_axes_reject_unphysical_inertia() -> None:
    with pytest.raises(InputError, match="triangle inequality"):
        principal_axes((1.0, 1.0, 3.0))
