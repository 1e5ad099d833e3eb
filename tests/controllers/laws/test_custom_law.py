"""User-defined laws, compiled and in plain Python."""

import numpy as np
import pytest

from polhode import controllers, plant

X = np.array([1.0, -2, 3, 1, 0, 0, 0, 0.1, -0.2, 0.3])
R = np.array([1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0])


def integrating(t, y, r, q, z, u):
    for n in range(3):
        z[n] = z[n] + y[n]
        u[n] = -q[0] * z[n]


def test_custom_law_kernel_is_called_unchanged():
    law = controllers.CustomLaw(integrating, sample=0.1, parameters=[2.0], memory=(0.5, 0, 0))
    assert law.kernel is integrating
    z, u = law.memory.copy(), np.zeros(3)
    law.kernel(0.0, X, R, law.parameters, z, u)
    law.kernel(0.1, X, R, law.parameters, z, u)
    np.testing.assert_array_equal(z, [2.5, -4, 6])
    np.testing.assert_array_equal(u, [-5, 8, -12])
    np.testing.assert_array_equal(law.memory, [0.5, 0, 0])  # a run uses a copy


def test_custom_law_in_python_gets_time_state_and_reference():
    seen = []

    def law_function(t, y, r):
        seen.append((t, y[0], r[0]))
        return [1, 2, 3]

    law = controllers.CustomLaw(law_function, sample=0.1, delay=0.05, compiled=False)
    u = np.zeros(3)
    law.kernel(0.3, X, R, law.parameters, law.memory, u)
    assert seen == [(0.3, 1.0, 1.0)]
    np.testing.assert_array_equal(u, [1, 2, 3])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((1, 2), r"command of the law at t = 0.3 s must be 3 numbers \(N m\); got shape \(2,\)"),
        ((1, 2, np.nan), "command of the law at t = 0.3 s must be finite"),
        (None, "command of the law at t = 0.3 s must be numbers"),
    ],
)
def test_custom_law_error_names_the_time(answer, message):
    law = controllers.CustomLaw(lambda t, y, r: answer, sample=0.1, compiled=False)
    with pytest.raises(plant.InputError, match=message):
        law.kernel(0.3, X, R, law.parameters, law.memory, np.zeros(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"function": 3}, r"callable as function\(t, y, r, q, z, u\)"),
        ({"function": 3, "compiled": False}, r"callable as function\(t, y, r\)"),
        ({"parameters": [np.nan]}, "law parameters must be finite"),
        ({"memory": ["x"]}, "law memory must be numbers"),
        ({"sample": 0.0}, "sample must be greater than 0"),
        ({"compiled": False, "memory": [0.0]}, "store them in the function itself"),
    ],
)
def test_custom_law_rejects_bad_input(arguments, message):
    given = {"function": integrating, "sample": 0.1, **arguments}
    with pytest.raises(plant.InputError, match=message):
        controllers.CustomLaw(given.pop("function"), **given)
