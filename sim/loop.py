"""One closed loop made ready for the engine: every array it works on, and the calls that move it on."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..controllers import Block, Law, Reference
from ..plant import Spacecraft, TorquePulse
from ..plant.dynamics import no_user_loads
from ..plant.elements.branch import in_row_order
from ..plant.elements.signal import element_signal_table
from ..plant.errors import InputError
from ..plant.parameters import AT_ELEMENTS, ELEMENT
from ..plant.user_loads import function_name
from . import indices as at
from .engine.advance import advance
from .engine.blocks import block_code
from .engine.bundle import Rows
from .engine.law import no_law
from .engine.new_bundle import new_bundle, pulse_columns
from .faults import named, quiet, told_apart
from .guards import try_block, try_law
from .observe import WIDTH, observe
from .plain import compiles
from .raised import collect_raised
from .scheme import Scheme
from .steppers.gauss_layout import CODE, META, USER_CODE
from .tally import spread_of_rows

__all__ = ["Loop"]

Array = NDArray[np.float64]


class Loop:
    """The arrays of one run.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    x : numpy.ndarray
        The state at t = 0, without a ledger.
    law : Law or None
        The sampled law.
    reference : Reference
        What the law follows.
    pulses : sequence of TorquePulse
        Scheduled torques.
    scheme : Scheme
        How it is integrated.
    duration : float
        s.
    times : numpy.ndarray, shape (n,)
        Output times, ascending, within the run.
    ledger : bool
        Whether work and impulse are integrated beside the state.
    compiled : bool
        Whether the compiled engine runs, or the same source as plain Python.
    max_steps : int
        Where the run gives up.
    pose_limit : float
        The value of c (see `polhode.sim.pose`) at which the run ends.
    room : int or None
        For how many output rows there is room before `advance` wants them taken out; for all of them if None.
    blocks : sequence of Block
        What runs on the clock beside the law.
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
    ) -> None:
        self.compiled = compiles(compiled)
        self.craft, self.law, self.reference = craft, law, reference
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
        )
        if law is not None:
            plain = not getattr(law, "compiled", True)
            self.arrays.count[at.LAW_MODE] = at.CALLER_LAW if plain and self.compiled else at.COMPILED_LAW
        self._functions = self._choose(craft, law, reference)
        self._asked = [named("block", block.kernel, block.name) for block in self.blocks]
        self._choose_blocks()
        if self.compiled:
            from .compiler import step_address, table_of

            if scheme.stages:
                meta = self.arrays.implicit[META]
                meta[CODE], meta[USER_CODE] = step_address(), self._functions[2]
            self._table = table_of(self._functions, self.arrays)
            self._table_at = int(self._table.ctypes.data)

    def _choose(self, craft: Spacecraft, law: Law | None, reference: Reference) -> tuple[Any, Any, Any]:
        law_kernel: Callable[..., Any] = no_law if law is None else law.kernel
        loads: Callable[..., Any]
        if not self.compiled:
            if law is not None and not getattr(law, "compiled", True):
                law_kernel = self._ask
            own = craft.user_functions
            loads = craft.user_loads() if own else no_user_loads
            return named("law", law_kernel), named("reference", reference.kernel), loads
        from .compiler import address_of

        loads = no_user_loads
        if craft.user_functions:
            from .user_loads import compiled_user_loads

            loads = compiled_user_loads(craft)
        self._address_elements(craft)
        kernel = no_law if self.arrays.count[at.LAW_MODE] == at.CALLER_LAW else law_kernel
        if not kernel.__module__.startswith("polhode."):
            try_law(kernel, y=self.arrays.seen.size, q=self.arrays.q, z=self.arrays.z)
        return address_of("law", kernel), address_of("reference", reference.kernel), address_of("user", loads)

    def _choose_blocks(self) -> None:
        """Put the function of each block where its number stands."""
        b = self.arrays
        for row, block, asked in zip(b.blocks, self.blocks, self._asked, strict=True):
            row[at.BLOCK.caller] = self.compiled and not block.compiled
            if not self.compiled or not block.compiled:
                row[at.BLOCK.code] = block_code(asked)
                continue
            from .compiler import address_of

            y, v = int(row[at.BLOCK.inputs + 1]), int(row[at.BLOCK.outputs + 1])
            try_block(block.name, block.kernel, y=y, q=block.parameters, z=block.memory, v=v)
            row[at.BLOCK.code] = address_of("block", block.kernel)

    def _address_elements(self, craft: Spacecraft) -> None:
        """Put the address of each element's compiled function where its number stands."""
        from .compiler import address_of

        p = self.arrays.p
        row = int(p[AT_ELEMENTS])
        for index in in_row_order(craft.elements):
            p[row + ELEMENT.function] = address_of("element", craft.elements[index].kernel)
            row += int(p[row + ELEMENT.length])

    def advance(self, steps: int) -> int:
        """Move on by at most so many steps.

        Parameters
        ----------
        steps : int
            The budget of this call.

        Returns
        -------
        int
            Why it came back; see `polhode.sim.indices`.
        """
        count = self.arrays.count
        count[at.BUDGET] = min(int(count[at.STEPS]) + steps, int(count[at.MAX_STEPS]))
        try:
            if not self.compiled:
                with np.errstate(all="ignore"):  # as compiled: what is not finite is found and told
                    return int(advance(*self._functions, self.arrays))
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
        from .compiler import entry_function

        engine, b = entry_function("advance_entry"), self.arrays
        while True:
            with collect_raised() as told:
                status = engine(self._table_at)
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
        named("law", self.law.kernel, function_name(getattr(self.law, "function", self.law)))(
            t, y.copy(), r.copy(), q, z, u
        )

    def _ask_block(self, n: int) -> None:
        """Ask a plain Python block, which may do to its arguments what it likes."""
        b = self.arrays
        row = b.blocks[n]
        first, width = int(row[at.BLOCK.inputs]), int(row[at.BLOCK.outputs + 1])
        y = b.inputs[first : first + int(row[at.BLOCK.inputs + 1])].copy()
        self._asked[n](float(b.clock[at.T]), y, np.zeros(0), np.zeros(0), b.answer[:width])
        b.count[at.HAVE_ANSWER] = 1

    def acting(self, t: Array, u: Array) -> Array:
        """Return recorded inputs (n, nu) with what shaped torques are at their times in place of their peaks."""
        shown = u
        for n, pulse in enumerate(self.pulses):
            if pulse.turning:
                shown = u.copy() if shown is u else shown
                shown[:, pulse_columns(n)] = pulse.at(t)
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

    def observe(self, t: Array, x: Array, u: Array, *, follows: bool) -> Array:
        """Return the observables of a trajectory.

        Parameters
        ----------
        t : numpy.ndarray, shape (n,)
            Times, s.
        x : numpy.ndarray, shape (n, nx)
            States, ledger included.
        u : numpy.ndarray, shape (n, nu)
            Inputs.
        follows : bool
            Whether there is a reference to compare with.

        Returns
        -------
        numpy.ndarray, shape (n, 14 + signals)
            See `polhode.sim.observe.COLUMNS`.
        """
        b = self.arrays
        _, reference, user = self._functions
        rows = Rows(
            p=b.p,
            w=np.zeros_like(b.w),
            rq=b.rq if follows else np.zeros(0),
            r=np.zeros_like(b.r),
            t=np.ascontiguousarray(t),
            x=np.ascontiguousarray(x),
            u=np.ascontiguousarray(u),
            dx=np.zeros(b.x.size),
            out=np.zeros((t.size, WIDTH + len(self.signals))),
        )
        if self.compiled:
            from .compiler import entry_function, table_of

            entries = table_of((reference, user), rows)
            with collect_raised():
                entry_function("observe_entry")(entries.ctypes.data)
        else:
            observe(reference, quiet(user), rows)
        self.unseen = self.unseen or told_apart(self, t, x, rows.out)
        return rows.out
