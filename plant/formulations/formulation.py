"""What a formulation is: the layout of its state and its four kernels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .view import view_kernel

__all__ = ["Formulation"]


@dataclass(frozen=True, kw_only=True)
class Formulation:
    """One way to write the rotation of a rigid body.

    `kernel`, `leave` and `project` are the same source compiled or plain; the first two take complex numbers too.

    - `kernel(x, w, p, dx)` writes dx/dt and returns the multiplier (0 where the formulation has none);
    - `enter(e0, e1, e2, e3, w0, w1, w2, p, x)` writes the state of an attitude and a body rate;
    - `leave(x, p, y)` writes y = (e, omega) of a state;
    - `project(x)` puts a state back on its constraints.

    p and w are the packed body and load, see `polhode.plant.formulations.pieces`. `RotationModel` wraps them, and
    `view` is made from them.

    Attributes
    ----------
    name : str
        By which users choose it.
    title : str
        In words.
    source : str
        Document and equation numbers.
    states : tuple of str
        Names of the states, in order.
    units : tuple of str
        Their units.
    kernel, enter, leave, project : callable
        As above.
    multiplier : str
        What the multiplier is equal to, in the convention of the document, N m; empty where there is none.
    middle : int
        Where the middle Euler angle stands in the state; -1 where the states are no Euler angles.
    """

    name: str
    title: str
    source: str
    states: tuple[str, ...]
    units: tuple[str, ...]
    kernel: Callable[..., Any]
    enter: Callable[..., Any]
    leave: Callable[..., Any]
    project: Callable[..., Any]
    multiplier: str = ""
    middle: int = -1

    @cached_property
    def view(self) -> Callable[..., Any]:
        """The one function by which the engine calls it, see `polhode.plant.formulations.view`."""
        return view_kernel(self.kernel, self.leave, self.project, self.middle)

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.states)

    @property
    def has_angles(self) -> bool:
        """Whether the attitude is three Euler angles, which need a sequence and have a gimbal lock."""
        return self.middle >= 0
