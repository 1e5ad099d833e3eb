"""A tuning converted from one kind of law to another has the same poles for small errors."""

import numpy as np
import pytest

from polhode.controllers.contracts.law_defaults import with_defaults
from polhode.plant import InputError
from polhode.scenarios.case.kinds.design import design, linear_model
from polhode.scenarios.case.kinds.laws import KINDS
from polhode.scenarios.case.kinds.laws.twins import tuning, twin
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.schema import Case
from polhode.scenarios.commands.comparison import with_method

SPHERE = np.diag((50.0, 50.0, 50.0))  # one frequency on every axis, whatever is averaged
H = 0.002  # s: sampled so fast that log(z) / h equals the continuous pole up to second order in h


def case(**controller):
    return Case.model_validate(
        {
            "title": "x",
            "plant": {"inertia_kg_m2": SPHERE.tolist()},
            "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
            "controller": {"sample_s": H, **controller},
            "run": {"duration_s": 1.0},
        }
    )


def in_order(values):
    return values[np.lexsort((values.real.round(3), values.imag.round(3)))]


def poles(given):
    craft = build(given, with_law=False).craft
    found = with_defaults(design(given, craft)).closed_loop_poles(linear_model(given, craft))
    return in_order(np.log(found) / H)


COMPARABLE = sorted(kind.name for kind in KINDS if kind.tuned is not None)
STATIC = sorted(set(COMPARABLE) - {"disturbance-observer", "lqg", "lqgi", "lqi", "pid"})  # without internal states


@pytest.mark.parametrize("kind", STATIC)
def test_poles_are_those_of_frequency_and_damping_ratio(kind):
    wn, zeta = 0.3, 0.9 if kind != "sliding-mode" else 1.25  # sliding mode has real poles only
    start = case(kind="quaternion-feedback", frequency_rad_s=wn, damping_ratio=zeta)
    root = np.sqrt(complex(zeta**2 - 1.0))
    pair = [wn * (-zeta + root), wn * (-zeta - root)]
    expected = in_order(np.repeat(pair, 3))
    np.testing.assert_allclose(poles(with_method(start, kind)), expected, rtol=0, atol=2e-3 * wn)


@pytest.mark.parametrize("kind", COMPARABLE)
def test_law_twins_convert_there_and_back(kind):
    start = case(kind="quaternion-feedback", frequency_rad_s=0.2, damping_ratio=1.25, torque_limit_N_m=0.5, delay_s=H)
    there = twin(start.controller, kind, SPHERE)
    assert there.kind == kind
    assert (there.sample_s, there.delay_s, there.torque_limit_N_m) == (H, H, 0.5)
    np.testing.assert_allclose(tuning(there, SPHERE), (0.2, 1.25), rtol=1e-12)


def test_twin_of_its_own_kind_is_unchanged():
    start = case(kind="sliding-mode", slope_1_s=0.2, reach_N_m=0.8, boundary_layer_rad_s=0.02)
    assert twin(start.controller, "sliding-mode", SPHERE) is start.controller


def test_twin_of_untunable_kind_is_refused():
    damping = case(kind="rate-damping", gain_N_m_s=1.0)
    with pytest.raises(InputError, match="'rate-damping' has no natural frequency and damping ratio"):
        twin(damping.controller, "lqr", SPHERE)
    with pytest.raises(InputError, match="untunable method 'rate-damping'; can be compared: disturbance-observer, "):
        twin(case(kind="quaternion-feedback", frequency_rad_s=1, damping_ratio=1).controller, "rate-damping", SPHERE)


def test_law_too_fast_to_be_another_kind_says_so():
    fast = case(kind="quaternion-feedback", frequency_rad_s=1e160, damping_ratio=1.0)
    with pytest.raises(InputError, match=r"a law of kind lqr with the natural frequency of this one, 1e\+160 rad/s"):
        twin(fast.controller, "lqr", SPHERE)
