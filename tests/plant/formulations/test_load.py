"""The numbers of a load as the kernels read them."""

import numpy as np
import pytest

from polhode.plant.formulations import Load
from polhode.plant.formulations.pieces import LOAD


@pytest.mark.parametrize("part", ["inertial_torque", "force"])
@pytest.mark.parametrize("axis", range(3))
def test_each_inertial_component_sets_the_flag(part, axis):
    assert Load(**{part: np.eye(3)[axis]}).pack()[LOAD.inertial] == 1.0
    assert Load(body_torque=np.eye(3)[axis], point=np.eye(3)[axis]).pack()[LOAD.inertial] == 0.0
