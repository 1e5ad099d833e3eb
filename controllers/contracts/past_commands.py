"""Past commands as states of a compensator."""

import numpy as np
from numpy.typing import NDArray

from ..laws.compensator import Compensator

Array = NDArray[np.float64]


def remember(count: int) -> tuple[Array, Array]:
    """Return the shift register of past commands.

    count: number of stored commands -> shift (3 count, 3 count): matrix that moves each command to the next older slot;
    enter (3 count, 3): matrix that writes the newest command.
    """
    shift, enter = np.zeros((3 * count, 3 * count)), np.zeros((3 * count, 3))
    if count:
        shift[3:, :-3] = np.eye(3 * count - 3)
        enter[:3] = np.eye(3)
    return shift, enter


def with_past_commands(on_measurement: Array, on_past: Array) -> Compensator:
    """Return v = D y + P [past commands], with saturated past commands as states.

    on_measurement (3, 6 + e): D.
    on_past (3, 3 m): P, the gain on the m past commands, newest first, each minus its feed-forward.
    """
    shift, enter = remember(on_past.shape[1] // 3)
    return Compensator(A=shift + enter @ on_past, B=enter @ on_measurement, C=on_past, D=on_measurement, tracking=enter)


def commands_remembered(compensator: Compensator) -> int:
    """Return the number of past commands stored by a compensator that has no other states; otherwise 0."""
    count, other = divmod(compensator.order, 3)
    if other or not count:
        return 0
    made = with_past_commands(compensator.D, compensator.C)
    same = all(np.array_equal(getattr(made, name), getattr(compensator, name)) for name in ("A", "B", "tracking"))
    return count if same else 0
