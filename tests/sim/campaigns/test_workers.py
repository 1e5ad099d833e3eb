"""Workers on a Dask cluster: separate processes under a real scheduler, one of them killed on the way."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.campaigns import campaign

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import flights  # noqa: E402

distributed = pytest.importorskip("distributed")

WORKER = ("dask_worker", "--no-dashboard", "--no-nanny", "--nthreads", "1")


def start(*words):
    environment = {**os.environ, "PYTHONPATH": str(HERE), "DASK_LOGGING__DISTRIBUTED": "error"}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def cluster(tmp_path):
    """Address of a scheduler with two workers, and the workers' processes."""
    found = tmp_path / "scheduler.json"
    begun = [start("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(found))]
    try:
        where = ("--scheduler-file", str(found), "--local-directory", str(tmp_path))
        begun.extend(start(*WORKER, *where) for _ in range(2))
        with distributed.Client(scheduler_file=str(found), timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            yield client, begun[1:]
    finally:
        for process in begun[::-1]:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_cluster_with_a_worker_killed_comes_to_the_same(cluster):
    client, workers = cluster
    killed = []

    def watch(share):
        if share > 0.3 and not killed:
            workers[0].send_signal(signal.SIGKILL)
            killed.append(time.monotonic())

    plain = campaign(flights.polynomial, flights.DISPERSIONS, runs=200, seed=4)
    found = campaign(flights.slow, flights.DISPERSIONS, runs=200, seed=4, dask=client, progress=watch)
    assert killed
    assert found.reasons == plain.reasons
    for name, column in plain.metrics.items():
        assert np.array_equal(column, found.metrics[name], equal_nan=True)


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_named():
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        campaign(flights.polynomial, flights.DISPERSIONS, runs=2, dask="tcp://127.0.0.1:1")
