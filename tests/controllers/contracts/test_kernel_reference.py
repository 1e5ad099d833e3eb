"""A kernel reference returns the values of its kernel, and rejects an invalid time."""

import numpy as np
import pytest

from polhode import plant
from polhode.controllers.contracts.kernel_reference import KernelReference


class Growing(KernelReference):
    """r = q t, ten numbers."""

    parameters = np.arange(10.0)

    @property
    def kernel(self):
        def write(t, q, r):
            r[:] = q * t

        return write


def test_kernel_reference_equals_its_kernel():
    assert Growing().at(2.0).tolist() == (2.0 * np.arange(10.0)).tolist()
    with pytest.raises(plant.InputError, match=r"t must be finite"):
        Growing().at(float("nan"))
