"""Workers of a campaign: this process, threads, other processes, or a cluster.

The results do not depend on the kind of workers: a run depends only on its number. If a worker dies, another worker
repeats its outstanding batch.
"""

import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from logging import CRITICAL, getLogger
from multiprocessing import get_context, parent_process
from multiprocessing.reduction import ForkingPickler
from pickle import PicklingError
from threading import Thread
from time import perf_counter, process_time
from typing import Any

from ....plant.checks import choice
from ....plant.errors import InputError
from .batches import Batches, Runs
from .journal import Records

ENGINES = ("auto", "processes", "threads")
WAITING = 3  # batches handed out per worker: keeps all busy, and bounds the memory
MOST_DEATHS = 3  # allowed deaths of workers during one batch; one more ends the campaign
LOOK = 1.0  # s: interval for measuring the utilisation of threads
BUSY = 0.75  # fraction of the requested cores in use; below it, threads block each other
PAYS = 6.0  # remaining work that justifies starting processes, s

Batch = Sequence[int]
Fly = Callable[[Batch], Records]
Flown = tuple[Records, float]
"""Records of a batch, and the time that the worker needed for them, s."""

_flown: Fly | None = None


def _begin(fly: Fly) -> None:
    global _flown  # noqa: PLW0603 # passed to a worker process once, not with each batch
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes: the main process handles it
    Thread(target=_end_with_parent, daemon=True).start()
    _flown = fly


def _end_with_parent() -> None:
    """Exit when the parent process has ended; a killed parent sends no signal."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _fly(batch: Batch) -> Flown:
    assert _flown is not None  # noqa: S101 # set by _begin
    return _timed(_flown, batch)


def _timed(fly: Fly, batch: Batch) -> Flown:
    begun = perf_counter()
    return fly(batch), perf_counter() - begun


def _unchanged(fly: Fly) -> Fly:
    return fly


def fly_batches(
    fly: Fly, runs: Runs, *, most: int, workers: int, engine: str = "processes", dask: Any = None
) -> Generator[Records]:
    """Yield the records of runs, one batch at a time, in order of completion.

    fly: `fly(batch)` simulates several runs; it is pickled for processes. runs: run numbers. most: largest number of
    runs per batch. workers: number of workers; 1 uses this process. engine: "auto" starts with threads, and changes to
    processes if threads block each other and the change pays off. dask: a `distributed.Client`, or the address of a
    scheduler; its workers then run the batches.
    Raises InputError when a batch kills its worker repeatedly, or the connection to the scheduler is lost.
    """
    choice("engine", engine, ENGINES)
    if dask is not None:
        yield from _on_cluster(fly, runs, most, dask)
        return
    batches = Batches(runs, workers=workers, most=most)
    if workers == 1:
        while (batch := batches.next()) is not None:
            records, seconds = _timed(fly, batch)
            batches.took(len(batch), seconds)
            yield records
        return
    if engine != "processes":
        yield from _threads(fly, batches, workers, stays=engine == "threads")
    if engine != "threads":
        yield from _processes(fly, batches, workers)


@contextmanager
def _closed(pool: Executor) -> Generator[Executor]:
    """Context manager that shuts a pool down at its end and cancels tasks that have not started."""
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _threads(fly: Fly, batches: Batches, workers: int, *, stays: bool) -> Generator[Records]:
    """Run batches in threads; unless `stays`, stop when processes are expected to finish earlier."""
    out: set[Future[Flown]] = set()
    wall, busy = perf_counter(), process_time()
    leave = False
    with _closed(ThreadPoolExecutor(workers)) as pool:
        while True:
            while not leave and len(out) <= workers and (batch := batches.next()) is not None:
                out.add(pool.submit(_timed, fly, batch))
            if not out:
                return
            done, out = wait(out, return_when=FIRST_COMPLETED)
            for each in done:
                records, seconds = each.result()
                batches.took(len(records), seconds)
                yield records
            if not stays and not leave and perf_counter() - wall > LOOK:
                share = (process_time() - busy) / (perf_counter() - wall) / workers
                leave = share < BUSY and batches.ahead > PAYS
                wall, busy = perf_counter(), process_time()


def _require_importable(fly: Fly) -> None:
    """Raise InputError if another process cannot import `fly` (inner function, lambda, typed at a prompt)."""
    way_out = "define it at the top of a module or a script, or use engine='threads' or workers=1"
    try:
        text = bytes(ForkingPickler.dumps(fly))
    except (PicklingError, AttributeError, TypeError) as error:
        raise InputError(f"worker processes cannot receive the function of a run ({error}): {way_out}") from error
    if b"__main__" in text and not hasattr(sys.modules["__main__"], "__file__"):
        raise InputError(
            f"worker processes cannot find a function that was typed at a prompt or given by python -c: {way_out}"
        )


def _processes(fly: Fly, batches: Batches, workers: int) -> Generator[Records]:
    """Run batches in processes; if one dies, restart the pool and repeat all outstanding batches."""
    deaths: dict[int, int] = {}
    _require_importable(fly)
    while (first := batches.next()) is not None:
        batches.back(first)
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(fly,))
        out: dict[Future[Flown], list[int]] = {}
        with _closed(pool):
            try:
                while True:
                    while len(out) < WAITING * workers and (batch := batches.next()) is not None:
                        try:
                            out[pool.submit(_fly, batch)] = batch
                        except BrokenProcessPool:
                            batches.back(batch)
                            raise
                    if not out:
                        return
                    done, _ = wait(out, return_when=FIRST_COMPLETED)
                    for each in done:
                        records, seconds = each.result()
                        batches.took(len(out.pop(each)), seconds)
                        yield records
            except BrokenProcessPool:
                for each, batch in out.items():
                    if each.done() and each.exception() is None:
                        yield each.result()[0]
                        continue
                    deaths[batch[0]] = deaths.get(batch[0], 0) + 1
                    if deaths[batch[0]] > MOST_DEATHS:
                        raise InputError(
                            f"worker processes died {deaths[batch[0]]} times during runs {batch[0]} to "
                            f"{batch[-1]}: is there too little memory? Use fewer workers; the completed runs are kept"
                        ) from None
                    batches.back(batch)


def _on_cluster(fly: Fly, runs: Runs, most: int, dask: Any) -> Generator[Records]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise InputError("workers on a cluster need Dask: pip install 'polhode[dask]'") from None
    with _connected(distributed, dask) as client:
        try:
            yield from _by_client(distributed, client, fly, runs, most)
        except distributed.KilledWorker:
            raise InputError(
                f"{MOST_DEATHS + 1} workers of the Dask cluster died during the same runs: is there too little "
                "memory? Give each worker more; the completed runs are kept"
            ) from None
        except Exception as error:
            if client.status == "running" and not isinstance(error, CancelledError):
                raise  # the error does not concern the cluster
            raise InputError(
                "the connection to the Dask scheduler was lost during the campaign: start the scheduler and its "
                "workers again; the completed runs are kept in the journal, if there is one, and the same call "
                "resumes there"
            ) from None


@contextmanager
def _connected(distributed: Any, dask: Any) -> Generator[Any]:
    """Context manager that yields a client: the given one, or a new one for the address of a scheduler."""
    if not isinstance(dask, str):
        yield dask
        return
    try:
        client = distributed.Client(dask, timeout=10)
    except OSError as error:
        raise InputError(f"no Dask scheduler answers at {dask} ({error}); start one with `dask scheduler`") from None
    levels = {log: log.level for log in map(getLogger, ("distributed", "distributed.client"))}
    for log in levels:
        log.setLevel(CRITICAL)  # a lost scheduler raises one error, without tracebacks in the log
    try:
        yield client
    finally:
        client.close()
        for log, level in levels.items():
            log.setLevel(level)


def _by_client(distributed: Any, client: Any, fly: Fly, runs: Runs, most: int) -> Generator[Records]:
    # as a task, `fly` is recomputed if all workers that hold it die; scattered data would be lost
    task = client.submit(_unchanged, fly, pure=False, retries=MOST_DEATHS)
    workers = max(1, sum(client.nthreads().values()))
    batches = Batches(runs, workers=workers, most=most)
    queue = distributed.as_completed()
    count = 0
    while (batch := batches.next()) is not None or count:
        if batch is not None:
            queue.add(client.submit(_timed, task, batch, pure=False, retries=MOST_DEATHS))
            count += 1
        if batch is None or count >= WAITING * workers:
            records, seconds = next(queue).result()
            batches.took(len(records), seconds)
            count -= 1
            yield records
