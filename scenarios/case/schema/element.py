"""What the tables of all elements have in common, and what a case asks of any of them."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .fields import Table

__all__ = ["ElementTable"]


class ElementTable(Table):
    """One of `[[plant.elements]]`."""

    moves_mass: ClassVar[bool] = True
    """Whether mass moves in the hub, which then has to be held or given a mass."""

    bends: ClassVar[bool] = False
    """Whether it has nodes of its own, which no law is designed on as they are."""

    takes_command: ClassVar[bool] = False
    """Whether its motors give the torque that the controller asks for."""

    @property
    def keeps_direction(self) -> bool:
        """Whether a command beyond what its motors reach is shortened as a whole."""
        return False

    def envelope(self) -> NDArray[np.float64] | None:
        """Return the torques within reach of its motors, for a `TorqueBasis`; None where they set no bound."""
        return None

    def check_root(self, size: tuple[float, float, float], number: int) -> None:
        """Raise unless it begins on or in a hub of that size (m); what does not bend needs no root."""
