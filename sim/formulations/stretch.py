"""The arrays of a run in a formulation, and one smooth stretch of it at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft, TorquePulse
from ...plant.formulations import Load, RotationModel
from ...plant.frozen import frozen_results
from ...plant.parameters import N_DAMPERS, N_POTENTIALS
from ..memory import require_memory
from ..plain import compiles
from . import advance as at
from .compiled import advance_compiled

__all__ = ["Outcome", "Runner"]

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True)
class Outcome:
    """What a run left behind.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times, s.
    x : numpy.ndarray, shape (n, nx)
        States.
    multiplier : numpy.ndarray, shape (n,)
        What the kernel returned.
    status : int
        How it ended, see `polhode.sim.formulations.advance`.
    now : float
        The time reached, s.
    nearest : float
        Smallest |sin a2| or |cos a2| met.
    """

    t: Array
    x: Array
    multiplier: Array
    status: int
    now: float
    nearest: float


class Runner:
    """Runs a rotation model through the stretches between breakpoints.

    Parameters
    ----------
    model : RotationModel
        The equations.
    craft : Spacecraft or None
        Whose potentials act and in whose state order torques are evaluated.
    load : Load
        What acts all the time.
    pulses : sequence of TorquePulse
        Scheduled torques.
    method : int
        RK4 or RK8.
    project : bool
        Whether the state is put back on its constraints after each step.
    closest : float
        The run ends where |sin a2| or |cos a2| falls below this.
    compiled : bool
        Machine code, or the same source as plain Python.
    """

    def __init__(
        self,
        model: RotationModel,
        craft: Spacecraft | None,
        *,
        load: Load,
        pulses: Sequence[TorquePulse],
        method: int,
        project: bool,
        closest: float,
        compiled: bool,
    ) -> None:
        self.model, self.pulses, self.compiled = model, tuple(pulses), compiles(compiled)
        self.base = load.pack()
        self.packed = np.zeros(0) if craft is None else craft.pack(self.pulses)
        self.work_space = np.zeros(0) if craft is None else craft.work_space()
        self.always = craft is not None and bool(self.packed[N_POTENTIALS] or self.packed[N_DAMPERS])
        self.plan = np.zeros(7, dtype=np.int64)
        self.plan[[at.METHOD, at.PROJECT, at.MIDDLE]] = method, project, model.formulation.middle
        self.clock = np.zeros(6)
        self.clock[[at.CLOSEST, at.NEAREST]] = closest, 1.0

    def run(self, x: Array, stretches: Sequence[tuple[float, float, int]], *, every: int) -> Outcome:
        """Run through all stretches, or as far as the formulation goes.

        Parameters
        ----------
        x : numpy.ndarray, shape (nx,)
            The state at the start.
        stretches : sequence of (float, float, int)
            Start and end of each (s) and its number of steps.
        every : int
            A row for every so many steps; the end of a stretch has one anyway.

        Returns
        -------
        Outcome
            The rows, the first at the start.
        """
        size = x.size
        rows = 1 + sum(-(-steps // every) for _, _, steps in stretches)
        require_memory(8.0 * rows * (size + 2), f"{rows:,} rows of {size + 2} numbers")
        out_t, out_x, out_m = np.zeros(rows), np.zeros((rows, size)), np.zeros(rows)
        u = np.zeros(3 + 4 * len(self.pulses))
        now = x.copy()
        w = self.base.copy()
        work = (self.work_space, np.zeros(7), np.zeros(7), np.zeros((12, size)), np.zeros(size))
        arrays = (self.plan, self.clock, now, self.model.parameters, w, self.base, u, self.packed, *work)
        self.plan[at.ROW] = 0
        status = at.DONE
        for start, stop, steps in stretches:
            self._gates(u, start, stop)
            self.plan[[at.STEPS, at.EVERY, at.EXTERNAL]] = steps, every, self.always or bool(u.any())
            self.clock[[at.START, at.STOP, at.STEP, at.NOW]] = start, stop, (stop - start) / steps, start
            w[:] = self.base
            status = self._advance((*arrays, out_t, out_x, out_m))
            if status != at.DONE:
                break
        n = int(self.plan[at.ROW])
        reached, nearest = float(self.clock[at.NOW]), float(self.clock[at.NEAREST])
        return Outcome(out_t[:n], out_x[:n], out_m[:n], status, reached, nearest)

    def _gates(self, u: Array, start: float, stop: float) -> None:
        middle = 0.5 * (start + stop)
        for port, pulse in enumerate(self.pulses):
            acts = pulse.start <= middle < pulse.stop
            u[3 + 4 * port : 7 + 4 * port] = (1.0, *np.asarray(pulse.components)) if acts else 0.0

    def _advance(self, arrays: Sequence[NDArray[np.float64] | NDArray[np.int64]]) -> int:
        formulation = self.model.formulation
        if self.compiled:
            return advance_compiled(formulation, arrays)
        with np.errstate(all="ignore"):  # as compiled: what is not finite is found and told
            return int(at.advance(formulation.kernel, formulation.leave, formulation.project, *arrays))
