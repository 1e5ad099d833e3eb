"""Derivatives of a sampled function, from an exact complex step or from converged difference quotients.

If a kernel accepts complex numbers, a complex step gives its derivatives, exact to round-off. Difference quotients are
computed in addition. If the two disagree (a kernel that calls `abs`, or a plain Python function of real numbers),
the difference quotients are used. If they do not converge, the function has a kink or a jump and no linear form.
"""

from collections.abc import Callable
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import DesignError

Array = NDArray[np.float64]

STEP = 1e-30  # its square is negligible relative to 1, so that there is no truncation error
STEPS = (1e-4, 1e-5, 1e-6, 1e-7)  # rad, rad/s or relative to the memory; truncation error falls, rounding error rises
SMOOTH = 1e-4  # relative to the largest gain: tolerance between difference quotients of two steps, or of two sides
ZERO = 1e-9  # relative to the largest gain: numerical noise of difference quotients
SETTLED = 1e-10  # relative to the memory, or to 1: tolerance for a memory at rest
NEWTON = 20


def at_rest(
    call: Callable[[NDArray[Any]], NDArray[Any]],
    seen: int,
    memory: Array,
    *,
    answers: int,
    name: str,
    exact: bool = True,
) -> tuple[Array, Array]:
    """Return the memory at rest for zero input deviations, and the derivatives at that point.

    call: maps (input deviations, memory) to (outputs, next memory).
    seen, answers: numbers of inputs and outputs.
    memory: initial memory.
    name: name for messages.
    exact: whether the function accepts complex numbers.
    -> memory (m,), derivatives (answers + m, seen + m).
    Raises DesignError when the memory never comes to rest, or the function has internal state, or a kink or a jump at
    this point.
    """
    z = memory
    for _ in range(NEWTON):
        s = np.concatenate((np.zeros(seen), z))
        off = call(s)[answers:] - z
        J = _derivatives(call, s, name, exact=exact)
        if not z.size or float(np.abs(off).max()) <= SETTLED * max(1.0, float(np.abs(z).max())):
            return z, J
        z = z + np.linalg.lstsq(np.eye(z.size) - J[answers:, seen:], off, rcond=1e-9)[0]
    raise DesignError(
        f"the memory of {name} does not settle with the craft at rest on its reference, so it has no linear form "
        "there and the loop has no margins; confirm the stability by simulation"
    )


def _derivatives(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array, name: str, *, exact: bool) -> Array:
    stepped = _by_complex_step(call, s) if exact else None
    here = call(s)
    _same(call, s, here, name)
    found = np.zeros((here.size, s.size))
    open_columns = list(range(s.size))
    for step in STEPS:
        pairs = {n: [_two_sides(call, s, n, step * part) for part in (1.0, 0.5)] for n in open_columns}
        slopes = {n: [(up - down) / (2.0 * step * part) for part, (up, down) in zip((1.0, 0.5), both, strict=True)]
                  for n, both in pairs.items()}  # fmt: skip
        for n, (_, fine) in slopes.items():
            found[:, n] = fine
        size = np.maximum(np.abs(found).max(axis=1), 1e-300)
        for n, (coarse, fine) in slopes.items():
            up, down = pairs[n][1]
            bent = (up - 2.0 * here + down) / (0.5 * step)
            noise = 1e-15 * (np.abs(here) + np.abs(up)) / step
            if (np.maximum(np.abs(coarse - fine), np.abs(bent)) <= SMOOTH * size + 8.0 * noise).all():
                found[:, n] = (4.0 * fine - coarse) / 3.0
                open_columns.remove(n)
        if not open_columns:
            break
    _same(call, s, here, name)  # a slowly changing internal state is only detected after many calls
    size = np.maximum(np.abs(found).max(axis=1), 1e-300)[:, None]
    if open_columns:
        raise DesignError(
            f"{name} changes abruptly at the operating point, within {STEPS[-1]:g} of it (rad, rad/s), so it has no "
            "linear gain and its loop no margins; confirm its stability by simulation"
        )
    if stepped is not None and (np.abs(stepped - found) <= 10.0 * SMOOTH * size).all():
        return stepped
    return np.where(np.abs(found) > ZERO * size, found, 0.0)


def _same(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array, here: Array, name: str) -> None:
    if not np.array_equal(call(s), here):
        raise DesignError(
            f"{name} returns different outputs for the same input: it has a state that its linear form does not "
            "contain; write it as a kernel with a memory (compiled=True), or confirm its "
            "stability by simulation"
        )


def _two_sides(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array, n: int, step: float) -> tuple[Array, Array]:
    up, down = s.copy(), s.copy()
    up[n] += step
    down[n] -= step
    return call(up), call(down)


def _by_complex_step(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array) -> Array | None:
    """Return the derivatives by a complex step, or None for a law that does not accept complex numbers."""
    columns: list[Array] = []
    for n in range(s.size):
        there = s.astype(np.complex128)
        there[n] += 1j * STEP
        try:
            with np.errstate(all="ignore"), catch_warnings():
                simplefilter("error", np.exceptions.ComplexWarning)
                columns.append(np.imag(call(there)) / STEP)
        except (TypeError, ValueError, np.exceptions.ComplexWarning):  # InputError is a ValueError as well
            return None
    return np.array(columns).T if all(np.isfinite(column).all() for column in columns) else None
