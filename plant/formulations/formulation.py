"""Definition of a formulation: layout of its states, and its four functions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .view import view_kernel


@dataclass(frozen=True, kw_only=True)
class Formulation:
    """Formulation of the rotation of a rigid body.

    `kernel`, `leave` and `project` run compiled or as plain Python; `kernel` and `leave` also accept complex numbers.

    - `kernel(x, w, p, dx)` writes dx/dt and returns the multiplier (0 if there is none);
    - `enter(e0, e1, e2, e3, w0, w1, w2, p, x)` writes the state x for an attitude and a body rate;
    - `leave(x, p, y)` writes y = (e, omega) for a state x;
    - `project(x)` projects a state onto its constraints.

    p and w are the packed body and load; see `polhode.plant.formulations.pieces`. `RotationModel` wraps these
    functions, and `view` is built from them.

    Attributes
    ----------
    name : str
        Name by which users select the formulation.
    title : str
        Descriptive title.
    source : str
        Document and equation numbers.
    states : tuple of str
        Names of the states.
    units : tuple of str
        Units of the states.
    kernel, enter, leave, project : callable
        Functions as described above.
    multiplier : str
        Expression for the multiplier in the convention of the source, N m; empty if there is none.
    middle : int
        Index of the middle Euler angle in the state; -1 if the state has no Euler angles.
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
        """Single function that the engine calls; see `polhode.plant.formulations.view`."""
        return view_kernel(self.kernel, self.leave, self.project, self.middle)

    @property
    def size(self) -> int:
        """Number of states."""
        return len(self.states)

    @property
    def has_angles(self) -> bool:
        """True if the states contain Euler angles, which require a sequence and have a gimbal lock."""
        return self.middle >= 0
