# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""A craft integrated in the states of a formulation: what the engine asks of it, and how it is called.

The states of the formulation stand behind those of the craft in x, and are what moves. Momentum and Euler parameters
stay where they are in x as the image of these states, so that torques, potentials, efforts, laws, poses and rows read
them there as of any craft. The engine calls one function, as it calls an element, `view(phase, t, x, dx, p, row, w)`:

- SEE      write the image into x: momentum, Euler parameters, and the states of an element that is part of the view
- RATES    dx holds the rates the craft itself would have in this image, so that dx[0:3] less the gyroscopic part is
           all torque from outside: write the rates of the formulation's states, and the multiplier into the work space
- PROJECT  put the states back on their constraints, if that is wanted, and write their image into x; how far |e|^2 was
           from 1, taken off now, into the work space
- LOCK     write how far from gimbal lock they are into the work space: |sin a2| or |cos a2|; FAR without angles

The rates of the image in dx are not used to move it. They weigh the error of dop853, and what is observed.
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

__all__ = ["FAR", "View", "view_kernel"]

FAR = 2.0
"""A distance from gimbal lock that no Euler angles have."""


@runtime_checkable
class View(Protocol):
    """What `polhode.sim.simulate` takes as the formulation of a run."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def states(self) -> tuple[str, ...]:
        """The names of its states, in order."""
        ...

    @property
    def units(self) -> tuple[str, ...]:
        """Their units."""
        ...

    @property
    def multiplier(self) -> str:
        """What its multiplier is equal to, N m; empty where it has none."""
        ...

    @property
    def sequence(self) -> str | None:
        """The Euler sequence, at whose gimbal lock a run ends; None without Euler angles."""
        ...

    @property
    def project(self) -> bool:
        """Whether the states are put back on their constraints after each step."""
        ...

    @property
    def balanced(self) -> bool:
        """Whether its equations keep momentum and energy, so that a drift is an error of integration."""
        ...

    @property
    def kernel(self) -> Callable[..., Any]:
        """The function above."""
        ...

    def numbers(self, craft: "Spacecraft") -> list[float]:
        """Return what its kernel reads behind the head of its row in p; refuse a craft it cannot describe."""
        ...

    def enter(self, craft: "Spacecraft", x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return its states for a state of the craft."""
        ...

    def words(self) -> str:
        """Return what a user must know of every run in it; empty where there is nothing."""
        ...


@kernel(inline=True)
def _add_own_load(x, dx, p, row, w):
    """Put all torque from outside into the load of the work space, and count what of it is the formulation's own."""
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
    """Return the function above for a formulation of a rigid body: one for each, made from its three kernels.

    Behind the head of its row in p stand its own load (`pieces.LOAD.size`) and the packed body.
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

    # named after what it is made from: by that name it is in the engine's library
    view.__module__, view.__qualname__ = kernel.__module__, f"{kernel.__qualname__}.view"
    return view
