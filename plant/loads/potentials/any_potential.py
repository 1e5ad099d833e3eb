"""Base class of potentials: description, parameters, kernels and requirements on the spacecraft."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...hub.rigid_body import RigidBody


class AnyPotential:
    """Potential with default attributes; each kind is a frozen dataclass in its own file.

    User-defined potentials are called as functions and need no `words`, `kernels` or `pack`.

    Attributes
    ----------
    words : str
        Description, including the article if there is one.
    kernels : tuple of callable
        load(t, x, p, row, w) -> torque (body components) and force at the mass centre (inertial), and
        energy(t, x, p, row, w) -> V, J.
    needs_place : bool
        Whether the potential depends on the position of the mass centre, which then needs a pivot or translation.
    holds_point : bool
        Whether the potential acts at a point of the hub, relative to which the mass centre must be fixed.
    feels_inertia : bool
        Whether the potential depends on the inertia, which must then be updated while elements move.
    has_energy : bool
        Whether torque and force derive from an energy; otherwise the energy is zero.
    work_size : int
        Entries reserved in the workspace; the second parameter of the kernels is then their start in w.
    down : ndarray, shape (3,), or None
        Vector of any length along the force on the mass centre, inertial components, if its direction is the same
        everywhere.
    """

    words: ClassVar[str]
    kernels: ClassVar[tuple[Callable[..., Any], Callable[..., Any]]]
    needs_place: ClassVar[bool] = True
    holds_point: ClassVar[bool] = False
    feels_inertia: ClassVar[bool] = False
    has_energy: ClassVar[bool] = True
    work_size: ClassVar[int] = 0

    @property
    def down(self) -> "NDArray[np.float64] | None":
        """Inertial direction of the force if it is the same everywhere, otherwise None."""
        return None

    @property
    def time_dependent(self) -> bool:
        """True if the potential depends explicitly on time."""
        return False

    @property
    def reads_momentum(self) -> bool:
        """True if the torque depends on the total momentum."""
        return False

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times of jumps or kinks, s; integration steps end there."""
        return ()

    @property
    def extension(self) -> "NDArray[np.float64] | None":
        """Parameters beyond the row; the first parameter of the kernels is then their start in p."""
        return None

    def check_duration(self, duration: float) -> None:
        """Raise InputError if the potential is not valid throughout a run of this duration, s."""

    def check_start(self, position: "NDArray[np.float64]", velocity: "NDArray[np.float64]") -> None:
        """Raise InputError if a translating spacecraft cannot start at a position (m) with a velocity (m/s)."""

    if TYPE_CHECKING:

        def pack(self, body: "RigidBody", *, translation: bool, off_center: bool) -> list[float]:
            """Return up to eleven parameters for the kernels; raise InputError if the spacecraft is unsuitable.

            translation: whether position is a state; off_center: whether an element has weight off the pivot.
            """
            ...

    def pack_damper(self, body: "RigidBody") -> list[float]:
        """Return the parameters of the kernel `spring.damper_load`; empty if there is no damper."""
        del body
        return []
