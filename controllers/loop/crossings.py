"""Crossings in an open-loop frequency response, bracketed on a grid and then refined."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np
from numpy.typing import NDArray

from ...plant.frozen import frozen_results
from .bracketed_roots import bracketed_roots
from .broken_loop import SMALL, BrokenLoop, responses
from .sampled_loop import SampledLoop
from .schur_system import compared, on_grid, same_digits

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

COINCIDE = 1e-5  # relative distance below which points of different grids are too close to compare their values
WIDTHS = np.geomspace(1e-4, 1.0, 12)  # as fractions of a pole's distance from the unit circle
BESIDE = 2  # number of grid points on either side of a sign change that are recomputed exactly


def frequency_grid(loop: SampledLoop, *broken: BrokenLoop) -> Array:
    """Return a frequency grid that resolves every feature of a loop's response.

    loop: the closed loop; broken: the same loop broken at some inputs, or several such loops.
    -> (m,): angles (frequency times sampling period, rad) from far below the slowest closed-loop pole to pi, denser
    near every pole close to the unit circle.
    """
    closed = loop.poles()
    lowest = min(max(1e-3 * loop.slowest(), 1e-9), 1e-2)
    poles = np.concatenate((*(np.linalg.eigvals(each.F) for each in broken), closed))
    size, turn = np.abs(poles), np.abs(np.angle(poles))
    beside = (size > 0.5) & (turn > lowest)
    widths = np.maximum(1.0 - size[beside], 1e-6)[:, None] * WIDTHS
    centres = turn[beside][:, None]
    parts = [np.geomspace(lowest, pi, 600), np.linspace(lowest, pi, 200), centres + widths, centres - widths]
    angles = np.unique(np.concatenate([part.ravel() for part in parts]))
    return angles[(angles >= lowest) & (angles <= pi)]


@frozen_results
@dataclass(frozen=True, eq=False)
class Sweep:
    """An open loop on a frequency grid that brackets its crossings.

    Parameters
    ----------
    broken : BrokenLoop
        The open loop.
    angles : numpy.ndarray, shape (m,)
        Frequency times sampling period, rad.
    closed : numpy.ndarray, shape (m, p, p), optional
        T = L (1 + L)^-1 on the grid to six digits. If given, `loci` are computed from it.
    """

    broken: BrokenLoop
    angles: Array
    closed: Complex | None = None

    @cached_property
    def response(self) -> Complex:
        """L on the grid, shape (m, p, p), from `BrokenLoop.on_grid`, accurate enough for bracketing."""
        return self.broken.on_grid(self.angles)

    @cached_property
    def loci(self) -> Complex:
        """Eigenvalues of L on the grid, shape (m, p), as accurate as L; large eigenvalues may be less accurate."""
        if self.closed is None:
            return _quick_loci(self.response)
        with np.errstate(all="ignore"):  # a pole of L on the grid
            values = _quick_loci(self.closed)
            return values / (1.0 - values)

    @cached_property
    def unit_gains(self) -> list[float]:
        """Angles at which an eigenvalue of L has modulus 1, refined to round-off."""
        return _all_crossings(lambda L: _log_moduli(loci(L)), [self], [_log_moduli(self.loci)])[0]

    @cached_property
    def unit_loci(self) -> Complex:
        """Eigenvalues of L at `unit_gains`, accurate to rounding, shape (k, p)."""
        return loci(self.broken.response(self.unit_gains))

    @cached_property
    def real_loci(self) -> list[float]:
        """Angles at which the imaginary part of an eigenvalue of L changes sign, refined to round-off."""
        return _all_crossings(lambda L: _imaginary_parts(loci(L)), [self], [_imaginary_parts(loci(self.response))])[0]


def find_unit_gains(sweeps: Sequence[Sweep]) -> None:
    """Compute `Sweep.unit_gains` of loops of equal dimensions together, which is faster than one by one."""
    found = _all_crossings(lambda L: _log_moduli(loci(L)), sweeps, [_log_moduli(each.loci) for each in sweeps])
    for each, angles in zip(sweeps, found, strict=True):
        vars(each)["unit_gains"] = angles


def find_real_loci(sweeps: Sequence[Sweep]) -> None:
    """Compute `Sweep.real_loci` of loops of equal dimensions together."""
    values = [_imaginary_parts(loci(each.response)) for each in sweeps]
    found = _all_crossings(lambda L: _imaginary_parts(loci(L)), sweeps, values)
    for each, angles in zip(sweeps, found, strict=True):
        vars(each)["real_loci"] = angles


def sweep(loop: SampledLoop, broken: BrokenLoop) -> Sweep:
    """Return an open loop on its `frequency_grid`; loop: the closed loop; broken: the open loop."""
    return Sweep(broken, frequency_grid(loop, broken))


def sweeps_of_inputs(loop: SampledLoop) -> tuple[list[Sweep], Sweep]:
    """Return sweeps of the loop broken at each input in turn, and of the loop broken at all inputs.

    All sweeps are derived from T = L (1 + L)^-1, the response of the closed loop at all inputs: the loop broken only at
    input i has L_i = T_ii / (1 - T_ii). Open-loop poles on the unit circle, such as the poles of a spinning spacecraft,
    are not poles of T, and cause no loss of digits near |L| = 1. L_i from T is compared with L_i itself at
    some frequencies. If they do not agree to six digits, L_i itself is computed on the grid.
    """
    count = len(loop.inputs)
    every, ones = loop.broken(range(count)), [loop.broken((n,)) for n in range(count)]
    angles = frequency_grid(loop, every, *ones)
    T = on_grid(every.F - every.G @ every.K, every.G, every.K, angles, least=SMALL)
    some = compared(angles)
    which = np.repeat(np.arange(count), len(some))
    alone = responses(ones, which, np.tile(angles[some], count)).reshape(count, len(some), 1, 1)

    def swept(broken: BrokenLoop, closed: Complex, L: Complex) -> Sweep:
        exact = np.asarray(np.linalg.solve(np.eye(L.shape[-1]) + L, L), dtype=np.complex128)
        good = same_digits(closed[some], exact, least=SMALL)
        return Sweep(broken, angles, closed if good else None)

    single = [swept(broken, T[:, n : n + 1, n : n + 1], alone[n]) for n, broken in enumerate(ones)]
    return single, swept(every, T, every.response(angles[some]))


def crossings(function: Callable[[Complex], Array], swept: Sweep, values: Array | None = None) -> list[float]:
    """Return the angles at which a real function of the loop transfer matrix changes sign.

    function: maps loop transfer matrices (m, p, p) to values (m,); swept: the open loop on a grid; values (m,): the
    function values on the grid, if already computed -> angles, refined to round-off.
    """
    on_grid = function(swept.response) if values is None else values
    return _all_crossings(lambda L: function(L)[:, None], [swept], [on_grid[:, None]])[0]


def _all_crossings(
    function: Callable[[Complex], Array], sweeps: Sequence[Sweep], values: Sequence[Array]
) -> list[list[float]]:
    """Return the angles at which functions change sign, for several loops of equal dimensions.

    function: maps (m, p, p) to (m, q), sorted such that each column is continuous; values: function values of each loop
    on its grid, (m, q) -> angles of each loop, function by function.
    """
    loops = [each.broken for each in sweeps]
    values = [np.array(each) for each in values]
    nearby = [_near_changes(each) for each in values]
    owner = np.repeat(np.arange(len(sweeps)), [len(near) for near in nearby])
    if not owner.size:
        return [[] for _ in sweeps]
    points = np.concatenate([each.angles[near] for each, near in zip(sweeps, nearby, strict=True)])
    exact = function(responses(loops, owner, points))  # the accuracy of the grid values may be insufficient
    for n, (there, near) in enumerate(zip(values, nearby, strict=True)):
        there[near] = exact[owner == n]
    changes = [np.nonzero(_changes(each).T) for each in values]
    which = np.repeat(np.arange(len(sweeps)), [len(row) for _, row in changes])
    column = np.concatenate([column for column, _ in changes])

    def of(number: NDArray[np.intp], at: Array) -> Array:
        try:
            return function(responses(loops, which[number], at))[np.arange(len(at)), column[number]]
        except np.linalg.LinAlgError:  # a pole on the unit circle, where the sign may change although there is no root
            if len(at) == 1:
                return np.array([np.inf])
            return np.concatenate([of(number[k : k + 1], at[k : k + 1]) for k in range(len(at))])

    ends: list[tuple[Array, Array]] = []
    for more in (0, 1):
        rows = [row + more for _, row in changes]
        angles = np.concatenate([each.angles[row] for each, row in zip(sweeps, rows, strict=True)])
        there = [each[row, column] for each, row, (column, _) in zip(values, rows, changes, strict=True)]
        ends.append((angles, np.concatenate(there)))
    # 1e-14: angles are between 1e-9 and pi, so the relative error is at most 1e-5
    roots = bracketed_roots(of, ends[0], ends[1], absolute=1e-14, relative=1e-13)
    return [roots[which == n].tolist() for n in range(len(sweeps))]


def _near_changes(values: Array) -> NDArray[np.intp]:
    """Return the indices of the grid points near sign changes; values (m, q)."""
    changes = _changes(values).any(axis=1)
    near = np.flatnonzero(np.convolve(changes, np.ones(2 * BESIDE))) - (BESIDE - 1)
    return near[(near >= 0) & (near < len(values))]


def _changes(values: Array) -> NDArray[np.bool_]:
    """Return a mask of the grid intervals in which the sign changes; values (m, q) -> (m - 1, q)."""
    signs: Array = np.sign(values)
    return signs[:-1] * signs[1:] < 0.0


def neighbours(angles: Array, n: int) -> tuple[float, float]:
    """Return the neighbours of a point in an ascending grid, skipping points that nearly coincide with it.

    angles (m,): positive; n: index of the point -> the end points of the interval that contains the extremum near this
    point.
    """
    here = float(angles[n])
    low = int(np.count_nonzero(angles < here * (1.0 - COINCIDE))) - 1
    high = len(angles) - int(np.count_nonzero(angles > here * (1.0 + COINCIDE)))
    return float(angles[max(low, 0)]), float(angles[min(high, len(angles) - 1)])


def loci(L: Complex) -> Complex:
    """Return the eigenvalues of loop transfer matrices.

    L (..., p, p): loop transfer matrices -> (..., p): eigenvalues; a loop is at the edge of stability where one of them
    is -1.
    """
    return L[..., 0] if L.shape[-1] == 1 else np.asarray(np.linalg.eigvals(L), dtype=np.complex128)


def _quick_loci(L: Complex) -> Complex:
    """Return the eigenvalues of loop transfer matrices, accurate enough for a search on a grid.

    For three inputs, Cardano's formula is ten times as fast as an iteration for each matrix. The formula is accurate to
    five digits if all three eigenvalues nearly coincide.
    """
    if L.shape[-1] != 3:
        return loci(L)
    a, b, c, d, e, f, g, h, i = np.moveaxis(L.reshape(-1, 9), 1, 0)
    third = (a + e + i) / 3.0
    a, e, i = a - third, e - third, i - third  # zero trace: x^3 - 3 q x - 2 r
    q = -(a * e - b * d + a * i - c * g + e * i - f * h) / 3.0
    r = 0.5 * (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    root = np.sqrt(r * r - q * q * q)
    root = np.where((r.conj() * root).real < 0.0, -root, root)  # avoids cancellation of large terms
    u = np.power(r + root, 1.0 / 3.0)
    v = np.divide(q, u, out=np.zeros_like(u), where=u != 0.0)
    turn = np.exp(2j * pi / 3.0)
    return np.stack((u + v, u * turn + v * turn.conjugate(), u * turn.conjugate() + v * turn), axis=1) + third[:, None]


def _log_moduli(values: Complex) -> Array:
    return np.log(np.sort(np.abs(values), axis=1))


def _imaginary_parts(values: Complex) -> Array:
    return np.sort(values.imag, axis=1)
