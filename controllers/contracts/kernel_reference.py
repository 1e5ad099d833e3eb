"""Base of references that are defined by a kernel."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import finite
from ...plant.quantity import check_fields

if TYPE_CHECKING:
    from .reference import Reference

Array = NDArray[np.float64]


class KernelReference:
    """A reference defined by its kernel and parameters."""

    def __post_init__(self) -> None:
        """Check the fields whose quantities the class declares, if any."""
        check_fields(self, of="the reference")

    def at(self: "Reference", t: float) -> Array:
        """Return the reference r = [e_ref, omega_ref, alpha_ref] at a time.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (10,)
            Attitude, rate (rad/s) and acceleration (rad/s^2).
        """
        r = np.zeros(10)
        self.kernel(finite("t", t, "s"), self.parameters, r)
        return r
