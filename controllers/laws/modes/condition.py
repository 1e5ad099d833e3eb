"""Condition of a transition between modes: a quantity is beyond a threshold for some time."""

from dataclasses import dataclass
from math import pi

from ....plant.checks import finite, non_negative
from ....plant.errors import InputError

KNOWN = {"time": "s", "elapsed": "s", "rate": "rad/s", "rate_error": "rad/s", "attitude_error": "rad"}
"""Quantities that every mode provides, and their units; any other name is a signal of the run."""

_NEVER_NEGATIVE = tuple(KNOWN)


@dataclass(frozen=True, init=False)
class Condition:
    """Condition that a quantity is below or above a threshold for an uninterrupted time.

    Parameters
    ----------
    quantity : str
        "time" (of the run, s), "elapsed" (since entry into the mode, s), "rate" (magnitude of the body rate, rad/s),
        "rate_error" (magnitude of the difference between body rate and reference rate, rad/s), or "attitude_error"
        (angle from the reference, rad). Rates and attitude are the values that the mode's law measures. Any other name
        is a signal of the plant or a block. The Euclidean norm of a signal with three components, such as
        "attitude_sigma", is compared. "gyro.x" is a component, "nis.2" the second component, and "star_tracker.valid"
        the validity flag (1 or 0) of the last message of a sensor.
    below, above : float, optional
        Threshold in the unit of the quantity; give exactly one of the two.
    release : float, optional
        Hysteresis: once met, the condition holds until the quantity passes this value, which is beyond the threshold on
        the side where the condition is not met. By default it is the threshold.
    lasting : float
        Uninterrupted time for which the quantity must be beyond the threshold, s.

    Raises
    ------
    InputError
        When the number of thresholds is not one, the condition can never be met, or `release` is on the wrong side of
        the threshold.

    Examples
    --------
    >>> import numpy as np
    >>> print(Condition("rate", below=np.radians(0.1), release=np.radians(0.2), lasting=5.0))
    rate below 0.1 deg/s (until above 0.2) for 5 s
    """

    quantity: str
    threshold: float
    below: bool
    release: float
    lasting: float

    def __init__(
        self,
        quantity: str,
        *,
        below: float | None = None,
        above: float | None = None,
        release: float | None = None,
        lasting: float = 0.0,
    ) -> None:
        if not isinstance(quantity, str) or not quantity:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"a condition needs the name of a quantity, such as 'rate'; got {quantity!r}")
        given = below if above is None else above
        if given is None or (below is not None and above is not None):
            raise InputError(f"the condition on {quantity} needs one threshold: below or above")
        side = "below" if above is None else "above"
        threshold = finite(f"{side} of {quantity}", given, KNOWN.get(quantity, ""))
        back = threshold if release is None else finite(f"release of {quantity}", release, KNOWN.get(quantity, ""))
        if quantity in _NEVER_NEGATIVE and threshold <= 0.0 and side == "below":
            raise InputError(f"{quantity} is never below {threshold:g}, so the condition never holds")
        if (back < threshold) if side == "below" else (back > threshold):
            other = "at or above" if side == "below" else "at or below"
            raise InputError(
                f"the condition {quantity} {side} {threshold:g} is released at {back:g}, where it still holds; "
                f"give a release {other} {threshold:g}"
            )
        found = (quantity, threshold, side == "below", back, non_negative("lasting", lasting, "s"))
        for name, value in zip(("quantity", "threshold", "below", "release", "lasting"), found, strict=True):
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        """Return the condition as text."""
        return self.words(KNOWN.get(self.quantity, ""))

    def words(self, unit: str) -> str:
        """Return the condition as text, with angles in degrees.

        Parameters
        ----------
        unit : str
            Unit of the quantity.

        Returns
        -------
        str
            Description such as "rate below 0.1 deg/s for 5 s".
        """
        shown = unit.replace("rad", "deg")
        factor = 180.0 / pi if shown != unit else 1.0
        unit_text = f" {shown}" if shown not in ("", "1") else ""
        side, other = ("below", "above") if self.below else ("above", "below")
        back = f" (until {other} {factor * self.release:.6g})" if self.release != self.threshold else ""
        last = f" for {self.lasting:g} s" if self.lasting else ""
        return f"{self.quantity} {side} {factor * self.threshold:.6g}{unit_text}{back}{last}"
