"""`polhode verify --documents`: every row is met, and a row that is not is told."""

from dataclasses import replace

import numpy as np
import pytest

from polhode.scenarios.verification import DOCUMENTS, Row, verify_documents

ROWS = [(number, compute) for number, (_, rows) in DOCUMENTS.items() for compute in rows]


@pytest.mark.parametrize(("number", "compute"), ROWS, ids=[f"{number}-{row.__name__}" for number, row in ROWS])
def test_every_row_is_met(number, compute):
    row = compute()
    assert row.met, f"{number} {row.equations} is off by {row.deviation:g}, allowed {row.tolerance:g}"
    assert np.isfinite(np.asarray(row.reached, dtype=float)).all()
    assert row.where
    assert np.any(np.asarray(row.expected)) or row.tolerance <= 1e-10  # what is to be zero is zero to rounding


def test_the_command(polhode):
    done = polhode("verify", "--documents", "--json")
    assert done.code == 0, done.err
    assert done.json["missed"] == 0
    assert {row["document"] for row in done.json["rows"]} == {"000", "001", "002", "003", "004"}
    told = polhode("verify", "--documents")
    assert told.code == 0
    assert f"{len(ROWS)} of {len(ROWS)} rows met" in told.out


def test_a_row_that_misses_is_told(capsys):
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


def test_something_must_be_asked_for(polhode):
    done = polhode("verify")
    assert done.code == 2
    assert "--documents" in done.err
