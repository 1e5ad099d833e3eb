"""Named fields of an array."""

import re

import numpy as np
import pytest

from polhode.plant.kernels.fields import fields, filled, row_times, three

AT = fields(mass=1, hinge=3, friction=1)


def test_fields_are_consecutive():
    assert (AT.mass, AT.hinge, AT.friction, AT.size) == (0, 1, 4, 5)


def test_filled_row_is_independent_of_argument_order():
    row = filled(AT, friction=0.5, hinge=(1, 2, 3), mass=7)
    assert row == [7.0, 1.0, 2.0, 3.0, 0.5]
    assert three(row, AT.hinge) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("wrong", [{"hinge": (1, 2)}, {"mass": ()}, {"other": 1.0}], ids=str)
def test_filled_rejects_wrong_fields(wrong):
    with pytest.raises(TypeError, match=re.escape("a row takes {'mass': 1, 'hinge': 3, 'friction': 1}; got")):
        filled(AT, **{"mass": 1.0, "hinge": (0, 0, 1), "friction": 0.0, **wrong})


def test_row_times_matches_matrix_product():
    row = np.arange(1.0, 12.0)
    whole = [row_times(row, 1 + 3 * i, 0.5, -1.0, 2.0) for i in range(3)]
    assert whole == (row[1:10].reshape(3, 3) @ (0.5, -1.0, 2.0)).tolist()
