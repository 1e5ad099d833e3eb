"""One row of the table: a system or a group of equations, its figure and the reference for it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_arrays

__all__ = ["Row"]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Row:
    """A figure that polhode reaches, beside the one it must reach.

    Parameters
    ----------
    equations : str
        The document's equations, figure or table.
    system : str
        What it is about.
    where : str
        The case or function that implements it.
    reached : array_like
        What polhode computes, now.
    expected : array_like
        What a closed form, an independent integration or the document says.
    tolerance : float
        The largest difference allowed.
    unit : str
        Of all three.
    note : str
        Where document and polhode differ: which is right, and why. Empty where they agree.
    """

    equations: str
    system: str
    where: str
    reached: ArrayLike
    expected: ArrayLike
    tolerance: float
    unit: str = ""
    note: str = field(default="")

    @property
    def deviation(self) -> float:
        """The largest difference between the two; infinite where a number is missing."""
        difference: NDArray[np.float64] = np.abs(
            np.asarray(self.reached, dtype=np.float64) - np.asarray(self.expected, dtype=np.float64)
        )
        return float(difference.max()) if np.isfinite(difference).all() else float("inf")

    @property
    def met(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.deviation <= self.tolerance

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns
        -------
        dict
            Every field, the deviation and the verdict.
        """
        return {
            "equations": self.equations,
            "system": self.system,
            "where": self.where,
            "reached": np.asarray(self.reached, dtype=np.float64).tolist(),
            "expected": np.asarray(self.expected, dtype=np.float64).tolist(),
            "deviation": self.deviation if np.isfinite(self.deviation) else None,
            "tolerance": self.tolerance,
            "unit": self.unit,
            "met": self.met,
            "note": self.note or None,
        }
