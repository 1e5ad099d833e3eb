"""Common keys and properties of all elements."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .fields import Table


class ElementTable(Table):
    """One of `[[plant.elements]]`."""

    moves_mass: ClassVar[bool] = True
    """True if mass moves in the hub, which then needs a pivot or a mass."""

    bends: ClassVar[bool] = False
    """True if it has finite-element nodes, which no design model includes directly."""

    takes_command: ClassVar[bool] = False
    """True if its motors apply the command of the controller."""

    @property
    def keeps_direction(self) -> bool:
        """True if a command beyond the reach of its motors is scaled down in its direction."""
        return False

    def envelope(self) -> NDArray[np.float64] | None:
        """Return the torques within reach of its motors, for a `TorqueBasis`; None without a bound."""
        return None

    def check_root(self, size: tuple[float, float, float], number: int) -> None:
        """Raise unless its root is on or in a hub of that size (m); rigid elements have no root."""
