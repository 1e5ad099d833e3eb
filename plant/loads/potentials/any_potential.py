"""What a potential says of itself: its words, its numbers, its kernels, and what it needs of a craft."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...hub.rigid_body import RigidBody

__all__ = ["AnyPotential"]


class AnyPotential:
    """A potential, with what is usual of them; each kind is a frozen dataclass in a file of its own.

    `words`, `kernels` and `pack` are not for those of the user's own, which are called as functions.

    Attributes
    ----------
    words : str
        What it is, with its article where it has one.
    kernels : tuple of callable
        load(t, x, p, row, w) -> torque (body components), and force at the mass centre (inertial); and
        energy(t, x, p, row, w) -> V, J.
    needs_place : bool
        Whether it depends on where the mass centre is, which then has to be held or to translate.
    holds_point : bool
        Whether it acts at a point of the hub, from which the mass centre must not wander.
    feels_inertia : bool
        Whether it acts on the inertia, which then has to be known as elements move.
    down : ndarray, shape (3,), or None
        The one direction in which it pulls the mass centre wherever it is, inertial components, of any length.
    """

    words: ClassVar[str]
    kernels: ClassVar[tuple[Callable[..., Any], Callable[..., Any]]]
    needs_place: ClassVar[bool] = True
    holds_point: ClassVar[bool] = False
    feels_inertia: ClassVar[bool] = False

    @property
    def down(self) -> "NDArray[np.float64] | None":
        """Where it pulls: None unless that is one direction everywhere."""
        return None

    @property
    def time_dependent(self) -> bool:
        """Whether it changes in time by itself."""
        return False

    def check_duration(self, duration: float) -> None:
        """Raise InputError when it has no meaning within a run so long, s."""

    if TYPE_CHECKING:

        def pack(self, body: "RigidBody", *, translation: bool, off_center: bool) -> list[float]:
            """Return up to eleven numbers as its kernels read them; raise InputError where it does not fit the craft.

            translation: whether position is a state; off_center: whether an element puts weight off the pivot.
            """
            ...

    def pack_damper(self, body: "RigidBody") -> list[float]:
        """Return the numbers that `damper_load` of `spring` reads; empty without a damper."""
        del body
        return []
