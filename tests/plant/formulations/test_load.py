"""Packed load of a formulation."""

import numpy as np
import pytest

from polhode.plant.formulations import Load
from polhode.plant.formulations.pieces import LOAD


@pytest.mark.parametrize("part", ["inertial_torque", "force"])
@pytest.mark.parametrize("axis", range(3))
def test_load_inertial_components_set_the_flag(part, axis):
    assert Load(**{part: np.eye(3)[axis]}).pack()[LOAD.inertial] == 1.0
    assert Load(body_torque=np.eye(3)[axis], point=np.eye(3)[axis]).pack()[LOAD.inertial] == 0.0
