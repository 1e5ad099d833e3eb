"""Elliptic functions and integrals against 80-digit values, down to m1 = 1e-30."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude.free_motion.jacobi import argument, half_period, jacobi, third_kind

# m1, u, sn, cn, dn: computed once with mpmath 1.4 at 80 digits.
VALUES = (
    (1.0, 0.7, 0.64421768723769102, 0.76484218728448845, 1.0),
    (0.75, 2.5, 0.74990304990178414, -0.66154774260668613, 0.92704441853505626),
    (0.22, -3.1, -0.89711464607873422, -0.4417978177753116, 0.6101184665267897),
    (0.01, 40.0, -0.99756026086179122, -0.069810643524859835, 0.12175709708210649),
    (1e-06, 7.0, 0.99999857754255529, 0.0016866869496240463, 0.0019608442113332727),
    (1e-12, 14.75, 0.9999999999998908, 4.6733354790568021e-7, 1.1038118702921673e-6),
    (1e-12, 30.0, 0.3830334358887872, -0.92373447861992807, 0.92373447862000748),
    (1e-30, 36.0, 1.0, -7.4999377340685571e-17, 1.0028085094381133e-15),
)

# m1, ratio, from, to, integral of sn^2 / (cn^2 + ratio sn^2): likewise; R_J and quadrature agree to 25 digits.
THIRD_KIND = (
    (0.5, 3.0, 0.0, 1.0, 0.14438022517138328),
    (0.22, 1.0, -1.0, 9.0, 5.4891208792436208),
    (1e-4, 50.0, 0.3, 40.0, 0.76860828673085502),
    (0.9, 1e-3, 0.2, 1.3, 2.0618327202585561),
    (0.9, 1e10, 1e-3, 2e-3, 9.9995000297979994e-14),
    (1e-9, 2.0, -5.0, 60.0, 30.143828216547371),
)


@pytest.mark.parametrize(("m1", "u", "sn", "cn", "dn"), VALUES)
def test_jacobi_functions_match_high_precision_values(m1: float, u: float, sn: float, cn: float, dn: float) -> None:
    computed = jacobi(np.array(u), m1)
    # a few roundings, and the rounding of an argument of up to 40
    np.testing.assert_allclose(computed[:3], (sn, cn, dn), rtol=0.0, atol=2e-15 + 4e-16 * abs(u))


@pytest.mark.parametrize(("m1", "ratio", "low", "high", "value"), THIRD_KIND)
def test_third_kind_matches_high_precision_values(
    m1: float, ratio: float, low: float, high: float, value: float
) -> None:
    computed = float(third_kind(np.array(high - low), m1, ratio=ratio, start=low))
    # relative; the integrand of the fourth reaches 1/ratio = 1000 at K, so the rounding of u is amplified there
    assert computed == pytest.approx(value, rel=2e-14 if ratio >= 1.0 else 1e-12)


@pytest.mark.parametrize("m1", [1.0, 0.5, 1e-3, 1e-9, 1e-20])
def test_jacobi_functions_satisfy_identities_and_match_scipy(m1: float) -> None:
    from scipy.special import ellipj

    u = np.linspace(-9.0, 9.0, 361)
    computed = jacobi(u, m1)
    np.testing.assert_allclose(computed.sn**2 + computed.cn**2, 1.0, rtol=0.0, atol=1e-15)
    np.testing.assert_allclose(computed.dn**2, computed.cn**2 + m1 * computed.sn**2, rtol=0.0, atol=1e-14)
    if 1.0 - m1 < 0.9999999:  # beyond, scipy's parameter m = 1 - m1 has lost digits of m1
        np.testing.assert_allclose(computed[:3], ellipj(u, 1.0 - m1)[:3], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("m1", [1.0, 0.3, 1e-5, 1e-15])
@pytest.mark.parametrize("share", [-1.9, -1.0, -0.4, 0.0, 1e-9, 0.7, 1.0, 1.3, 1.95])
def test_jacobi_argument_is_the_inverse(m1: float, share: float) -> None:
    u = 0.5 * share * half_period(m1)
    values = jacobi(np.array(u), m1)
    computed = argument(float(values.sn), float(values.cn), m1=m1)
    # sn and cn determine u to a rounding over their slope dn, at least sqrt(m1)
    assert np.sin(0.5 * np.pi * (computed - u) / half_period(m1)) == pytest.approx(0.0, abs=3e-15 / np.sqrt(m1))


def test_jacobi_functions_in_the_hyperbolic_limit() -> None:
    u = np.array([-800.0, -30.0, -1.0, 0.0, 2.0, 25.0, 1e4])
    computed = jacobi(u, 0.0)
    np.testing.assert_allclose(computed.sn, np.tanh(u), rtol=0.0, atol=1e-16)
    np.testing.assert_allclose(computed.cn, 1.0 / np.cosh(np.clip(u, -700, 700)), rtol=1e-15)
    # at ratio 1 the integral of tanh^2
    np.testing.assert_allclose(third_kind(u, 0.0, ratio=1.0), u - np.tanh(u), rtol=1e-14, atol=1e-16)
    assert half_period(0.0) == np.inf
