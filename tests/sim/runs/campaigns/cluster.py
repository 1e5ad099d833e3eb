"""A Dask scheduler with workers, all separate processes of this machine."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import distributed

HERE = Path(__file__).parent
WORKER = ("dask_worker", "--no-dashboard", "--no-nanny", "--nthreads", "1")


def _start(*words):
    environment = {**os.environ, "PYTHONPATH": str(HERE), "DASK_LOGGING__DISTRIBUTED": "error"}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def worker_of(folder):
    """Start one more worker of the scheduler in a folder."""
    where = ("--scheduler-file", str(folder / "scheduler.json"), "--local-directory", str(folder))
    return _start(*WORKER, *where)


@contextmanager
def cluster_of(count, folder):
    """Yield a client of a scheduler with a number of workers, the worker processes, and the scheduler process."""
    found = folder / "scheduler.json"
    begun = [_start("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(found))]
    try:
        begun.extend(worker_of(folder) for _ in range(count))
        with distributed.Client(scheduler_file=str(found), timeout=60) as client:
            client.wait_for_workers(count, timeout=60)
            yield client, begun[1:], begun[0]
    finally:
        for process in begun[::-1]:
            process.kill()
            process.wait()
