"""A campaign of a case has the same result in batches on any cluster and after any kill."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from polhode.scenarios.case.campaigns.case_campaign import run_campaign

CASE = ["run.duration_s=60"]
RUNS = 300
BEGUN = 6000  # bytes of a journal with its head and the first runs


@pytest.fixture(scope="module")
def here():
    return run_campaign("slew-dispersed", runs=RUNS, workers=1, overrides=CASE)


def same(one, other):
    assert one.rates == other.rates
    assert one.campaign.reasons == other.campaign.reasons
    columns = {**other.campaign.metrics, **other.campaign.dispersed}
    for name, column in {**one.campaign.metrics, **one.campaign.dispersed}.items():
        assert np.array_equal(column, columns[name], equal_nan=True), name
    for name in one.campaign.signals:
        assert np.array_equal(
            one.campaign.bands(name, (0.0, 0.5, 1.0)), other.campaign.bands(name, (0.0, 0.5, 1.0)), equal_nan=True
        )


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3])
def test_campaign_on_cluster_survives_killed_worker(here, count, tmp_path):
    pytest.importorskip("distributed")
    sys.path.insert(0, str(Path(__file__).parents[3] / "sim" / "runs" / "campaigns"))
    from cluster import cluster_of  # pyright: ignore[reportMissingImports] # of the tests of the room below

    killed = []
    with cluster_of(count, tmp_path) as (client, workers, _):

        def watch(share):
            if share > 0.05 and not killed and count > 1:
                workers[0].send_signal(signal.SIGKILL)
                killed.append(share)

        found = run_campaign("slew-dispersed", runs=RUNS, dask=client, overrides=CASE, out=tmp_path, progress=watch)
    assert [share < 1.0 for share in killed] == [True] * (count > 1)
    same(here, found)


@pytest.mark.slow
def test_killed_scheduler_is_one_message_and_resumes(here, tmp_path):
    """The rows of finished runs stay in the journal, and the next call simulates the rest."""
    pytest.importorskip("distributed")
    sys.path.insert(0, str(Path(__file__).parents[3] / "sim" / "runs" / "campaigns"))
    from cluster import cluster_of  # pyright: ignore[reportMissingImports] # of the tests of the room below

    out = tmp_path / "out"
    journal = out / "campaign.journal"
    with cluster_of(1, tmp_path) as (client, _, scheduler):
        address = client.scheduler.address
        client.close()
        words = [sys.executable, "-m", "polhode", "campaign", "slew-dispersed", "--runs", str(RUNS)]
        words += ["--set", CASE[0], "--dask", address, "--out", str(out)]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            try:
                while process.poll() is None and (not journal.exists() or journal.stat().st_size < BEGUN):
                    time.sleep(0.005)
                scheduler.kill()
                _, said = process.communicate(timeout=60)
            finally:
                process.kill()
    kept = journal.stat().st_size
    assert process.returncode == 2
    assert "the connection to the Dask scheduler was lost" in said
    assert "internal error" not in said
    assert "Traceback" not in said
    assert kept >= BEGUN
    same(here, run_campaign("slew-dispersed", runs=RUNS, out=out, overrides=CASE))
    assert journal.stat().st_size > kept


@pytest.mark.slow
def test_after_kills(here, tmp_path):
    words = [sys.executable, "-m", "polhode", "campaign", "slew-dispersed", "--runs", str(RUNS), "--out", str(tmp_path)]
    words += ["--set", CASE[0]]
    journal, killed, grown = tmp_path / "campaign.journal", 0, [0]
    rng = np.random.default_rng(1)
    for _ in range(5):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        size = journal.stat().st_size if journal.exists() else 0
        while process.poll() is None and (not journal.exists() or journal.stat().st_size <= size + 2000):
            time.sleep(0.005)
        time.sleep(float(rng.uniform(0.0, 0.2)))
        killed += process.poll() is None
        process.kill()
        process.wait()
        grown.append(journal.stat().st_size)
    assert killed > 1
    assert grown[-1] > grown[1] > 0
    same(here, run_campaign("slew-dispersed", runs=RUNS, out=tmp_path, overrides=CASE))
