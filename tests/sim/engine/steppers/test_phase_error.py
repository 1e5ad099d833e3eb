"""Phase error of one step of a linear motion against steps in higher precision."""

from decimal import Decimal, getcontext

import pytest

from polhode.sim import INTEGRATORS
from polhode.sim.engine.steppers.phase_error import stability_polynomial, step_error


def in_many_digits(method, angle):
    """|R(iz) exp(-iz) - 1| in 60 digits, by the series of exp."""
    getcontext().prec = 60
    z = Decimal(angle)
    real, imaginary = Decimal(0), Decimal(0)
    product = [Decimal(0)] * 40
    inverse = Decimal(1)
    exponential = []
    for n in range(40):
        exponential.append(inverse * (-1) ** n)
        inverse /= n + 1
    # in exact fractions if the method has them; the coefficients of rk8 are those of exp up to order 8
    factorial = [abs(term) for term in exponential]
    polynomial = [Decimal(float(c)) for c in stability_polynomial(INTEGRATORS[method])[::-1]]
    order = 4 if method == "rk4" else 8
    polynomial[: order + 1] = factorial[: order + 1]
    for n in range(40):
        product[n] = sum(
            polynomial[k] * exponential[n - k] for k in range(min(n + 1, len(polynomial))) if n - k < 40
        ) - (1 if n == 0 else 0)
    for n, c in enumerate(product):
        power = c * z**n
        real += power * (1, 0, -1, 0)[n % 4]
        imaginary += power * (0, 1, 0, -1)[n % 4]
    return float((real * real + imaginary * imaginary).sqrt())


@pytest.mark.parametrize(("method", "rel"), [("rk4", 0.01), ("rk8", 0.15)])
@pytest.mark.parametrize("angle", [1e-3, 0.05, 0.2, 0.5])
def test_error_of_step(method, rel, angle):
    # below 0.3 the leading term of rk8 is sufficient
    assert step_error(INTEGRATORS[method], 1j * angle) == pytest.approx(in_many_digits(method, angle), rel=rel)
