"""Workers on a Dask cluster: separate processes under a real scheduler, one of them killed in the middle."""

import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.runs.campaigns import BatchRunner, campaign

pytest.importorskip("distributed")
sys.path.insert(0, str(Path(__file__).parent))
import flights
from cluster import cluster_of, worker_of


@pytest.mark.slow
@pytest.mark.parametrize(("count", "fly"), [(2, flights.slow), (3, BatchRunner(flights.slow_ones))])
def test_cluster_with_worker_killed_comes_to_same(count, fly, tmp_path):
    killed = []
    with cluster_of(count, tmp_path) as (client, workers, _):

        def watch(share):
            if share > 0.2 and not killed:
                workers[0].send_signal(signal.SIGKILL)
                killed.append(share)

        found = campaign(fly, flights.DISPERSIONS, runs=200, seed=4, dask=client, progress=watch)
    assert killed
    assert killed[0] < 1.0
    plain = campaign(flights.polynomial, flights.DISPERSIONS, runs=200, seed=4)
    assert found.reasons == plain.reasons
    for name, column in plain.metrics.items():
        assert np.array_equal(column, found.metrics[name], equal_nan=True)


@pytest.mark.slow
def test_cluster_whose_workers_all_die_goes_on_with_new_one(tmp_path):
    """Runs wait for a worker, which gets the function of the runs from the scheduler."""
    new = []
    with cluster_of(1, tmp_path) as (client, workers, _):

        def watch(share):
            if share > 0.2 and not new:
                workers[0].kill()
                workers[0].wait()
                new.append(worker_of(tmp_path))

        try:
            found = campaign(flights.slow, flights.DISPERSIONS, runs=800, seed=4, dask=client, progress=watch)
        finally:
            for process in new:
                process.kill()
                process.wait()
    assert new
    plain = campaign(flights.polynomial, flights.DISPERSIONS, runs=800, seed=4)
    assert found.reasons == plain.reasons
    for name, column in plain.metrics.items():
        assert np.array_equal(column, found.metrics[name], equal_nan=True)


@pytest.mark.slow
def test_scheduler_that_is_not_there_is_named():
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        campaign(flights.polynomial, flights.DISPERSIONS, runs=2, dask="tcp://127.0.0.1:1")
