"""One closed loop made ready for the engine: every array it works on, and the calls that move it on."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..controllers import Law, Reference
from ..plant import Spacecraft, TorquePulse
from ..plant.dynamics import no_user_loads
from ..plant.elements.branch import in_row_order
from ..plant.elements.signal import element_signal_table
from ..plant.errors import InputError
from ..plant.packing import work_length
from ..plant.parameters import AT_ELEMENTS, LEDGER_SIZE
from ..plant.user_loads import function_name
from . import indices as at
from .engine import advance, no_law
from .error_floors import error_floors
from .faults import named, quiet, told_apart
from .guards import try_law
from .memory import require_memory
from .observe import WIDTH, observe
from .plain import compiles
from .pose import FAR
from .raised import collect_raised
from .scheme import Scheme
from .steppers.gauss_layout import CODE, META, USER_CODE, implicit_table
from .tally import new_tally, spread_of_rows

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
    ) -> None:
        self.compiled = compiles(compiled)
        self.craft, self.law, self.reference = craft, law, reference
        self.pulses = tuple(pulses)
        self.complaint = ""
        self.unseen = ""  # what could not be computed from the rows, in a sentence
        self.raised = ""  # what a compiled function of the user's own raised last
        self.p = craft.pack(pulses, ledger=ledger)
        self.x = np.concatenate([x, np.zeros(LEDGER_SIZE if ledger else 0)])
        self.u = np.zeros(3 + 4 * len(pulses))
        self.q = np.zeros(0) if law is None else np.array(law.parameters, dtype=np.float64)
        self.z = np.zeros(0) if law is None else np.array(law.memory, dtype=np.float64)
        self.rq = np.array(reference.parameters, dtype=np.float64)
        self.r = np.zeros(10)
        self.seen = np.zeros(x.size + 3)
        self.command = np.zeros(3)
        under_way = 0 if law is None else int(law.delay / law.sample)
        self.queue = np.zeros((under_way + 2, 3))
        self.limits = craft.torques.saturation()
        self.schedule = np.array(
            [[pulse.start, pulse.stop, *np.asarray(pulse.components)] for pulse in pulses], dtype=np.float64
        ).reshape(len(pulses), 5)
        jumps = [np.asarray(effort.breakpoints, dtype=np.float64) for effort in craft.efforts]
        self.edges = np.unique(np.concatenate([self.schedule[:, 0], self.schedule[:, 1], *jumps]))
        # A pulse that is on before t = 0 is switched on there, by an edge that lies in the past.
        self.floors = error_floors(craft)
        self.implicit = implicit_table(craft, self.x.size, scheme.stages)
        self.signals = element_signal_table(craft.elements)
        self.work = np.zeros((25, self.x.size))
        self.w = np.zeros(work_length(craft, signals=len(self.signals)))
        self.out_t = times
        rows = times.size if room is None else min(room, times.size)
        width = self.x.size + self.u.size + WIDTH + 3 * len(self.signals)
        require_memory(8.0 * rows * width, f"{rows:,} rows of {width} numbers")
        self.out_x = np.zeros((rows, self.x.size))
        self.out_u = np.zeros((rows, self.u.size))
        self._told_last: Array | None = None  # the signals of the last row taken out
        self.tally = new_tally(len(self.signals), rows)
        self.clock = np.zeros(at.CLOCK_SIZE)
        self.count = np.zeros(at.COUNT_SIZE, dtype=np.int64)
        self._set_clock(craft, law, pulses, scheme, duration, max_steps, pose_limit)
        self._functions = self._choose(craft, law, reference)
        self._arrays: tuple[Any, ...] = (
            self.x, self.u, self.p, self.q, self.rq, self.z, self.r, self.seen, self.command, self.queue, self.limits,
            self.edges, self.schedule, self.clock, self.count, self.floors, self.work, self.w, self.out_t, self.out_x,
            self.out_u, self.tally, self.implicit,
        )  # fmt: skip
        if self.compiled:
            from .compiler import step_address, table_of

            if scheme.stages:
                self.implicit[META, CODE], self.implicit[META, USER_CODE] = step_address(), self._functions[2]
            self._table = table_of(self._functions, self._arrays)
            self._table_at = int(self._table.ctypes.data)

    def _set_clock(
        self,
        craft: Spacecraft,
        law: Law | None,
        pulses: Sequence[TorquePulse],
        scheme: Scheme,
        duration: float,
        max_steps: int,
        pose_limit: float,
    ) -> None:
        clock, count = self.clock, self.count
        clock[at.T_END] = duration
        clock[at.SAMPLE] = 0.0 if law is None else law.sample
        clock[at.DELAY] = 0.0 if law is None else law.delay
        clock[at.STEP] = np.inf if scheme.step is None else scheme.step
        clock[at.RTOL] = scheme.rtol
        clock[at.CLOSEST_HARD] = clock[at.CLOSEST_SOFT] = FAR
        clock[at.POSE_LIMIT] = pose_limit
        count[at.METHOD] = scheme.method
        count[at.N_OUT] = self.out_t.size
        count[at.MAX_STEPS] = max_steps
        count[at.FRESH] = 1
        count[at.EVENT_PORT] = -1
        bases = [craft.torques, *(pulse.basis for pulse in pulses)]
        count[at.WATCH] = any(basis.sequence is not None for basis in bases)
        if law is not None:
            plain = not getattr(law, "compiled", True)
            count[at.LAW_MODE] = at.CALLER_LAW if plain and self.compiled else at.COMPILED_LAW

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
        kernel = no_law if self.count[at.LAW_MODE] == at.CALLER_LAW else law_kernel
        if not kernel.__module__.startswith("polhode."):
            try_law(kernel, y=self.seen.size, q=self.q, z=self.z)
        return address_of("law", kernel), address_of("reference", reference.kernel), address_of("user", loads)

    def _address_elements(self, craft: Spacecraft) -> None:
        """Put the address of each element's compiled function where its number stands."""
        from .compiler import address_of

        row = int(self.p[AT_ELEMENTS])
        for index in in_row_order(craft.elements):
            self.p[row] = address_of("element", craft.elements[index].kernel)
            row += int(self.p[row + 1])

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
        self.count[at.BUDGET] = min(int(self.count[at.STEPS]) + steps, int(self.count[at.MAX_STEPS]))
        try:
            if not self.compiled:
                with np.errstate(all="ignore"):  # as compiled: what is not finite is found and told
                    return int(advance(*self._functions, *self._arrays))
            return self._advance_compiled()
        except InputError as error:  # what a plain Python law returned; what came before it is kept
            if self.count[at.STEPS] == 0:
                raise
            self.complaint = str(error)
            return at.BAD_COMMAND

    def make_room(self) -> None:
        """Take it that the output rows were taken out: the next one is the first again."""
        self.count[at.TAKEN] = self.count[at.KOUT]

    def _advance_compiled(self) -> int:
        from .compiler import entry_function

        engine = entry_function("advance_entry")
        while True:
            with collect_raised() as told:
                status = engine(self._table_at)
            self.raised = told[0] if told else ""
            if status != at.NEED_COMMAND:
                return status
            self._ask(float(self.clock[at.T]), self.seen, self.r, self.q, self.z, self.command)
            self.count[at.HAVE_COMMAND] = 1

    def _ask(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        """Ask a plain Python law, which may do to its arguments what it likes."""
        assert self.law is not None  # noqa: S101 # only a law is asked for commands
        named("law", self.law.kernel, function_name(getattr(self.law, "function", self.law)))(
            t, y.copy(), r.copy(), q, z, u
        )

    def acting(self, t: Array, u: Array) -> Array:
        """Return recorded inputs (n, nu) with what shaped torques are at their times in place of their peaks."""
        shown = u
        for n, pulse in enumerate(self.pulses):
            if pulse.turning:
                shown = u.copy() if shown is u else shown
                shown[:, 4 + 4 * n : 7 + 4 * n] = pulse.at(t)
        return shown

    def with_spread(self, table: Array) -> Array:
        """Return the observables of the rows not taken out yet with least and most of each signal behind them."""
        told = table[:, WIDTH:]
        if not told.size:
            return table
        recorded = min(int(self.count[at.KOUT] - self.count[at.TAKEN]), len(table))
        found = spread_of_rows(self.tally, told, recorded, before=self._told_last)
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
        table = np.zeros((t.size, WIDTH + len(self.signals)))
        rq = self.rq if follows else np.zeros(0)
        _, reference, user = self._functions
        space = np.zeros_like(self.r), np.zeros(self.x.size), np.zeros_like(self.w)
        arrays = (self.p, rq, space[0], t, x, u, *space[1:], table)
        if self.compiled:
            from .compiler import entry_function, table_of

            whole = [np.ascontiguousarray(array) for array in arrays]
            entries = table_of((reference, user), whole)
            with collect_raised():
                entry_function("observe_entry")(entries.ctypes.data)
        else:
            observe(reference, quiet(user), *arrays)
        self.unseen = self.unseen or told_apart(self, t, x, table)
        return table
