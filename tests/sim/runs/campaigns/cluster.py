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


@contextmanager
def cluster_of(count, folder):
    """Yield a client of a scheduler with so many workers, the workers' processes, and that of the scheduler."""
    found = folder / "scheduler.json"
    begun = [_start("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(found))]
    try:
        where = ("--scheduler-file", str(found), "--local-directory", str(folder))
        begun.extend(_start(*WORKER, *where) for _ in range(count))
        with distributed.Client(scheduler_file=str(found), timeout=60) as client:
            client.wait_for_workers(count, timeout=60)
            yield client, begun[1:], begun[0]
    finally:
        for process in begun[::-1]:
            process.kill()
            process.wait()
