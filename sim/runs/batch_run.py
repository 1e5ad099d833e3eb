"""Simulation of many runs: in batches if compiled code suffices, otherwise one by one."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import PolhodeError
from ..engine import indices as at
from ..engine.batch import Batch, flies_together, kind_of
from ..engine.loop import Loop
from ..engine.memory import require_memory
from ..engine.observe import WIDTH
from ..engine.packs import LANES as PACK
from ..results.ending import worth_a_word
from ..results.known_faults import known_faults
from ..results.near_singularity import near_singularities
from ..results.run import Run
from ..results.runs import Runs
from ..results.unmonitored_motors import unmonitored_motors
from .batch_request import BatchRequest
from .drive import gatherer, loop_of, steps_per_call, written_by
from .parallel_runs import LANE_MEMORY, fly_alone, to_the_end
from .run_spec import RunSpec
from .start_rows import StartRows

LANES = 256  # runs per call: amortises the overhead of Python, and stays in the cache
SHARES = 4  # smallest number of chunks per worker, so that all workers end at about the same time


def fly_many(wanted: BatchRequest, *, workers: int | None, progress: Callable[[float], None] | None) -> Runs:
    """Simulate all runs on threads and return them; workers and progress as in `simulate_batch`."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    count = cores if workers is None else workers
    flights = _Flights(wanted, workers=count)
    if not flights.together:
        count = 1  # custom Python code may lack thread safety
    done = 0
    try:
        for finished in _each(flights, count):
            done += finished
            if progress is not None:
                progress(done / wanted.runs)
    except KeyboardInterrupt:  # runs not simulated keep the status "stopped"
        pass
    return flights.result()


def _each(flights: "_Flights", workers: int) -> Iterator[int]:
    """Simulate chunks of runs in threads, and yield the number of runs in each completed chunk."""
    if workers == 1:
        yield from map(flights.fly, flights.chunks())
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from pool.map(flights.fly, flights.chunks())
        finally:  # the loop ends early only after Ctrl-C
            flights.ended.set()
            pool.shutdown(wait=True, cancel_futures=True)


class _Flights:
    """Runs in progress: status and rows of each run; missing rows are NaN."""

    def __init__(self, wanted: BatchRequest, *, workers: int) -> None:
        self.wanted, self.ended, self._threads = wanted, Event(), local()
        self._plan, self._loop = plan, loop = _first(wanted)
        self.together, self._steps = flies_together(loop), steps_per_call(plan.craft)
        b, size, rows = loop.arrays, plan.x.size, plan.times.size
        self._own = slice(size, size if plan.view is None else size + len(plan.view.states))
        widths = (
            b.x.size - (self._own.stop - self._own.start),
            b.u.size,
            WIDTH + 3 * len(loop.signals),
            b.out_s.shape[1] if plan.blocks else 0,
        )
        numbers = wanted.runs * rows * sum(widths)
        require_memory(8.0 * numbers, f"{wanted.runs:,} runs of {rows:,} rows of {sum(widths)} numbers")
        lane = 8.0 * (sum(array.size for array in b) + rows * sum(widths))
        share = -(-wanted.runs // (SHARES * workers if workers > 1 else 1))
        whole = -(-share // PACK) * PACK  # fills whole packs
        self._lanes = max(1, min(LANES, whole, int(LANE_MEMORY / lane)))
        self.status = np.full(wanted.runs, "stopped", dtype="U9")
        self.flagged = np.zeros(wanted.runs, dtype=np.bool_)
        self._first_fault = np.full(wanted.runs, np.inf)  # s
        self.reasons: dict[int, str] = {}
        self._rows = [np.full((wanted.runs, rows, width), np.nan) for width in widths]

    def chunks(self) -> list[range]:
        """Chunks of runs, in the order of simulation."""
        firsts = range(0, self.wanted.runs, self._lanes)
        return [range(first, min(first + self._lanes, self.wanted.runs)) for first in firsts]

    def fly(self, runs: Sequence[int]) -> int:
        """Simulate some runs, and return the number of runs."""
        for n in self._side_by_side(runs) if self.together else runs:
            if not self.ended.is_set():
                self._alone(n)
        return len(runs)

    def result(self) -> Runs:
        """Return all runs."""
        states, inputs, observables, beside = self._rows
        return Runs(
            t=self._plan.times,
            status=self.status,
            reasons={n: self.reasons[n] for n in sorted(self.reasons)},
            flagged=np.flatnonzero(self.flagged),
            states=states,
            inputs=inputs,
            observables=observables,
            block_signals=beside if self._plan.blocks else None,
            rerun=lambda n: fly_alone(self.wanted.plan(n)),
            pattern=self._pattern,
        )

    def _pattern(self) -> Run:
        """Return a representative run: the first one, not started; with Python code, an already simulated one."""
        if self.together:
            return gatherer(self._loop, self._plan)(at.DONE)
        simulated = np.flatnonzero((self.status != "refused") & (self.status != "stopped"))
        return fly_alone(self.wanted.plan(int(simulated[0])))

    def _alone(self, n: int) -> None:
        """Simulate run n as `simulate` does, and store its rows, status and reason."""
        try:
            run = fly_alone(self.wanted.plan(n))
        except PolhodeError as error:
            self._refuse(n, error)
            return
        if run.status == "stopped":
            raise KeyboardInterrupt
        there = run.t[: self._plan.times.size]
        k = int((there == self._plan.times[: there.size]).sum())  # an early end adds a row at its own time
        tables = (run.states, run.inputs, run.observables, run.block_signals)
        for rows, table in zip(self._rows, tables, strict=True):
            if table is not None:
                rows[n, :k] = table[:k]
        self.status[n], self.flagged[n] = run.status, bool(run.ended.warnings)
        if run.reason:
            self.reasons[n] = run.reason

    def _refuse(self, n: int, error: PolhodeError) -> None:
        self.status[n], self.reasons[n] = "refused", str(error)

    def _side_by_side(self, runs: Sequence[int]) -> list[int]:
        """Simulate runs in compiled code, and return the runs that must be simulated separately."""
        batch = self._batch()
        rows = self.wanted.rows(runs)
        if rows is not None:
            return self._in_rows(batch, np.asarray(runs), rows)
        plans: dict[int, RunSpec] = {}  # by lane
        number: list[int] = []
        left: list[int] = []
        for n in runs:
            try:
                plan = self.wanted.plan(n)
                loop = self._loop if self.wanted.alike else loop_of(plan)
            except PolhodeError as error:
                self._refuse(n, error)
                continue
            if loop is not self._loop and (not flies_together(loop) or kind_of(loop) != batch.kind):
                left.append(n)
                continue
            batch.load(len(number), loop, plan.x)
            self.flagged[n], self._first_fault[n] = bool(unmonitored_motors(loop)), _first_fault(loop, plan)
            plans[len(number)] = plan
            number.append(n)
        if not plans:
            return left
        return left + self._flown(batch, number, plans.__getitem__)

    def _in_rows(self, batch: Batch, runs: NDArray[np.int64], rows: StartRows) -> list[int]:
        """Simulate runs given as arrays; return the runs that must be simulated separately."""
        left: list[int] = []
        for n in runs[~rows.fine].tolist():
            try:
                self.wanted.plan(n)
            except PolhodeError as error:
                self._refuse(n, error)
            else:
                left.append(n)
        number: list[int] = runs[rows.fine].tolist()
        if not number:
            return left
        batch.load_rows(self._loop, rows.x[rows.fine], rows.of_body[rows.fine])
        self.flagged[number] = bool(unmonitored_motors(self._loop))
        self._first_fault[number] = _first_fault(self._loop, self._plan)
        return left + self._flown(batch, number, lambda lane: self.wanted.plan(number[lane]))

    def _flown(self, batch: Batch, number: list[int], plan: Callable[[int], RunSpec]) -> list[int]:
        """Simulate the loaded lanes, store the rows of completed runs, and return the other runs.

        number: run index of each lane; plan: returns the RunSpec of a lane, called only for long runs.
        """
        known = batch.start(range(len(number)))
        done = to_the_end(batch, np.flatnonzero(known).tolist(), plan, steps=self._steps, ended=self.ended)
        kept = self._stored(batch, done, number) if done else set[int]()
        return [n for lane, n in enumerate(number) if lane not in kept]

    def _stored(self, batch: Batch, lanes: list[int], number: list[int]) -> set[int]:
        """Store the rows of completed runs, and return the lanes whose observables are all finite."""
        observables = batch.observe(lanes)
        good: Any = np.isfinite(observables).all(axis=(1, 2))
        kept = [lane for lane, fine in zip(lanes, good, strict=True) if fine]
        runs = [number[lane] for lane in kept]
        states, inputs, seen, beside = self._rows
        states[runs] = np.delete(batch.field("out_x")[kept], self._own, axis=2)
        inputs[runs] = self._loop.acting(self._plan.times, batch.field("out_u")[kept])
        seen[runs] = observables[good]
        if beside.shape[2]:
            beside[runs] = batch.field("out_s")[kept]
        self.status[runs] = "completed"
        clock, count, z = (batch.field(name)[kept] for name in ("clock", "count", "block_z"))
        self.flagged[runs] |= worth_a_word(clock, count) | near_singularities(self._loop, z)
        self.flagged[runs] |= self._first_fault[runs] <= clock[:, at.T]
        return set(kept)

    def _batch(self) -> Batch:
        """Return the batch of this thread, created on first use."""
        if not hasattr(self._threads, "batch"):
            self._threads.batch = Batch(self._loop, self._lanes, follows=self._plan.follows)
        return self._threads.batch


def _first_fault(loop: Loop, plan: RunSpec) -> float:
    """Return the time at which the first fault of a run begins, s; infinite if there are no faults."""
    return min((start for start, _ in known_faults(loop, plan.torques)), default=np.inf)


def _first(wanted: BatchRequest) -> tuple[RunSpec, Loop]:
    """Return the first valid run and its loop; raise the first error if no run is valid."""
    refused: PolhodeError | None = None
    for n in range(wanted.runs):
        try:
            plan = wanted.plan(n)
            written_by(plan)
            return plan, loop_of(plan)
        except PolhodeError as error:
            refused = error if refused is None else refused
    assert refused is not None  # noqa: S101 # at least one run was tried
    raise refused
