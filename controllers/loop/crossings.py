"""Where the response of an opened loop crosses something, on a grid and then refined."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import pi
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_results
from .broken_loop import BrokenLoop
from .sampled_loop import SampledLoop

__all__ = ["Sweep", "crossings", "frequency_grid", "loci", "neighbours", "sweep"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

COINCIDE = 1e-5  # relative: points of several grids in one, between which digits decide which is the higher
BESIDE = 2  # points of the grid on either side of a change of sign that are solved anew


def frequency_grid(loop: SampledLoop, broken: BrokenLoop) -> Array:
    """Return frequencies on which nothing of a loop's response falls between two points.

    loop: the whole loop; broken: the same, opened -> (m,): angles (frequency times sampling period, rad) from far below
    the slowest closed-loop pole to pi, denser around every pole near the unit circle.
    """
    closed = loop.poles()
    lowest = min(max(1e-3 * loop.slowest(), 1e-9), 1e-2)
    parts = [np.geomspace(lowest, pi, 600), np.linspace(lowest, pi, 200)]
    for pole in np.concatenate((np.linalg.eigvals(broken.F), closed)):
        if abs(pole) > 0.5 and abs(np.angle(pole)) > lowest:
            width = np.geomspace(1e-4, 1.0, 12) * max(1.0 - abs(pole), 1e-6)
            parts += [abs(np.angle(pole)) + width, abs(np.angle(pole)) - width]
    angles = np.unique(np.concatenate(parts))
    return angles[(angles >= lowest) & (angles <= pi)]


@frozen_results
@dataclass(frozen=True, eq=False)
class Sweep:
    """An opened loop on a grid of frequencies, on which crossings are bracketed.

    Parameters
    ----------
    broken : BrokenLoop
        The opened loop.
    angles : numpy.ndarray, shape (m,)
        Frequency times sampling period, rad.
    """

    broken: BrokenLoop
    angles: Array

    @cached_property
    def response(self) -> Complex:
        """L on the grid, shape (m, p, p); for bracketing, see `BrokenLoop.on_grid`."""
        return self.broken.on_grid(self.angles)

    @cached_property
    def loci(self) -> Complex:
        """Eigenvalues of L on the grid, shape (m, p)."""
        return loci(self.response)

    @cached_property
    def unit_gains(self) -> list[float]:
        """Angles at which an eigenvalue of L has the modulus 1, refined to round-off."""
        return self._of_each(_log_moduli)

    @cached_property
    def real_loci(self) -> list[float]:
        """Angles at which the imaginary part of an eigenvalue of L changes sign, refined to round-off."""
        return self._of_each(_imaginary_parts)

    def _of_each(self, of: Callable[[Complex], Array]) -> list[float]:
        """Crossings of each locus: sorted, so that each is a continuous curve."""
        values = of(self.loci)
        found: list[float] = []
        for n in range(values.shape[1]):

            def one(L: Complex, n: int = n) -> Array:
                return of(loci(L))[:, n]

            found += crossings(one, self, values[:, n])
        return found


def sweep(loop: SampledLoop, broken: BrokenLoop) -> Sweep:
    """Return an opened loop on the grid of `frequency_grid`; loop: the whole loop; broken: the same, opened."""
    return Sweep(broken, frequency_grid(loop, broken))


def crossings(function: Callable[[Complex], Array], swept: Sweep, values: Array | None = None) -> list[float]:
    """Return where a real function of the loop transfer matrix changes sign.

    function: from loop transfer matrices (m, p, p) to numbers (m,); swept: the opened loop on a grid; values (m,): of
    the function on the grid, if they are there -> angles, refined to round-off.
    """
    from scipy import optimize

    def at(angle: float) -> float:
        return float(function(swept.broken.response([angle]))[0])

    angles = swept.angles
    values = np.array(function(swept.response) if values is None else values)
    near = np.flatnonzero(np.convolve(_changes(values), np.ones(2 * BESIDE))) - (BESIDE - 1)
    near = near[(near >= 0) & (near < len(angles))]
    if near.size:  # there the grid's digits may not do
        values[near] = function(swept.broken.response(angles[near]))
    found: list[float] = []
    for n in np.flatnonzero(_changes(values)):
        low, high = float(angles[n]), float(angles[n + 1])
        if at(low) * at(high) < 0.0:  # one frequency is rounded otherwise than several
            # 1e-14: an angle lies between 1e-9 and pi, so this is a part in 1e5 at the very least
            found.append(float(cast("Any", optimize).brentq(at, low, high, xtol=1e-14, rtol=1e-13)))
    return found


def _changes(values: Array) -> NDArray[np.bool_]:
    """Between which points the sign changes, (m - 1,)."""
    signs: Array = np.sign(values)
    return signs[:-1] * signs[1:] < 0.0


def neighbours(angles: Array, n: int) -> tuple[float, float]:
    """Return the points of an ascending grid on either side of a point, beyond those that nearly coincide with it.

    angles (m,): positive; n: of the point -> between which an extremum lies that the grid's digits put at the point.
    """
    here = float(angles[n])
    low = int(np.count_nonzero(angles < here * (1.0 - COINCIDE))) - 1
    high = len(angles) - int(np.count_nonzero(angles > here * (1.0 + COINCIDE)))
    return float(angles[max(low, 0)]), float(angles[min(high, len(angles) - 1)])


def loci(L: Complex) -> Complex:
    """Return the eigenvalues of loop transfer matrices.

    L (..., p, p): loop transfer matrices -> (..., p): complex numbers; a loop is at the edge of stability where one of
    them is -1.
    """
    return L[..., 0] if L.shape[-1] == 1 else np.asarray(np.linalg.eigvals(L), dtype=np.complex128)


def _log_moduli(values: Complex) -> Array:
    return np.log(np.sort(np.abs(values), axis=1))


def _imaginary_parts(values: Complex) -> Array:
    return np.sort(values.imag, axis=1)
