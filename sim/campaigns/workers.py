"""Who flies the runs of a campaign: this process, threads, other processes, or a cluster.

All give the same results: a run depends on its number only. What a worker that died had not handed back is flown by
another.
"""

import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from ...plant.checks import choice
from ...plant.errors import InputError
from .journal import Record

__all__ = ["ENGINES", "fly_batches"]

ENGINES = ("processes", "threads")
WAITING = 3  # batches handed out for each worker: enough that none is idle, few enough that memory is bounded
MOST_DEATHS = 3  # of one batch: what kills a worker each time would kill them for ever

Batch = Sequence[int]
Fly = Callable[[Batch], list[Record]]

_flown: Fly | None = None


def _begin(fly: Fly) -> None:
    global _flown  # noqa: PLW0603 # what a worker process is told once, not with each batch
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C goes to all: the process that keeps the journal decides
    Thread(target=_end_with_parent, daemon=True).start()
    _flown = fly


def _end_with_parent() -> None:
    """End this worker when the process that began it is gone: killed, it could not say so."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _fly(batch: Batch) -> list[Record]:
    assert _flown is not None  # noqa: S101 # the process began with it
    return _flown(batch)


def fly_batches(
    fly: Fly, batches: Iterator[Batch], *, workers: int, engine: str = "processes", dask: Any = None
) -> Generator[list[Record]]:
    """Yield the records of batches in the order in which they are done.

    fly: `fly(batch)` flies some runs; it is pickled for processes. batches: the numbers of the runs. workers: how many;
    1 flies here. dask: a `distributed.Client`, or the address of a scheduler; then workers are its own.
    Raises InputError when a batch kills its worker again and again.
    """
    choice("engine", engine, ENGINES)
    if dask is not None:
        yield from _on_cluster(fly, batches, dask)
    elif workers == 1:
        for batch in batches:
            yield fly(batch)
    elif engine == "threads":
        with ThreadPoolExecutor(workers) as pool:
            yield from _pooled(pool, fly, batches, WAITING * workers)
    else:
        yield from _processes(fly, batches, workers)


@contextmanager
def _closed(pool: Executor) -> Generator[Executor]:
    """The pool, and at the end nothing of it: what was not begun is dropped."""
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pooled(pool: Executor, fly: Fly, batches: Iterator[Batch], most: int) -> Generator[list[Record]]:
    running: set[Future[list[Record]]] = set()
    for batch in batches:
        running.add(pool.submit(fly, batch))
        while len(running) >= most:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                yield each.result()
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for each in done:
            yield each.result()


def _processes(fly: Fly, batches: Iterator[Batch], workers: int) -> Generator[list[Record]]:
    """Processes, begun anew when one of them died; then every batch that was out is flown again."""
    deaths: dict[int, int] = {}
    again: list[Batch] = []
    while True:
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(fly,))
        out: dict[Future[list[Record]], Batch] = {}
        with _closed(pool):
            try:
                while True:
                    while len(out) < WAITING * workers:
                        batch = again.pop() if again else next(batches, None)
                        if batch is None:
                            break
                        try:
                            out[pool.submit(_fly, batch)] = batch
                        except BrokenProcessPool:
                            again.append(batch)
                            raise
                    if not out:
                        return
                    done, _ = wait(out, return_when=FIRST_COMPLETED)
                    for each in done:
                        records = each.result()
                        del out[each]
                        yield records
            except BrokenProcessPool:
                for each, batch in out.items():
                    if each.done() and each.exception() is None:
                        yield each.result()
                        continue
                    deaths[batch[0]] = deaths.get(batch[0], 0) + 1
                    if deaths[batch[0]] > MOST_DEATHS:
                        raise InputError(
                            f"worker processes died {deaths[batch[0]]} times while they flew runs {batch[0]} to "
                            f"{batch[-1]}: is there too little memory? Take fewer workers; what was flown is kept"
                        ) from None
                    again.append(batch)


def _on_cluster(fly: Fly, batches: Iterator[Batch], dask: Any) -> Generator[list[Record]]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise InputError("workers on a cluster need Dask: pip install 'polhode[dask]'") from None
    own = isinstance(dask, str)
    try:
        client = distributed.Client(dask, timeout=10) if own else dask
    except OSError as error:
        raise InputError(f"no Dask scheduler answers at {dask} ({error}); start one with `dask scheduler`") from None
    try:
        task = client.scatter(fly, broadcast=True)
        most = WAITING * max(1, sum(client.nthreads().values()))
        queue = distributed.as_completed()
        count = 0
        for batch in batches:
            queue.add(client.submit(_call, task, batch, pure=False, retries=MOST_DEATHS))
            count += 1
            if count >= most:
                yield next(queue).result()
                count -= 1
        for each in queue:
            yield each.result()
    finally:
        if own:
            client.close()


def _call(fly: Fly, batch: Batch) -> list[Record]:
    return fly(batch)
