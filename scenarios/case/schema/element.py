"""Common keys and properties of all elements."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .fields import Table


class ElementTable(Table):
    """One of `[[plant.elements]]`."""

    moves_mass: ClassVar[bool] = True
    """True if the element moves mass in the hub, so that the hub needs a pivot or a mass."""

    bends: ClassVar[bool] = False
    """True if the element has finite-element nodes, which design models do not include directly."""

    needs_magnetic_field: ClassVar[bool] = False
    """True if the magnetic field along an orbit acts on the element."""

    takes_command: ClassVar[bool] = False
    """True if the motors of the element apply the controller's command."""

    steers: ClassVar[bool] = False
    """True if a steering block turns the controller's command into gimbal rates of the element."""

    @property
    def actuators(self) -> int:
        """Number of wheels or gyros that a controller commands."""
        return 0

    @property
    def steering_arguments(self) -> dict[str, Any]:
        """Return the arguments of the steering block; empty if there is none."""
        return {}

    @property
    def speed_loop(self) -> dict[str, float]:
        """Return the arguments of the speed loop of the wheels; empty if there is none."""
        return {}

    @property
    def keeps_direction(self) -> bool:
        """True if a command beyond the motor limits is scaled down without changing its direction."""
        return False

    def envelope(self, assumed: "ElementTable") -> NDArray[np.float64] | None:
        """Return the envelope to which a controller limits its torque; None if there is no such limit.

        assumed: table of the array that the controller assumes.
        """
        del assumed
        return None

    def check_root(self, size: tuple[float, float, float], number: int) -> None:
        """Raise an error if the root is outside a hub of the given size (m); rigid elements have no root."""
