"""`polhode verify --documents`: every row is met, and a missed row is reported."""

from dataclasses import replace

import numpy as np
import pytest

from polhode.plant.formulations import split_force_matrix
from polhode.scenarios.documents.verification import (
    DOCUMENTS,
    Row,
    choi_2014,
    euler_parameter_notes,
    flexible_rows,
    mit_l29,
    shivarama_2004,
    verify_documents,
)

ROWS = [(number, compute) for number, (_, rows) in DOCUMENTS.items() for compute in rows]


@pytest.mark.parametrize(("number", "compute"), ROWS, ids=[f"{number}-{row.__name__}" for number, row in ROWS])
def test_every_row_is_met(number, compute):
    row = compute()
    assert row.met, f"{number} {row.equations} is off by %g of %g allowed" % row.nearest
    assert np.isfinite(np.asarray(row.reached, dtype=float)).all()
    assert row.where
    assert np.any(np.asarray(row.expected)) or row.nearest[1] <= 1e-10  # zero values are zero to rounding


def test_command(polhode):
    done = polhode("verify", "--documents", "--json")
    assert done.code == 0, done.err
    assert done.json["missed"] == 0
    assert {row["document"] for row in done.json["rows"]} == {"000", "001", "002", "003", "004"}
    told = polhode("verify", "--documents")
    assert told.code == 0
    assert f"{len(ROWS)} of {len(ROWS)} rows met" in told.out
    assert {row["kind"] for row in done.json["rows"]} == {"closed form", "independent"}
    assert "closed form" in told.out
    assert "independent" in told.out


def test_row_that_misses_is_told(capsys):
    def wrong() -> Row:
        row = DOCUMENTS["000"][1][0]()
        return replace(row, expected=np.asarray(row.expected) + 1e-3)

    def lost() -> Row:
        return replace(wrong(), reached=np.nan)

    for compute in (wrong, lost):
        assert verify_documents(json=False, documents={"000": ("x", (compute,))}) == 1
        out = capsys.readouterr().out
        assert "MISSED" in out
        assert "0 of 1 rows met" in out


def of_the_inverse(function):
    """The function of the inverse rotation: consistent, but wrong."""
    return lambda e, *others: function(np.asarray(e) * (1.0, -1.0, -1.0, -1.0), *others)


def test_matrices_that_are_wrong_together_are_seen(monkeypatch):
    for name in ("matrix_E", "matrix_G", "rotation_matrix"):
        monkeypatch.setattr(shivarama_2004, name, of_the_inverse(getattr(shivarama_2004, name)))
    E, G, R = (getattr(shivarama_2004, name)(shivarama_2004.E0) for name in ("matrix_E", "matrix_G", "rotation_matrix"))
    np.testing.assert_allclose(E @ G.T, R, rtol=0, atol=1e-15)  # not visible from inside
    assert not shivarama_2004.kinematics().met


def test_force_matrices_that_are_wrong_together_are_seen(monkeypatch):
    for name in ("matrix_E", "matrix_B1", "matrix_B2"):
        monkeypatch.setattr(euler_parameter_notes, name, of_the_inverse(getattr(euler_parameter_notes, name)))
    split = split_force_matrix
    monkeypatch.setattr(
        euler_parameter_notes, "split_force_matrix", lambda matrix, e: split(matrix, e * (1.0, -1.0, -1.0, -1.0))
    )
    assert not euler_parameter_notes.force_matrices().met


def test_rates_of_another_sense_are_seen(monkeypatch):
    rates = mit_l29.euler_angle_rates
    monkeypatch.setattr(mit_l29, "euler_angle_rates", lambda *given, **named: -rates(*given, **named))
    assert not mit_l29.general().met


def test_bases_that_are_only_reciprocal_are_seen(monkeypatch):
    explore = choi_2014.explore_bases

    def mirrored(*given, **named):
        found = explore(*given, **named)
        return replace(found, euler_body=-found.euler_body, dual_body=-found.dual_body)

    monkeypatch.setattr(choi_2014, "explore_bases", mirrored)
    assert not choi_2014.bases().met


def test_each_number_has_the_tolerance_of_its_unit():
    row = flexible_rows.free()
    allowed = np.asarray(row.tolerance)
    assert allowed.shape == np.asarray(row.reached).shape
    for n, bound in enumerate((1e-4, 1e-4, 1e-4, 1e-11, 1e-9, 1e-7, 1e-8)):  # deg, J, N m s
        assert allowed[n] <= bound
        moved = np.array(row.reached)
        moved[n] += 3.0 * bound
        assert not replace(row, reached=moved).met


def test_number_nearest_its_bound_is_told():
    row = replace(flexible_rows.free(), reached=(1.0, 2.0), expected=(1.0 + 1e-3, 2.0 + 1e-6), tolerance=(1.0, 1e-5))
    assert row.nearest == pytest.approx((1e-6, 1e-5))
    assert row.met
    assert not replace(row, tolerance=(1.0, 1e-7)).met
    assert row.to_dict()["tolerance"] == 1e-5


def test_something_must_be_asked_for(polhode):
    done = polhode("verify")
    assert done.code == 2
    assert "--documents" in done.err
