"""One closed loop made ready for the engine: every array it works on, and the calls that move it on."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft, TorquePulse
from ...plant.elements.signal import element_signal_table
from ...plant.errors import InputError
from ...plant.formulations.view import View
from ...plant.loads.user_loads import function_name
from ..machine.plain import compiles
from ..machine.raised import collect_raised
from ..results.fault_words import named, quiet, told_apart
from ..steppers.implicit_layout import CODE, META, USER_CODE
from ..steppers.scheme import Scheme
from . import indices as at
from .advance import advance
from .bundle import Rows
from .functions import choose_blocks, chosen, put_codes
from .new_bundle import new_bundle, pulse_columns
from .observe import WIDTH, observe
from .real_time import RealTime
from .tally import spread_of_rows

__all__ = ["Loop"]

Array = NDArray[np.float64]


class Loop:
    """The arrays of one run.

    x: the state at t = 0, without a ledger.
    law: the sampled law.
    reference: what the law follows.
    pulses: scheduled torques.
    scheme: how it is integrated.
    times (n,): output times, ascending, within the run.
    ledger: whether work and impulse are integrated beside the state.
    compiled: whether the compiled engine runs, or the same source as plain Python.
    max_steps: where the run gives up.
    pose_limit: the value of c (see `polhode.sim.engine.pose`) at which the run ends.
    room: for how many output rows there is room before `advance` wants them taken out; for all of them if None.
    blocks: what runs on the clock beside the law.
    view: the formulation in whose states the craft is integrated; they stand behind those of the craft in x.
    real_time: what holds questions to the outside to the clock on the wall; None: they are asked at once.
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
        self.compiled = compiles(compiled)
        self.craft, self.law, self.reference, self.view = craft, law, reference, view
        self.pulses, self.blocks = tuple(pulses), tuple(blocks)
        self.complaint = ""
        self.unseen = ""  # what could not be computed from the rows, in a sentence
        self.raised = ""  # what a compiled function of the user's own raised last
        self.signals = element_signal_table(craft.elements)
        self._told_last: Array | None = None  # the signals of the last row taken out
        self.arrays = new_bundle(
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
            rows=times.size if room is None else min(room, times.size),
            signals=len(self.signals),
            blocks=self.blocks,
            view=view,
        )
        if law is not None:
            plain = not getattr(law, "compiled", True)
            self.arrays.count[at.LAW_MODE] = at.CALLER_LAW if plain and self.compiled else at.COMPILED_LAW
        self.functions = chosen(craft, law, reference, self.arrays, compiled=self.compiled, ask=self._ask, view=view)
        self._asked = [self._in_time(block, named("block", block.kernel, block.name)) for block in self.blocks]
        self._called = choose_blocks(
            self.blocks, self._asked, self.arrays.blocks, self.arrays.block_q, compiled=self.compiled
        )
        addressed = self.compiled and self.arrays.count[at.LAW_MODE] != at.CALLER_LAW
        self._called += put_codes(getattr(law, "calls", ()), self.arrays.q, compiled=addressed)
        if self.compiled:
            from ..machine.compiler import step_address

            if scheme.stepper.entry:
                meta = self.arrays.implicit[META]
                meta[CODE], meta[USER_CODE] = step_address(scheme.stepper.entry), self.functions[2]

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        from ..machine.compiler import table_of

        return table_of(self.functions, self.arrays)

    def advance(self, steps: int) -> int:
        """Move on by at most so many steps.

        steps: the budget of this call -> why it came back; see `polhode.sim.engine.indices`.
        """
        count = self.arrays.count
        count[at.BUDGET] = min(int(count[at.STEPS]) + steps, int(count[at.MAX_STEPS]))
        try:
            if not self.compiled:
                with np.errstate(all="ignore"):  # as compiled: what is not finite is found and told
                    return int(advance(*self.functions, self.arrays))
            return self._advance_compiled()
        except InputError as error:  # what a plain Python law returned; what came before it is kept
            if count[at.STEPS] == 0:
                raise
            self.complaint = str(error)
            return at.BAD_COMMAND

    def make_room(self) -> None:
        """Take it that the output rows were taken out: the next one is the first again."""
        count = self.arrays.count
        count[at.TAKEN] = count[at.KOUT]

    def _advance_compiled(self) -> int:
        from ..machine.compiler import entry_function

        engine, table, b = entry_function("advance_entry"), int(self._table.ctypes.data), self.arrays
        while True:
            with collect_raised() as told:
                status = engine(table)
            self.raised = told[0] if told else ""
            if status == at.NEED_ANSWER:
                self._ask_block(int(b.count[at.ASKED]))
                continue
            if status != at.NEED_COMMAND:
                return status
            self._ask(float(b.clock[at.T]), b.seen, b.r, b.q, b.z, b.command)
            b.count[at.HAVE_COMMAND] = 1

    def _ask(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        """Ask a plain Python law, which may do to its arguments what it likes."""
        assert self.law is not None  # noqa: S101 # only a law is asked for commands
        ask = named("law", self.law.kernel, function_name(getattr(self.law, "function", self.law)))
        self._in_time(self.law, ask)(t, y.copy(), r.copy(), q, z, u)

    def _in_time(self, asked: Law | Block, function: Callable[..., None]) -> Callable[..., None]:
        """A plain Python law or block, held to the clock on the wall if the run is."""
        clock = self.real_time
        if clock is None or getattr(asked, "compiled", True):
            return function

        def ask(t: float, *arguments: Any) -> None:
            with clock.question(t, due=asked.delay or asked.sample):
                function(t, *arguments)

        return ask

    def _ask_block(self, n: int) -> None:
        """Ask a plain Python block, which may do to its arguments what it likes."""
        b = self.arrays
        row = b.blocks[n]
        first, width = int(row[at.BLOCK.inputs]), int(row[at.BLOCK.outputs + 1])
        y = b.inputs[first : first + int(row[at.BLOCK.inputs + 1])].copy()
        self._asked[n](float(b.clock[at.T]), y, np.zeros(0), np.zeros(0), b.answer[:width])
        b.count[at.HAVE_ANSWER] = 1

    def _reference(self, reference: Reference) -> Any:
        if not self.compiled:
            return named("reference", reference.kernel)
        from ..machine.compiler import address_of

        return address_of("reference", reference.kernel)

    def acting(self, t: Array, u: Array) -> Array:
        """Return recorded inputs (..., n, nu) with what shaped torques are at their times in place of their peaks."""
        shown = u
        for n, pulse in enumerate(self.pulses):
            if pulse.turning:
                shown = u.copy() if shown is u else shown
                shown[..., pulse_columns(self.craft, n)] = pulse.at(t)
        return shown

    def with_spread(self, table: Array) -> Array:
        """Return the observables of the rows not taken out yet with least and most of each signal behind them."""
        told = table[:, WIDTH:]
        if not told.size:
            return table
        b = self.arrays
        recorded = min(int(b.count[at.KOUT] - b.count[at.TAKEN]), len(table))
        found = spread_of_rows(b.tally, told, recorded, before=self._told_last)
        self._told_last = told[-1]
        return np.hstack([table, found])

    def observe(self, t: Array, x: Array, u: Array, *, follows: bool, mode: tuple[Array, Array] | None = None) -> Array:
        """Return the observables of a trajectory.

        t (n,): times, s; x (n, nx): states, ledger included; u (n, nu): inputs; follows: whether there is a reference
        to compare with; mode (n,), (n,): of a law with modes the one in force, each of which may follow another, and
        since when -> (n, 14 + signals): see `polhode.sim.engine.observe.COLUMNS`.
        """
        if mode is None or not follows:
            return self._observe(t, x, u, self.reference if follows else None, np.zeros(t.size))
        found = np.zeros((t.size, WIDTH + len(self.signals)))
        numbers, entered = mode
        for number in np.unique(numbers):
            there = numbers == number
            reference, from_entry = getattr(self.law, "followed")(number, self.reference)  # noqa: B009 # of a law with modes
            since = entered[there] if from_entry else np.zeros(int(there.sum()))
            found[there] = self._observe(t[there], x[there], u[there], reference, since)
        return found

    def _observe(self, t: Array, x: Array, u: Array, follows: Reference | None, since: Array) -> Array:
        """The observables where one reference, or none, is followed."""
        b = self.arrays
        _, reference, user = self.functions
        if follows is not None and follows is not self.reference:
            reference = self._reference(follows)
        rows = Rows(
            p=b.p,
            w=np.zeros_like(b.w),
            rq=np.zeros(0) if follows is None else np.array(follows.parameters, dtype=np.float64),
            r=np.zeros_like(b.r),
            t=np.ascontiguousarray(t),
            since=np.ascontiguousarray(since),
            x=np.ascontiguousarray(x),
            u=np.ascontiguousarray(u),
            dx=np.zeros(b.x.size),
            out=np.zeros((t.size, WIDTH + len(self.signals))),
        )
        if self.compiled:
            from ..machine.compiler import entry_function, table_of

            entries = table_of((reference, user), rows)
            with collect_raised():
                entry_function("observe_entry")(entries.ctypes.data)
        else:
            observe(reference, quiet(user), rows)
        self.unseen = self.unseen or told_apart(self, t, x, rows.out)
        return rows.out
