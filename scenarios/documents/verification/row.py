"""Row of the verification table: computed value and reference of a system or equation group."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.frozen import frozen_arrays

Kind = Literal["published", "closed form", "independent", "consistency"]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Row:
    """A computed value and its reference.

    There are four kinds of reference. "published" is a value printed in a document. "closed form" is a formula coded in
    the table or evaluated elsewhere. "independent" is a value from a different code or formulation. "consistency"
    compares two parts of polhode, which may share an error.

    Parameters
    ----------
    equations : str
        Equations, figure or table of the document.
    system : str
        Description of the system.
    where : str
        The case or function that implements it.
    reached : array_like
        Value computed by polhode.
    expected : array_like
        Reference value.
    kind : str
        Kind of the reference.
    tolerance : array_like
        Largest difference allowed: one value for all entries, or one per entry if their units or magnitudes differ.
    unit : str
        Unit of computed value, reference value and tolerance.
    note : str
        Explanation of a difference between document and polhode; empty when they agree.
    """

    equations: str
    system: str
    where: str
    reached: ArrayLike
    expected: ArrayLike
    kind: Kind
    tolerance: ArrayLike
    unit: str = ""
    note: str = field(default="")

    @property
    def nearest(self) -> tuple[float, float]:
        """Difference and tolerance of the entry with the largest ratio of difference to tolerance.

        The difference is infinite if a value is missing.
        """
        difference: NDArray[np.float64] = np.abs(
            np.asarray(self.reached, dtype=np.float64) - np.asarray(self.expected, dtype=np.float64)
        )
        allowed = np.broadcast_to(np.asarray(self.tolerance, dtype=np.float64), difference.shape)
        known = np.isfinite(difference)
        if not known.all():
            return float("inf"), float(allowed[~known].min())
        worst = int((difference / allowed).argmax())
        return float(difference.flat[worst]), float(allowed.flat[worst])

    @property
    def met(self) -> bool:
        """True if every difference is within its tolerance."""
        deviation, tolerance = self.nearest
        return deviation <= tolerance

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns
        -------
        dict
            Every field and the verdict; deviation and tolerance belong to the entry closest to its tolerance.
        """
        deviation, tolerance = self.nearest
        return {
            "equations": self.equations,
            "system": self.system,
            "where": self.where,
            "reached": np.asarray(self.reached, dtype=np.float64).tolist(),
            "expected": np.asarray(self.expected, dtype=np.float64).tolist(),
            "kind": self.kind,
            "deviation": deviation if np.isfinite(deviation) else None,
            "tolerance": tolerance,
            "unit": self.unit,
            "met": self.met,
            "note": self.note or None,
        }
