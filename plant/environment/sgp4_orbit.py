"""Orbit from a two-line element set by SGP4."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .epoch import Epoch
from .frames import teme_to_gcrf
from .optional_library import optional_library
from .orbit import Orbit

Array = NDArray[np.float64]

_LINE = 69
_ERRORS = {
    1: "the mean eccentricity is out of range",
    2: "the mean motion is below zero",
    3: "the perturbed eccentricity is out of range",
    4: "the semi-latus rectum is below zero",
    6: "the satellite has decayed",
}


@dataclass(frozen=True)
class SGP4Orbit(Orbit):
    """Orbit from a two-line element set, by SGP4 with WGS72 constants (Vallado et al. 2006), in GCRF.

    SGP4 is accurate to about 1 km at the epoch of the elements and degrades by 1 to 3 km per day. In a low orbit, 1 km
    corresponds to an error of 0.008 degrees in the nadir direction.

    Parameters
    ----------
    lines : tuple of str
        The two lines, each with 69 characters including its checksum.
    epoch : Epoch
        Date of t = 0, at most 30 days from the epoch of the elements.

    Raises
    ------
    InputError
        When a line or its checksum is wrong, the epoch is too far from the elements' epoch, or sgp4 is not
        installed.
    """

    name: ClassVar[str] = "the orbit of the two-line elements"

    lines: tuple[str, str]
    epoch: Epoch
    _satellite: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        api = optional_library("sgp4.api", "a two-line element set")
        lines = tuple(line.rstrip() for line in self.lines)
        if len(lines) != 2:
            raise InputError(f"a two-line element set has 2 lines; got {len(lines)}")
        for number, line in enumerate(lines, start=1):
            _check_line(number, line)
        if lines[0][2:7] != lines[1][2:7]:
            raise InputError(
                f"the two lines belong to different satellites, {lines[0][2:7].strip()} and {lines[1][2:7].strip()}"
            )
        try:
            satellite = api.Satrec.twoline2rv(*lines, api.WGS72)
        except ValueError as error:
            raise InputError(f"the two-line element set is not valid: {error}") from None
        object.__setattr__(self, "_satellite", satellite)
        day, fraction = self.epoch.utc_parts()
        age = float(day - satellite.jdsatepoch) + float(fraction - satellite.jdsatepochF)
        if abs(age) > 30.0:
            raise InputError(
                f"the epoch of the run is {abs(age):.4g} days {'after' if age > 0 else 'before'} the epoch of the "
                "two-line elements, above the limit of 30 days; use newer elements or another epoch"
            )

    def state(self, t: ArrayLike) -> tuple[Array, Array]:
        """Return position and velocity at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        tuple of numpy.ndarray
            Position (m) and velocity (m/s) in GCRF, shape (..., 3).

        Raises
        ------
        InputError
            When SGP4 fails, for example after decay.
        """
        times = np.asarray(t, dtype=np.float64)
        day, fraction = self.epoch.utc_parts(times)
        codes, position, velocity = self._satellite.sgp4_array(
            np.atleast_1d(day).ravel(), np.atleast_1d(fraction).ravel()
        )
        if codes.any():
            first = int(np.flatnonzero(codes)[0])
            reason = _ERRORS.get(int(codes[first]), f"error {int(codes[first])}")
            raise InputError(f"SGP4 fails at t = {float(np.ravel(times)[first]):.6g} s: {reason}; end the run earlier")
        shape = (*times.shape, 3)
        return teme_to_gcrf(self.epoch, times, 1e3 * position.reshape(shape), 1e3 * velocity.reshape(shape))


def _check_line(number: int, line: str) -> None:
    if len(line) != _LINE or not line.startswith(f"{number} ") or not line.isascii():
        raise InputError(f"line {number} of a two-line element set begins with '{number} ' and has 69 characters")
    total = sum(int(each) if each.isdigit() else each == "-" for each in line[:-1]) % 10
    if str(total) != line[-1]:
        raise InputError(
            f"line {number} of the two-line element set has the checksum {line[-1]}, but its sum is {total}"
        )
