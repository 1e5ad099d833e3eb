"""Closed loop of a run: its arrays, and the calls that advance it."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft, TorquePulse
from ...plant.elements.signal import element_signal_table
from ...plant.errors import InputError
from ...plant.formulations.view import View
from ...plant.loads.user_loads import function_name
from ..codegen.library import has_library
from ..codegen.raised import collect_raised
from ..results.fault_words import named
from . import indices as at
from .addresses import entry_function, step_address
from .extremes import start_tally
from .functions import choose_blocks, chosen, put_codes
from .loop_arrays import LoopArrays
from .new_loop_arrays import new_loop_arrays, own_numbers, pulse_columns
from .real_time import RealTime
from .start_cache import Alike, alike, keep, known
from .steppers.implicit_layout import CODE, META, USER_CODE
from .steppers.scheme import Scheme
from .trial_call import try_law

Array = NDArray[np.float64]

_QUESTIONS = (at.NEED_COMMAND, at.NEED_ANSWER)


class Loop:
    """Closed loop of one run: its arrays and functions.

    The arrays are stored in `arena`; in a batch, `arrays` are a copy stored in a lane.

    x: the state at t = 0, excluding the ledger.
    law: the sampled law.
    reference: the reference of the law.
    pulses: scheduled torques.
    scheme: integrator, step and tolerance.
    times (n,): ascending output times within the run, s.
    ledger: whether work and impulse are integrated along with the state.
    compiled: True for the compiled engine, False for the same source as plain Python.
    max_steps: largest number of steps.
    pose_limit: the value of c (see `polhode.sim.engine.pose`) at which the run ends.
    room: number of output rows in memory, after which `advance` returns so that they can be removed; None: all rows.
    blocks: sampled blocks in addition to the law.
    view: formulation whose states are integrated; these follow the states of the spacecraft in x.
    real_time: synchronises external calls with wall-clock time; None: calls are made without waiting.
    """

    def __init__(
        self,
        craft: Spacecraft,
        x: Array,
        law: Law | None,
        reference: Reference,
        *,
        pulses: Sequence[TorquePulse],
        scheme: Scheme,
        duration: float,
        times: Array,
        ledger: bool,
        compiled: bool,
        max_steps: int,
        pose_limit: float,
        room: int | None = None,
        blocks: Sequence[Block] = (),
        view: View | None = None,
        real_time: RealTime | None = None,
    ) -> None:
        self.real_time = real_time
        self.compiled = compiled and has_library()
        self.craft, self.law, self.reference, self.view = craft, law, reference, view
        self.pulses, self.blocks = tuple(pulses), tuple(blocks)
        self.complaint = ""
        self.unseen = ""  # sentence about observables that could not be computed
        self.raised = ""  # last exception of a compiled user-defined function
        self.signals = element_signal_table(craft.elements)
        self.told_last: Array | None = None  # signals of elements in the last row taken out
        self._python_functions: list[Callable[..., None]] = []
        self._called: list[Callable[..., Any]] = []
        rows = times.size if room is None else min(room, times.size)
        by_caller = self.compiled and not getattr(law, "compiled", True)
        kind: Alike | None = None
        if self.compiled and not (self.pulses or self.blocks or view):
            own = (*own_numbers(craft, law, reference), times, x)
            kind = alike(
                law, reference, own, by_caller=by_caller, scheme=scheme, duration=duration, ledger=ledger,
                max_steps=max_steps, pose_limit=pose_limit, rows=rows,
            )  # fmt: skip
            begun = known(craft, kind)
            if begun is not None:
                self.arena, self.functions = begun.pattern.arena(own), begun.functions
                self.arrays: LoopArrays = self.arena.arrays
                start_tally(self.arrays.tally, len(self.signals))
                self._try(law, by_caller=by_caller)
                return
        self.arena = new_loop_arrays(
            craft,
            x,
            law,
            reference,
            pulses=self.pulses,
            scheme=scheme,
            duration=duration,
            times=times,
            ledger=ledger,
            max_steps=max_steps,
            pose_limit=pose_limit,
            rows=rows,
            signals=len(self.signals),
            blocks=self.blocks,
            view=view,
        )
        self.arrays = self.arena.arrays
        if law is not None:
            self.arrays.count[at.LAW_MODE] = at.CALLER_LAW if by_caller else at.COMPILED_LAW
        self._try(law, by_caller=by_caller)
        self.functions = chosen(
            craft, law, reference, self.arrays, compiled=self.compiled, call_law=self._call_law, view=view
        )
        self._python_functions += [
            self._in_time(block, named("block", block.kernel, block.name)) for block in self.blocks
        ]
        self._called += choose_blocks(
            self.blocks, self._python_functions, self.arrays.blocks, self.arrays.block_q, compiled=self.compiled
        )
        self._called += put_codes(getattr(law, "calls", ()), self.arrays.q, compiled=self.compiled and not by_caller)
        if self.compiled and scheme.stepper.entry:
            meta = self.arrays.implicit[META]
            meta[CODE], meta[USER_CODE] = step_address(scheme.stepper.entry), self.functions[2]
        keep(craft, kind, self.arena, self.functions)

    def _try(self, law: Law | None, *, by_caller: bool) -> None:
        """Raise InputError if a compiled user-defined law exceeds the bounds of its arrays."""
        if law is None or by_caller or not self.compiled:
            return
        if str(getattr(law.kernel, "__module__", "")).startswith("polhode."):
            return
        b = self.arrays
        try_law(law.kernel, y=b.seen.size, q=b.q, z=b.z)

    def advance(self, steps: int) -> int:
        """Advance by at most the given number of steps.

        steps: the budget of this call -> stop code; see `polhode.sim.engine.indices`.
        """
        count = self.arrays.count
        count[at.BUDGET] = min(count.item(at.STEPS) + steps, count.item(at.MAX_STEPS))
        try:
            if not self.compiled:
                from .advance import advance

                with np.errstate(all="ignore"):  # as in compiled code: non-finite values are detected and reported
                    return int(advance(*self.functions, self.arrays))
            return self._advance_compiled()
        except InputError as error:  # from the output of a plain Python law; earlier rows are kept
            if count[at.STEPS] == 0:
                raise
            self.complaint = str(error)
            return at.BAD_COMMAND

    def make_room(self) -> None:
        """Record that the output rows were taken out: the next row is stored at index 0."""
        count = self.arrays.count
        count[at.TAKEN] = count[at.KOUT]

    def _advance_compiled(self) -> int:
        engine, table = entry_function("advance_entry"), self.arena.table(self.functions)
        listening = collect_raised()
        with listening as texts:
            status = engine(table)
            if status in _QUESTIONS:
                status = self._answer_calls(status, engine, table, listening)
            self.raised = texts[0] if texts else ""
        return status

    def _answer_calls(self, status: int, engine: Callable[[int], int], table: int, listening: collect_raised) -> int:
        """Call the plain Python law and blocks at their samples until the engine stops for another reason."""
        b, texts = self.arrays, listening.texts
        now, seen, r, q, z, command = b.clock.item, b.seen, b.r, b.q, b.z, b.command  # looked up once for all samples
        have = memoryview(cast("Any", b.count))
        law = self._plain_law if b.count[at.LAW_MODE] == at.CALLER_LAW else None
        while status in _QUESTIONS:
            listening.paused = True  # a Python function may call other compiled functions
            if status == at.NEED_ANSWER or law is None:
                self._call_block(int(b.count[at.CALLED_BLOCK]))
            else:
                law(now(at.T), seen.copy(), r.copy(), q, z, command)
                have[at.HAVE_COMMAND] = 1
            listening.paused = False
            if texts:
                texts.clear()
            status = engine(table)
        return status

    def _call_law(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        """Call a plain Python law with copies of its inputs, since it may modify them."""
        self._plain_law(t, y.copy(), r.copy(), q, z, u)

    @cached_property
    def _plain_law(self) -> Callable[..., None]:
        law = self.law
        assert law is not None  # noqa: S101 # only called with a law
        return self._in_time(law, named("law", law.kernel, function_name(getattr(law, "function", law))))

    def _in_time(self, sampled: Law | Block, function: Callable[..., None]) -> Callable[..., None]:
        """Return a plain Python law or block, synchronised with wall-clock time in a real-time run."""
        clock = self.real_time
        if clock is None or getattr(sampled, "compiled", True):
            return function

        times = (
            (sampled.clock.delay, sampled.clock.period)
            if isinstance(sampled, Block)
            else (sampled.delay, sampled.sample)
        )

        def checked(t: float, *arguments: Any) -> None:
            with clock.question(t, due=times[0] or times[1]):
                function(t, *arguments)

        return checked

    def _call_block(self, n: int) -> None:
        """Call a plain Python block with copies of its inputs, since it may modify them."""
        b = self.arrays
        row = b.blocks[n]
        first, width = int(row[at.BLOCK.inputs]), int(row[at.BLOCK.outputs + 1])
        y = b.inputs[first : first + int(row[at.BLOCK.inputs + 1])].copy()
        self._python_functions[n](float(b.clock[at.T]), y, np.zeros(0), np.zeros(0), b.answer[:width])
        b.count[at.HAVE_ANSWER] = 1

    def acting(self, t: Array, u: Array) -> Array:
        """Return recorded inputs (..., n, nu) with shaped torques evaluated at t instead of their peaks."""
        shown = u
        for n, pulse in enumerate(self.pulses):
            if pulse.turning:
                shown = u.copy() if shown is u else shown
                shown[..., pulse_columns(self.craft, n, pulse)] = pulse.at(t)
        return shown
