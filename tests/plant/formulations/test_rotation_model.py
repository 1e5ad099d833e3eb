"""User errors in the choice of a formulation and its load."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.plant.formulations import FORMULATIONS, Load, RotationModel

J = (3.0, 2.0, 1.5)


def test_formulation_names_are_unique_and_suggested() -> None:
    assert list(FORMULATIONS) == [formulation.name for formulation in FORMULATIONS.values()]
    with pytest.raises(InputError, match="did you mean 'lagrange-82'"):
        RotationModel("lagrange-28", J)


def test_rotation_model_requires_or_rejects_a_sequence() -> None:
    with pytest.raises(InputError, match="needs the Euler sequence"):
        RotationModel("euler-angles", J)
    with pytest.raises(InputError, match="has no Euler angles"):
        RotationModel("hamilton-7", J, sequence="3-1-3")


def test_rotation_model_without_multiplier_raises() -> None:
    model = RotationModel("newton-euler", J)
    with pytest.raises(InputError, match=r"has no multiplier; these have one: .*schwab-42"):
        model.multiplier(model.state((1, 0, 0, 0), (1, 0, 0)))


def test_rotation_model_rejects_wrong_shapes() -> None:
    model = RotationModel("lagrange-29", J)
    with pytest.raises(InputError, match="state must be 8 numbers"):
        model.derivative(np.zeros(7))
    with pytest.raises(InputError, match="rate must be 3 numbers"):
        model.state((1, 0, 0, 0), (1, 2))
    with pytest.raises(InputError, match="point of the load"):
        Load(point=(1, 2))


def test_load_flag_is_set_by_inertial_loads_only() -> None:
    assert Load(body_torque=(1, 0, 0)).pack()[12] == 0.0
    assert Load(force=(0, 0, 1)).pack()[12] == 1.0
    assert Load(inertial_torque=(0, 0, 1)).pack()[12] == 1.0


def test_euler_angle_rates_match_mit_free_motion() -> None:
    """MIT 16.07 L29 (18)-(20): momentum along inertial z, sequence 3-1-3, I1 != I2."""
    I1, I2, I3, H, theta, psi = 1.2, 0.9, 0.6, 1.5, 0.7, 0.4
    model = RotationModel("euler-angles", (I1, I2, I3), sequence="3-1-3")
    momentum = H * np.array([np.sin(theta) * np.sin(psi), np.sin(theta) * np.cos(psi), np.cos(theta)])
    x = np.array([*(momentum / (I1, I2, I3)), 0.2, theta, psi])
    precession, nutation, spin = model.derivative(x)[3:6]
    c, s = np.cos(psi), np.sin(psi)
    assert precession == pytest.approx(H * (c * c / I2 + s * s / I1), rel=1e-14)
    assert nutation == pytest.approx(H * (1 / I1 - 1 / I2) * np.sin(theta) * s * c, rel=1e-13)
    assert spin == pytest.approx(H * (1 / I3 - c * c / I2 - s * s / I1) * np.cos(theta), rel=1e-13)
