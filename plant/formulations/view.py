# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Integration of a spacecraft in the states of a formulation: interface to the engine.

In x, the states of the formulation come after the states of the spacecraft, and only the former are integrated.
Momentum and Euler parameters remain in x as an image of the formulation's states, so that torques, potentials, user
forces, laws, poses and recorded rows can use them as usual. Like an element, a formulation has one function,
`view(phase, t, x, dx, p, row, w)`:

- SEE      write the image to x: momentum, Euler parameters, and the states of an element that is part of the view
- RATES    on entry, dx holds the rates of the standard equations for this image, so dx[0:3] minus the gyroscopic part
           is the total external torque: write the rates of the formulation's states to dx, and the multiplier to the
           workspace
- PROJECT  project the states onto their constraints, if enabled, and write their image to x; write the removed
           deviation of |e|^2 from 1 to the workspace
- LOCK     write the distance from gimbal lock to the workspace: |sin a2| or |cos a2|; FAR without Euler angles

The rates of the image in dx are not integrated; only the error estimate of dop853 and recorded outputs use them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..hub.element_calls import LOCK, PROJECT, RATES, SEE
from ..hub.parameters import LEDGER, N_STATES, VIEW_ROW, VIEW_WORK, W_V, W_VIEW
from ..kernels.kernel import kernel, table_in
from ..kernels.rotation import to_inertial
from .angle_kernels import lock_distance
from .pieces import BODY, LOAD, applied_torque, inertia_times

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

FAR = 2.0
"""Distance from gimbal lock that a formulation without Euler angles reports."""


@runtime_checkable
class View(Protocol):
    """Protocol of the formulation of a run, as accepted by `polhode.sim.runs.simulate`."""

    @property
    def name(self) -> str:
        """Name of the formulation."""
        ...

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        ...

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the states."""
        ...

    @property
    def multiplier(self) -> str:
        """Expression for the multiplier, N m; empty if there is none."""
        ...

    @property
    def sequence(self) -> str | None:
        """Euler sequence at whose gimbal lock a run ends, or None if there are no Euler angles."""
        ...

    @property
    def project(self) -> bool:
        """True if the states are projected onto their constraints after each step."""
        ...

    @property
    def balanced(self) -> bool:
        """True if the equations conserve momentum and energy, so that a drift is an integration error."""
        ...

    @property
    def kernel(self) -> Callable[..., Any]:
        """Function `view` described in the module docstring."""
        ...

    def numbers(self, craft: "Spacecraft") -> list[float]:
        """Return the parameters after the head of the row; raise InputError for unsupported spacecraft."""
        ...

    def enter(self, craft: "Spacecraft", x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the states of the formulation for a state of the spacecraft."""
        ...

    def words(self) -> str:
        """Return a warning that applies to every run in this formulation, or an empty string."""
        ...


@kernel(inline=True)
def _add_own_load(x, dx, p, row, w):
    """Write the total external torque to the load in the workspace, and add the extra load to dx."""
    v, to = int(p[W_V]), int(p[W_VIEW]) + VIEW_WORK.load
    w0, w1, w2 = w[v], w[v + 1], w[v + 2]
    base = row + VIEW_ROW.size
    for k in range(LOAD.size):
        w[to + k] = p[base + k]
    w[to] += dx[0] - (x[1] * w2 - x[2] * w1)
    w[to + 1] += dx[1] - (x[2] * w0 - x[0] * w2)
    w[to + 2] += dx[2] - (x[0] * w1 - x[1] * w0)
    t0, t1, t2 = applied_torque(table_in(p, base, 1, LOAD.size)[0], x[3], x[4], x[5], x[6])
    dx[0] += t0
    dx[1] += t1
    dx[2] += t2
    if p[LEDGER] != 0.0:
        n = int(p[N_STATES])
        dx[n - 4] += t0 * w0 + t1 * w1 + t2 * w2
        i0, i1, i2 = to_inertial(x[3], x[4], x[5], x[6], t0, t1, t2)
        dx[n - 3] += i0
        dx[n - 2] += i1
        dx[n - 1] += i2


def view_kernel(
    kernel: Callable[..., Any], leave: Callable[..., Any], project: Callable[..., Any], middle: int
) -> Callable[..., Any]:
    """Return the function `view` of a rigid-body formulation, built from its three kernels.

    In p, the additional load (`pieces.LOAD.size`) and the packed body follow the head of the row.
    """

    def view(phase, t, x, dx, p, row, w):
        at, size = int(p[row + VIEW_ROW.at]), int(p[row + VIEW_ROW.states])
        work = int(p[W_VIEW])
        own = table_in(x, at, 1, size)[0]
        body = table_in(p, row + VIEW_ROW.size + LOAD.size, 1, BODY.size)[0]
        if phase in (SEE, PROJECT):
            y = table_in(w, work + VIEW_WORK.seen, 1, 7)[0]
            if phase == PROJECT:
                w[work + VIEW_WORK.drift] = 0.0
                if p[row + VIEW_ROW.project] != 0.0:
                    leave(own, body, y)
                    w[work + VIEW_WORK.drift] = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3] - 1.0
                    project(own)
            leave(own, body, y)
            x[0], x[1], x[2] = inertia_times(body, y[4], y[5], y[6])
            for k in range(4):
                x[3 + k] = y[k]
        elif phase == RATES:
            _add_own_load(x, dx, p, row, w)
            load = table_in(w, work + VIEW_WORK.load, 1, LOAD.size)[0]
            w[work + VIEW_WORK.multiplier] = kernel(own, load, body, table_in(dx, at, 1, size)[0])
        elif phase == LOCK:
            w[work + VIEW_WORK.lock] = FAR
            if middle >= 0:
                w[work + VIEW_WORK.lock] = abs(
                    lock_distance(int(body[BODY.axes]), int(body[BODY.axes + 2]), own[middle])
                )

    # named after its kernel: the engine's library looks the function up by this name
    view.__module__, view.__qualname__ = kernel.__module__, f"{kernel.__qualname__}.view"
    return view
