# pyright: reportOptionalMemberAccess=false, reportOptionalOperand=false, reportOptionalIterable=false
# pyright: reportOperatorIssue=false, reportGeneralTypeIssues=false
# (results that are None fail the test by themselves)
"""Free parameters of a case: bounds, scales, refusals."""

import numpy as np
import pytest

from polhode.plant.errors import InputError
from polhode.scenarios.case.loader import load_case
from polhode.scenarios.case.tuning.free_parameters import free_parameters


def parameters(free, *overrides):
    loaded = load_case("slew-lqr", (f"tune={{free={free}}}", *overrides))
    return loaded, free_parameters(loaded, loaded.case.tune)


def test_free_parameters_round_trip_through_document():
    filters = "controller.filters=[{kind='notch', frequency_rad_s=3.0}]"
    free = (
        '["controller.attitude_weight", {key="controller.rate_weight", per_axis=true, low=0.1, high=10},'
        ' {key="controller.filters.0.depth", low=0.0, high=0.5}]'
    )
    loaded, found = parameters(free, filters)
    assert [each.name for each in found.numbers] == [
        "controller.attitude_weight",
        *(f"controller.rate_weight.{n}" for n in range(3)),
        "controller.filters.0.depth",
    ]
    assert [each.is_log for each in found.numbers] == [True, True, True, True, False]
    np.testing.assert_allclose(found.values(found.start), [each.value for each in found.numbers], rtol=1e-14)
    x = found.start + np.array((0.1, 0.2, -0.3, 0.4, 1.0))
    document = found.document(loaded.document, x)
    start = loaded.case.controller.attitude_weight
    assert document["controller"]["attitude_weight"] == pytest.approx(start * np.exp(0.1), rel=1e-14)
    np.testing.assert_allclose(document["controller"]["rate_weight"], np.exp((0.2, -0.3, 0.4)), rtol=1e-13)
    assert document["controller"]["filters"][0]["depth"] == pytest.approx(0.125, rel=1e-13)  # 1 of 4 scaled units
    assert loaded.document["controller"]["attitude_weight"] == start
    assert [each.at_bound(each.high) for each in found.numbers] == ["high"] * 5


MATRICES = "controller={kind='state-space', A=[[0.5]], B=[[1.0, 0.0]], C=[[-0.1]], D=[[4.0, 60.0]], sample_s=0.1}"


def test_free_parameters_keep_sign_and_zeros_of_matrices():
    """A negative entry is searched on the logarithm of its size; a zero that is kept is no parameter."""
    free = '[{key="controller.B", keep_zeros=true}, "controller.C", {key="controller.D.0.1", low=30, high=90}]'
    loaded, found = parameters(free, MATRICES)
    assert [each.name for each in found.numbers] == ["controller.B.0.0", "controller.C.0.0", "controller.D.0.1"]
    assert [(each.low, each.high) for each in found.numbers] == [(0.01, 100.0), (-10.0, -0.001), (30.0, 90.0)]
    assert (found.low < found.start).all()
    assert (found.start < found.high).all()
    document = found.document(loaded.document, found.start + np.log(2.0))
    assert document["controller"]["B"] == [[pytest.approx(2.0), 0.0]]
    assert document["controller"]["C"] == [[pytest.approx(-0.05)]]
    assert document["controller"]["D"] == [[4.0, pytest.approx(90.0)]]


@pytest.mark.parametrize(
    ("free", "message"),
    [
        ("[]", "tune: free needs at least one key"),
        ('["plant.mass_kg"]', r"tune.free.0: plant.mass_kg: only keys of the controller and noise"),
        ('["controller.attitud_weight"]', "did you mean"),
        ('["controller.kind"]', "controller.kind is 'lqr' in the case, not a number"),
        ('["controller.sample_s"]', "so it cannot be free"),
        ('["controller.attitude_weight", "controller.attitude_weight"]', "is already free; remove one"),
        ('[{key="controller.attitude_weight", low=5, high=2}]', "the bounds are reversed: low 5 is not below high 2"),
        ('[{key="controller.attitude_weight", low=50}]', "outside its bounds 50 to"),
        (
            '[{key="controller.attitude_weight", low=-1, scale="log"}]',
            "needs bounds of one sign, such as a positive lower bound; got -1",
        ),
        ('[{key="controller.filters"}]', "has no entry to tune"),
        ('["controller.delay_s"]', "for which there are no default bounds"),
    ],
)
def test_free_parameters_refuse(free, message):
    with pytest.raises(InputError, match=message):
        parameters(free)
