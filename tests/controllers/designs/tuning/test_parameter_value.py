# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOptionalSubscript=false, reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Goal on a function of the parameters: value, gradient of a closed form, missing values."""

import numpy as np
import pytest

from polhode.controllers.designs.tuning import ParameterValue
from polhode.controllers.designs.tuning.point import Point
from polhode.plant.errors import DesignError

X = np.array((0.3, -0.7))


def product(points):
    return [float(np.exp(x[0]) * (2.0 + x[1])) for x in points]


def rows(goal, x=X):
    return goal.rows(Point(x, []), 0, gradients=True)[0]


@pytest.mark.parametrize("upper", [True, False])
def test_parameter_value_has_gradient_of_closed_form(upper):
    value, gradient = rows(ParameterValue(bound=1.5, function=product, upper=upper))
    f = np.exp(0.3) * 1.3
    assert value == pytest.approx(f / 1.5 if upper else 1.5 / f, rel=1e-14)
    logarithmic = np.array((1.0, 1.0 / 1.3))  # of log f by x
    np.testing.assert_allclose(gradient, value * logarithmic * (1.0 if upper else -1.0), rtol=1e-7)


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("tangents", [False, True])
def test_gradient_of_parameter_value_at_a_bound_is_that_of_the_interior(side, tangents):
    """A parameter stops at its bound, so a difference across the bound would be half the derivative."""
    low, high = (X, X + 1.0) if side < 0.0 else (X - 1.0, X)

    def stopped(points):
        return product([np.clip(x, low, high) for x in points])

    def around(x, step):
        return stopped([x + sign * each for each in step * np.eye(2) for sign in (1.0, -1.0)])

    goal = ParameterValue(bound=1.5, function=stopped, around=around if tangents else None)
    value, gradient = goal.rows(Point(X, [], low=low, high=high), 0, gradients=True)[0]
    np.testing.assert_allclose(gradient, value * np.array((1.0, 1.0 / 1.3)), rtol=3e-4)


def test_parameter_value_without_value_is_refused():
    def half(points):
        return [product([x])[0] if x[1] <= -0.7 else np.nan for x in points]

    goal = ParameterValue(bound=1.5, function=half)
    value, gradient = rows(goal)
    assert gradient[0] == pytest.approx(value, rel=1e-7)
    assert gradient[1] == 0.0
    with pytest.raises(DesignError, match="no value"):
        rows(goal, X + 0.1)
