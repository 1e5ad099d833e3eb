"""Names for places in an array."""

import re

import pytest

from polhode.plant.kernels.fields import fields, filled, three

AT = fields(mass=1, hinge=3, friction=1)


def test_fields_stand_one_after_the_other():
    assert (AT.mass, AT.hinge, AT.friction, AT.size) == (0, 1, 4, 5)


def test_a_row_is_filled_by_name_in_whatever_order():
    row = filled(AT, friction=0.5, hinge=(1, 2, 3), mass=7)
    assert row == [7.0, 1.0, 2.0, 3.0, 0.5]
    assert three(row, AT.hinge) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("wrong", [{"hinge": (1, 2)}, {"mass": ()}, {"other": 1.0}], ids=str)
def test_a_row_that_does_not_fit_is_refused(wrong):
    with pytest.raises(TypeError, match=re.escape("a row takes {'mass': 1, 'hinge': 3, 'friction': 1}; got")):
        filled(AT, **{"mass": 1.0, "hinge": (0, 0, 1), "friction": 0.0, **wrong})
