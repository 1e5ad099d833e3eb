"""Scalings for the upper bound of the structured singular value.

For v = M w with w = Delta v, each block of Delta is a repeated real number, a repeated complex number or a full complex
matrix, each with a norm of at most 1. If Hermitian D > 0 and G with the structure of Delta (G for real blocks only)
make

    Psi = D_w - M^H D_v M - j (G M - M^H G)

positive definite, no such Delta makes I - M Delta singular (Fan, Tits & Doyle 1991, IEEE Trans. AC 36, 25; Young,
Newlin & Doyle 1995, Int. J. Robust Nonlinear Control 5, 477). Any such D and G prove this, however they are computed.
Here a barrier method maximises t subject to Psi > t, with D and G in a ball around the scaling that balances M.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....plant.one_thread import one_thread

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

STEPS = 80  # largest total number of Newton steps
SWEEPS = 20
SURE = 1e-5  # t counts as not positive if its upper bound is smaller than this, for D of about 1
FIRST, FASTER = 8.0, 6.0  # initial weight of t, and the factor by which it grows
DEEP = 1.15  # growth factor of t between weights below which t is final


@dataclass(frozen=True)
class UncertainBlock:
    """One block of the structured uncertainty Delta.

    kind: "real" or "complex", a scalar times the identity; "full", any complex matrix.
    outputs: number of outputs of M that the block reads; inputs: number of inputs of M that it drives; these are equal
    except for "full".
    """

    kind: Literal["real", "complex", "full"]
    outputs: int
    inputs: int


class Multipliers(NamedTuple):
    """Scalings D for outputs (v, v) and inputs (w, w) of M, and G (w, v)."""

    left: Complex
    right: Complex
    turn: Complex


def psi(M: Complex, found: Multipliers) -> Complex:
    """Return Psi for a matrix M (v, w); the scalings are valid for M if Psi is positive definite."""
    cross = 1j * (found.turn @ M)
    return np.asarray(found.right - M.conj().T @ found.left @ M - cross - cross.conj().T, dtype=np.complex128)


@one_thread
def structured_multipliers(M: Complex, blocks: Sequence[UncertainBlock]) -> Multipliers | None:
    """Return scalings that exclude a singular I - M Delta for all |Delta| <= 1; None if none are found.

    M (v, w): the matrix; blocks: blocks of Delta in the order of the rows and columns of M.
    """
    sizes = _balance(M, blocks)
    left = np.repeat(sizes, [block.outputs for block in blocks])
    right = np.repeat(sizes, [block.inputs for block in blocks])
    scaled = M * left[:, None] / right
    forms = _forms(scaled, blocks)
    y = _deepest(forms)
    if y is None:
        return None
    found = _assembled(y, blocks)
    found = Multipliers(
        found.left * np.outer(left, left), found.right * np.outer(right, right), found.turn * np.outer(right, left)
    )
    # the result is checked independently of the search
    return found if _positive(psi(M, found)) and _positive(found.right) else None


def structured_upper_bound(M: Complex, blocks: Sequence[UncertainBlock], *, accuracy: float = 1e-4) -> float:
    """Return an upper bound of the structured singular value of a matrix.

    M (v, w): the matrix; accuracy: relative accuracy of the bound -> the bound.

    Examples
    --------
    Real uncertainty can be harmless where complex uncertainty is not (Doyle):

    >>> M = np.array([[0.0, 1.0], [-1.0, 0.0]], dtype=complex)
    >>> two_real = (UncertainBlock("real", 1, 1),) * 2
    >>> structured_upper_bound(1j * np.eye(2), two_real) < 1e-3
    True
    >>> round(structured_upper_bound(M, (UncertainBlock("complex", 2, 2),)), 3)
    1.0
    """
    high = float(np.linalg.norm(_balanced(M, blocks), 2)) * (1.0 + 1e-9)
    if high == 0.0:
        return 0.0
    low = 0.0
    while high - low > accuracy * high and high > 1e-6:
        middle = 0.5 * (low + high) if low > 0.0 else 0.5 * high
        if structured_multipliers(M / middle, blocks) is None:
            low = middle
        else:
            high = middle
    return high


class _Forms(NamedTuple):
    """Basis of Psi (k, w, w), and for each block of D its slice of k and basis matrices (n, r, r)."""

    psi: Complex
    scales: list[tuple[slice, Complex]]
    start: Array


def _hermitian(size: int) -> Complex:
    """Return a basis (size^2, size, size) of the Hermitian matrices, the diagonal first, each of norm 1."""
    found = np.zeros((size * size, size, size), dtype=np.complex128)
    found[range(size), range(size), range(size)] = 1.0
    n = size
    for i in range(size):
        for k in range(i):
            found[n, i, k] = found[n, k, i] = np.sqrt(0.5)
            found[n + 1, i, k], found[n + 1, k, i] = 1j * np.sqrt(0.5), -1j * np.sqrt(0.5)
            n += 2
    return found


def _places(blocks: Sequence[UncertainBlock]) -> list[tuple[UncertainBlock, slice, slice]]:
    v = np.cumsum([0, *(block.outputs for block in blocks)])
    w = np.cumsum([0, *(block.inputs for block in blocks)])
    return [(block, slice(v[n], v[n + 1]), slice(w[n], w[n + 1])) for n, block in enumerate(blocks)]


def _forms(M: Complex, blocks: Sequence[UncertainBlock]) -> _Forms:
    inputs = M.shape[1]
    parts: list[Complex] = []
    scales: list[tuple[slice, Complex]] = []
    start: list[float] = []
    for block, v, w in _places(blocks):
        rows = M[v]
        if block.kind == "full":
            one = -rows.conj().T @ rows
            one[w, w] += np.eye(block.inputs)
            scales.append((slice(len(start), len(start) + 1), np.ones((1, 1, 1), dtype=np.complex128)))
            parts.append(one[None])
            start.append(1.0)
            continue
        basis = _hermitian(block.outputs)
        some = -np.einsum("ai,kab,bj->kij", rows.conj(), basis, rows, optimize=True)
        some[:, w, w] += basis
        scales.append((slice(len(start), len(start) + len(basis)), basis))
        parts.append(some)
        start += [1.0] * block.outputs + [0.0] * (len(basis) - block.outputs)
        if block.kind == "real":
            cross = np.zeros((len(basis), inputs, inputs), dtype=np.complex128)
            cross[:, w, :] = 1j * np.einsum("kab,bj->kaj", basis, rows)
            parts.append(-cross - np.swapaxes(cross.conj(), 1, 2))
            start += [0.0] * len(basis)
    return _Forms(np.concatenate(parts), scales, np.array(start))


def _assembled(y: Array, blocks: Sequence[UncertainBlock]) -> Multipliers:
    v, w = sum(block.outputs for block in blocks), sum(block.inputs for block in blocks)
    left, right, turn = np.zeros((v, v), complex), np.zeros((w, w), complex), np.zeros((w, v), complex)
    n = 0
    for block, at, into in _places(blocks):
        if block.kind == "full":
            left[at, at], right[into, into] = y[n] * np.eye(block.outputs), y[n] * np.eye(block.inputs)
            n += 1
            continue
        basis = _hermitian(block.outputs)
        left[at, at] = right[into, into] = np.tensordot(y[n : n + len(basis)], basis, 1)
        n += len(basis)
        if block.kind == "real":
            turn[into, at] = np.tensordot(y[n : n + len(basis)], basis, 1)
            n += len(basis)
    return Multipliers(left, right, turn)


def _deepest(forms: _Forms) -> Array | None:
    """Maximise t subject to Psi(y) > t, D(y) > 0, |y| < radius; return y if t > 0, else None."""
    radius = 30.0 * float(np.linalg.norm(forms.start))
    y = forms.start.copy()
    flat = forms.psi.reshape(len(y), -1)
    size = forms.psi.shape[1]
    eye = np.eye(size)
    t = float(np.linalg.eigvalsh((y @ flat).reshape(size, size))[0])
    if len(y) == 1:
        return y if t > 0.0 else None
    best = t
    t -= 1.0
    order = size + 1.0 + sum(basis.shape[1] for _, basis in forms.scales)
    weight, before = FIRST, -np.inf
    for _ in range(STEPS):
        step = _newton(forms, flat, eye, y, t, weight, radius)
        if step is None:
            break
        direction, decrement = step
        length = 1.0 if decrement < 0.25 else 1.0 / (1.0 + np.sqrt(decrement))
        while not _inside(forms, flat, eye, y + length * direction[:-1], t + length * direction[-1], radius):
            length *= 0.5
            if length < 1e-6:
                return y if best > 0.0 else None
        y, t = y + length * direction[:-1], t + length * direction[-1]
        best = t
        if decrement > 0.3:
            continue
        if t > 0.0 and t < DEEP * before:
            return y
        if t + 2.0 * order / weight < 0.0 or (t <= 0.0 and order / weight < SURE):
            return None
        before, weight = t, FASTER * weight
    return y if best > 0.0 else None


def _newton(
    forms: _Forms, flat: Complex, eye: Array, y: Array, t: float, weight: float, radius: float
) -> tuple[Array, float] | None:
    """Return the Newton step (y, t) of the barrier function, and the squared Newton decrement."""
    size, many = len(eye), len(y)
    slope, curve = np.zeros(many + 1), np.zeros((many + 1, many + 1))
    slope[-1] = -weight
    inside = np.linalg.inv(np.linalg.cholesky((y @ flat).reshape(size, size) - t * eye))
    parts = np.concatenate((inside @ forms.psi @ inside.conj().T, -(inside @ inside.conj().T)[None]))
    slope -= np.trace(parts, axis1=1, axis2=2).real
    rows = parts.reshape(many + 1, -1)
    rows = np.hstack((rows.real, rows.imag))
    curve += rows @ rows.T
    for at, basis in forms.scales:
        root = np.linalg.inv(np.linalg.cholesky(np.tensordot(y[at], basis, 1)))
        some = root @ basis @ root.conj().T
        slope[at] -= np.trace(some, axis1=1, axis2=2).real
        flat_some = some.reshape(len(basis), -1)
        curve[at, at] += (flat_some @ flat_some.conj().T).real
    room = radius * radius - y @ y
    slope[:-1] += 2.0 * y / room
    curve[:-1, :-1] += 2.0 * np.eye(many) / room + 4.0 * np.outer(y, y) / room**2
    try:
        direction = -np.asarray(np.linalg.solve(curve, slope), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    decrement = float(-slope @ direction)
    return (direction, decrement) if np.isfinite(decrement) and decrement >= 0.0 else None


def _inside(forms: _Forms, flat: Complex, eye: Array, y: Array, t: float, radius: float) -> bool:
    if y @ y >= radius * radius or not _positive((y @ flat).reshape(eye.shape) - t * eye):
        return False
    return all(_positive(np.tensordot(y[at], basis, 1)) for at, basis in forms.scales)


def _positive(matrix: Complex) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _balance(M: Complex, blocks: Sequence[UncertainBlock]) -> Array:
    """Return a factor for each block that balances its outputs against its inputs (Osborne 1960)."""
    places = _places(blocks)
    sizes = np.array([[np.linalg.norm(M[v, w]) for _, _, w in places] for _, v, _ in places]) ** 2
    np.fill_diagonal(sizes, 0.0)
    d = np.ones(len(places))
    for _ in range(SWEEPS):
        for n in range(len(places)):
            row, column = float((sizes[n] / d**2).sum()), float((sizes[:, n] * d**2).sum())
            if row > 1e-300 and column > 1e-300:
                d[n] = (column / row) ** 0.25
    return np.clip(d / np.exp(np.log(d).mean()), 1e-8, 1e8)


def _balanced(M: Complex, blocks: Sequence[UncertainBlock]) -> Complex:
    sizes = _balance(M, blocks)
    left = np.repeat(sizes, [block.outputs for block in blocks])
    right = np.repeat(sizes, [block.inputs for block in blocks])
    return np.asarray(M * left[:, None] / right, dtype=np.complex128)
