# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Torque given by a table over time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..checks import choice, numbers
from ..errors import InputError
from ..frozen import frozen_arrays
from ..kernels.fields import fields, three
from ..kernels.kernel import kernel
from ..kernels.rotation import to_body
from ..loads.potentials.any_potential import AnyPotential

if TYPE_CHECKING:
    from ..hub.rigid_body import RigidBody

Array = NDArray[np.float64]

HEAD = fields(rows=1, inertial=1)
"""Number of rows, and whether the components are inertial. The times follow, then rows of three components."""
MOST = 1_000_000
BASES = "body", "inertial"


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class TorqueTable(AnyPotential):
    """External torque from a table over time, interpolated linearly.

    The table must cover the run: if a torque acts only part of the time, add rows of zero torque. Pass this object
    among the `potentials` of a spacecraft. It has no energy. Integration steps end at every row.

    Parameters
    ----------
    t : array_like, shape (n,)
        Times, s, ascending; 2 to 1,000,000.
    torque : array_like, shape (n, 3)
        Components, N m.
    basis : {"body", "inertial"}
        Axes of the components.

    Raises
    ------
    InputError
        When shapes differ, times do not ascend, or a value is not finite.
    """

    words: ClassVar[str] = "the torque of a table"
    needs_place: ClassVar[bool] = False
    has_energy: ClassVar[bool] = False

    t: Array
    torque: Array
    basis: str = "body"

    def __post_init__(self) -> None:
        t, torque = numbers("times of the torque table", self.t, "s"), numbers("torque table", self.torque, "N m")
        if t.ndim != 1 or not 2 <= t.size <= MOST or torque.shape != (t.size, 3):
            raise InputError(
                f"a torque table has 2 to {MOST} times and torques of shape (n, 3); got shapes {t.shape} and "
                f"{torque.shape}"
            )
        steps = np.diff(t)
        if not (steps > 0.0).all():
            row = int(np.flatnonzero(steps <= 0.0)[0]) + 1
            raise InputError(
                f"the times of a torque table must ascend; row {row + 1} is at {t[row]:g} s, the previous row at "
                f"{t[row - 1]:g} s"
            )
        choice("basis", self.basis, BASES)
        object.__setattr__(self, "t", t)
        object.__setattr__(self, "torque", torque)

    @property
    def time_dependent(self) -> bool:
        """True: the torque is a function of time."""
        return True

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times of the rows, s."""
        return tuple(self.t.tolist())

    def check_duration(self, duration: float) -> None:
        """Raise InputError if the table does not cover a run.

        Parameters
        ----------
        duration : float
            Duration of the run, s.

        Raises
        ------
        InputError
            When the first row is later than 0, or the last row is earlier than the end of the run.
        """
        first, last = float(self.t[0]), float(self.t[-1])
        if first > 0.0 or last < duration:
            raise InputError(
                f"the torque table covers {first:g} to {last:g} s, but the run 0 to {duration:g} s: begin and end "
                "the table with rows of zero torque where no torque acts"
            )

    def pack(self, body: "RigidBody", *, translation: bool, off_center: bool) -> list[float]:
        """Return an empty list, since all parameters are in `extension`.

        Parameters
        ----------
        body : RigidBody
            Body on which the torque acts.
        translation : bool
            Whether position is a state.
        off_center : bool
            Whether an element has weight off the pivot.

        Returns
        -------
        list of float
            Empty.
        """
        del body, translation, off_center
        return []

    @property
    def extension(self) -> Array:
        """Parameters of the kernels beyond the row of the potential: `HEAD`, times, torques."""
        head = [float(self.t.size), float(self.basis == "inertial")]
        return np.concatenate([head, self.t, self.torque.ravel()])


@kernel
def torque_table_load(t, x, p, row, w):
    """Return the torque (body) from the table at time t, and zero force."""
    at = int(p[row])
    zero = 0.0 * x[3]
    rows = int(p[at + HEAD.rows])
    first = at + HEAD.size
    if not (t >= p[first] and t <= p[first + rows - 1]):
        return zero, zero, zero, zero, zero, zero
    low, high = 0, rows - 1
    while high - low > 1:
        middle = (low + high) // 2
        if p[first + middle] <= t:
            low = middle
        else:
            high = middle
    n = first + rows + 3 * low
    share = (t - p[first + low]) / (p[first + low + 1] - p[first + low])
    b0, b1, b2 = three(p, n)
    c0, c1, c2 = three(p, n + 3)
    a0, a1, a2 = b0 + share * (c0 - b0) + zero, b1 + share * (c1 - b1) + zero, b2 + share * (c2 - b2) + zero
    if p[at + HEAD.inertial] != 0.0:
        a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], a0, a1, a2)
    return a0, a1, a2, zero, zero, zero


@kernel
def torque_table_energy(t, x, p, row, w):
    """Return zero: the torque has no potential energy."""
    return 0.0 * x[3]


TorqueTable.kernels = torque_table_load, torque_table_energy
