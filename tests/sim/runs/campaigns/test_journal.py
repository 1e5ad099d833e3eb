"""Journals with damaged records: every other run is kept, and the damage is reported."""

import numpy as np
import pytest

from polhode.sim.runs.campaigns.journal import MISSING, Journal, Record

RUNS = 12
COLUMNS = ("a", "b")


def record(run):
    reason = f"run {run} was refused, for a reason of {'many ' * run}words" if run % 3 == 0 else ""
    return Record(run, run % 2, np.array([run, 0.5 * run]), reason)


@pytest.fixture
def written(tmp_path):
    """A journal, and the start of each record."""
    path = tmp_path / "campaign.journal"
    places = []
    for run in range(RUNS):
        with Journal(path, {"x": 1}, COLUMNS, runs=RUNS) as book:
            places.append(path.stat().st_size)
            book.append([record(run)])
    return path, [*places, path.stat().st_size]


def kept(path, capfd):
    """The runs in a journal, its messages, and a check of each run."""
    capfd.readouterr()
    with Journal(path, {"x": 1}, COLUMNS, runs=RUNS) as book:
        runs = np.flatnonzero(book.status != MISSING).tolist()
        assert book.completed == len(runs)
        for run in runs:
            assert book.status[run] == record(run).status
            np.testing.assert_array_equal(book.numbers[run], record(run).numbers)
            assert book.reasons.get(run, "") == record(run).reason
    return runs, capfd.readouterr().err


@pytest.mark.parametrize("damaged", [0, 3, 10])
def test_journal_with_damaged_record_loses_one_run(written, capfd, damaged):
    path, places = written
    data = path.read_bytes()
    assert kept(path, capfd) == ([*range(RUNS)], "")
    for at in range(places[damaged], places[damaged + 1]):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        runs, said = kept(path, capfd)
        assert runs == [run for run in range(RUNS) if run != damaged], at
        assert f"{places[damaged + 1] - places[damaged]} bytes are damaged" in said


def test_missing_and_foreign_bytes_cost_the_runs_they_touch(written, capfd):
    path, places = written
    data = path.read_bytes()
    path.write_bytes(data[: places[2] + 5] + data[places[4] + 9 :])
    assert kept(path, capfd)[0] == [0, 1, *range(5, RUNS)]
    path.write_bytes(data[: places[6]] + bytes(5000) + data[places[6] :])
    runs, said = kept(path, capfd)
    assert runs == [*range(RUNS)]
    assert "5000 bytes are damaged" in said
    path.write_bytes(data[: places[RUNS] - 1])
    assert kept(path, capfd) == ([*range(RUNS - 1)], "")  # a truncated end is not damage


def test_journal_reports_damage_too_long_to_pass_over(written, capfd):
    path, places = written
    data = path.read_bytes()
    path.write_bytes(data[: places[6]] + bytes(2**20 + 100) + data[places[6] :])
    runs, said = kept(path, capfd)
    assert runs == [*range(6)]
    assert f"{2**20 + 100 + places[RUNS] - places[6]} bytes are damaged" in said
    assert path.stat().st_size == places[6]


def test_damaged_runs_are_written_again(written, capfd):
    path, places = written
    data = bytearray(path.read_bytes())
    data[places[4] + 12] ^= 1
    path.write_bytes(data)
    with Journal(path, {"x": 1}, COLUMNS, runs=RUNS) as book:
        assert np.flatnonzero(book.status == MISSING).tolist() == [4]
        book.append([record(4)])
    assert kept(path, capfd)[0] == [*range(RUNS)]
