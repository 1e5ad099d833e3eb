"""The arrays of a flexible satellite's run, and one stretch of it at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.flexible import FlexibleSatellite
from ...plant.flexible.packing import Workspace
from ...plant.flexible.quantities import tip_deflection
from ..memory import require_memory
from ..plain import compiles
from . import advance as at
from .scheme import gauss_scheme
from .spread import CELLS, SPREAD

__all__ = ["METHODS", "Stepper"]

Array = NDArray[np.float64]

METHODS = {"gauss4": (at.GAUSS, 2), "midpoint": (at.GAUSS, 1), "rk4": (at.RK4, 2), "rk8": (at.RK8, 2)}


class Stepper:
    """Steps a flexible satellite from stretch to stretch.

    Parameters
    ----------
    satellite : FlexibleSatellite
        What moves.
    x : numpy.ndarray
        State at the start.
    method : str
        A key of METHODS.
    torque : callable
        A kernel torque(t, q, u): the hub's torque in its own axes, beside what is held.
    torque_parameters : array_like
        Its q.
    tolerance : float
        Of the implicit step's iteration, relative to the largest speed.
    rows : int
        How many rows of output there will be.
    compiled : bool
        False runs the same source as plain Python.
    """

    def __init__(
        self,
        satellite: FlexibleSatellite,
        *,
        x: Array,
        method: str,
        torque: Callable[..., Any],
        torque_parameters: ArrayLike,
        tolerance: float,
        rows: int,
        compiled: bool,
    ) -> None:
        code, s = METHODS[method]
        nq, nv = satellite.positions, satellite.degrees
        self.satellite, self.compiled, self.torque = satellite, compiles(compiled), torque
        self.x = np.array(x, dtype=np.float64)
        self.hold = np.zeros(3)
        self.complaint = ""  # what a law or torque of the user's own did wrong
        self._matrix_step = 0.0
        self.taken, self._last = 0, 0
        self.plan = np.zeros(at.PLAN_SIZE, dtype=np.int64)
        self.plan[at.METHOD] = code
        self.clock = np.zeros(at.CLOCK_SIZE)
        self.clock[at.TOLERANCE] = tolerance
        self.report = np.zeros(2)
        require_memory(8.0 * rows * (nq + 2 * nv + 6), f"{rows:,} rows of {nq + 2 * nv + 6} numbers")
        self.out_t, self.out_x, self.out_nu = np.zeros(rows), np.zeros((rows, nq + nv)), np.zeros((rows, nv))
        self.out_e, self.out_u = np.zeros((rows, 2)), np.zeros((rows, 3))
        arms = len(satellite.arms)
        noted = SPREAD * arms + 1
        self.low, self.high, self.swing = np.full(noted, np.inf), np.full(noted, -np.inf), np.zeros(arms)
        self.cells = np.tile(np.array((np.inf, np.inf, -np.inf, -np.inf)), (CELLS, arms))
        self.out_low, self.out_high = np.zeros((rows, noted)), np.zeros((rows, noted))
        self.out_swing = np.zeros((rows, arms))
        slowest = float(satellite.modes(count=7).hertz[0])
        self.clock[at.CELL_LENGTH] = 1.0 / (CELLS * slowest) if slowest > 0.0 else np.inf
        reach = max(arm.length for arm in satellite.arms)
        weights = np.full(nv, reach)
        weights[:3] = 1.0
        k = 6
        for arm in satellite.arms:
            for i in range(arm.elements):
                weights[k + 1 + 7 * i : k + 4 + 7 * i] = 1.0
            k += 1 + 7 * arm.elements
        w, c = Workspace.of(satellite.arms), Workspace.of(satellite.arms, dtype=np.complex128)
        n = w.pose.shape[0]
        pairs = [np.zeros((2, k), dtype=np.complex128) for k in (13, 7, 7, 7)]
        z = np.zeros
        self._arrays = [
            *(self.plan, self.clock, self.x, satellite.parameters, np.array(torque_parameters, dtype=np.float64)),
            *(self.hold, gauss_scheme(s), weights, self.report),
            *(w.pose, w.vel, w.mom, w.frc, w.rho, w.axes, w.rows, w.diag, w.off, w.hub, z(nv), z(nv)),
            *(z((2, 3)), z((12, nq + nv)), z(nq + nv), z((s, nq)), z((s, nq)), z((s, nv)), z((s, nv)), z((s, nv))),
            *(z((14, 14)), z((n, 13)), z(w.rho.shape), *pairs, c.diag, c.off, c.hub, z(nv, dtype=np.complex128)),
            *(self.out_t, self.out_x, self.out_nu, self.out_e, self.out_u),
            *(self.low, self.high, self.cells, self.swing, self.out_low, self.out_high, self.out_swing),
        ]
        self._seen = [a.view(np.float64) if a.dtype == np.complex128 else a for a in self._arrays]

    def run(self, start: float, stop: float, *, steps: int, every: int) -> int:
        """Run from start to stop in equal steps and return how it ended, see `advance`."""
        h = (stop - start) / steps
        if abs(h - self._matrix_step) > 1e-6 * h:
            self.plan[at.MATRIX] = 0
            self.plan[at.GUESS] = 0
            self._matrix_step = h
        self.clock[at.START], self.clock[at.STOP], self.clock[at.STEP] = start, stop, h
        self.plan[at.STEPS], self.plan[at.EVERY] = steps, every
        self.taken += steps
        if self.compiled:
            from .compiled import advance_compiled

            ended, self.complaint = advance_compiled(self.torque, self._seen)
        else:
            ended = int(at.advance(self._arrays[0], self.torque, *self._arrays[1:]))
        self._last = int(self.plan[at.ROW]) - 1
        return ended

    def velocities(self) -> Array:
        """The velocities of the state as it stands: those of the row that ended the last stretch, if there was one."""
        return self.satellite.velocities(self.x) if self.taken == 0 else self.out_nu[self._last]

    def record(self, t: float) -> None:
        """Put the state as it stands into the next row."""
        row, nq = int(self.plan[at.ROW]), self.satellite.positions
        nu = self.satellite.velocities(self.x)
        self.out_t[row], self.out_x[row], self.out_nu[row] = t, self.x, nu
        self.out_e[row] = self.satellite.sweep(self.x[:nq], nu)[2]
        self.torque(t, self._arrays[4], self.out_u[row])
        self.out_u[row] += self.hold
        tips = tip_deflection(self.satellite, self.x[None])[0]
        size = np.sqrt((tips[:, 1:] ** 2).sum(axis=1, keepdims=True))
        now = np.append(np.concatenate((tips, size), axis=1).ravel(), self.out_e[row, 1])
        self.low[:], self.high[:] = now, now
        self.out_low[row], self.out_high[row] = now, now
        across = tips[:, 1:]
        slot = int(t / self.clock[at.CELL_LENGTH]) % CELLS
        self.cells[slot] = np.concatenate((across, across), axis=1).ravel()
        self.plan[at.ROW] = row + 1

    def drop(self) -> None:
        """Take back the last row; what was noted on the way to it belongs to the next."""
        row = int(self.plan[at.ROW]) - 1
        self.low[:], self.high[:] = np.minimum(self.low, self.out_low[row]), np.maximum(self.high, self.out_high[row])
        self.swing[:] = np.maximum(self.swing, self.out_swing[row])
        self.plan[at.ROW] = row
