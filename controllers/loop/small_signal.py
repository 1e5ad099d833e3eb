"""The linear law that any law is about an operating point, from its own kernel.

A kernel that runs on complex numbers gives its derivatives by a complex step, exact to round-off. Differences stand
beside it: where the two disagree (a kernel that calls `abs`, or a function in plain Python that takes real numbers
only) the differences count, and where not even these settle, the law has a kink or a jump there and no linear form.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.errors import DesignError, InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from .acting_model import acting_model, is_rigid, operating_rate, seen_names
from .attitude_model import state_scale

__all__ = ["MOMENTUM", "SmallSignal", "small_signal"]

Array = NDArray[np.float64]

MOMENTUM = ("momentum_x", "momentum_y", "momentum_z")
STEP = 1e-30  # its square underflows beside 1: no truncation error
STEPS = (1e-4, 1e-5, 1e-6, 1e-7)  # rad, rad/s, share of a memory: from where a law is smooth to where digits run out
SMOOTH = 1e-4  # of the largest gain, by which differences of two steps, or of two sides, may differ
ZERO = 1e-9  # of the largest gain: what differences leave of a zero
SETTLED = 1e-10  # of the memory, or of 1: it is at rest
NEWTON = 20


class _Sampled(Protocol):
    @property
    def kernel(self) -> Callable[..., Any]: ...
    @property
    def parameters(self) -> Array: ...
    @property
    def memory(self) -> Array: ...


class SmallSignal(NamedTuple):
    """u = C x + D y, x[k+1] = A x + B y on y = [delta; omega deviation; deviations of the `measured` states].

    Parameters
    ----------
    compensator : Compensator
        The matrices.
    measured : tuple of str
        Names of states of the model.
    """

    compensator: Compensator
    measured: tuple[str, ...]


@one_thread
def small_signal(law: _Sampled, model: LinearModel) -> SmallSignal:
    """Return a law about a model's operating point, which is also its reference, at t = 0.

    Where momentum and rate are one (a rigid craft), the momentum a law looks at counts with the rate. Of states
    beside attitude, rate and momentum only those are measured that the law looks at.
    """
    x0 = np.asarray(model.operating_point, dtype=np.float64)
    rate = operating_rate(model)
    reference = np.concatenate((x0[3:7], rate, np.zeros(3)))
    beyond = np.concatenate((x0[:3], rate, x0[7:]))  # what may deviate beside the attitude
    units = np.maximum(1.0, np.abs(beyond))
    units[:3] = max(state_scale(model.inertia), float(np.abs(x0[:3]).max()) * 1e-3)
    units[3:6] = 1.0
    seen = 3 + beyond.size
    name = law.__class__.__name__

    def call(s: NDArray[Any]) -> NDArray[Any]:
        """From deviations of what is seen and the memory to command and next memory."""
        kind: Any = s.dtype
        half = 0.5 * s[:3]
        e = np.sqrt(1.0 - half @ half) * x0[3:7] + _turn(x0[3:7]) @ half
        other = beyond + units * s[3:seen]
        y = np.concatenate((other[:3], e, other[3:]))
        u, z = np.zeros(3, dtype=kind), np.array(s[seen:], dtype=kind)
        law.kernel(0.0, y, reference, law.parameters, z, u)
        return np.concatenate((u, z))

    memory = np.array(law.memory, dtype=np.float64)
    memory, J = _at_rest(call, seen, memory, name)
    J[:, 3:seen] /= units
    B, D = J[3:, :seen], J[:3, :seen]
    names = seen_names(model)
    inner = acting_model(model)
    taken = [*range(3), *range(6, 9)]
    measured: tuple[str, ...] = ()
    if is_rigid(inner):
        for matrix in (B, D):
            matrix[:, 6:9] += matrix[:, 3:6] @ inner.inertia
    else:
        taken, measured = [*taken, 3, 4, 5], MOMENTUM
    looked_at = [n for n in range(9, seen) if B[:, n].any() or D[:, n].any()]
    if looked_at and len(names) != seen - 9:
        raise InputError("a law that measures internal states needs the model as craft.linearize returned it")
    there = acting_model(model, seen=[names[n - 9] for n in looked_at]).states
    kept = [n for n in looked_at if names[n - 9] in there]  # constants of the motion do not deviate
    compensator = Compensator(
        A=J[3:, seen:],
        B=B[:, [*taken, *kept]],
        C=J[:3, seen:],
        D=D[:, [*taken, *kept]],
        tracking=np.zeros((memory.size, 3)),
    )
    return SmallSignal(compensator, (*measured, *(names[n - 9] for n in kept)))


def _at_rest(call: Callable[[NDArray[Any]], NDArray[Any]], seen: int, memory: Array, name: str) -> tuple[Array, Array]:
    """The memory that stays as it is without any deviation, and the derivatives there."""
    z = memory
    for _ in range(NEWTON):
        s = np.concatenate((np.zeros(seen), z))
        off = call(s)[3:] - z
        J = _derivatives(call, s, name)
        if not z.size or float(np.abs(off).max()) <= SETTLED * max(1.0, float(np.abs(z).max())):
            return z, J
        z = z + np.linalg.lstsq(np.eye(z.size) - J[3:, seen:], off, rcond=1e-9)[0]
    raise DesignError(
        f"the memory of {name} goes on changing where the craft rests on its reference, so the law has no linear form "
        "there and no margins; confirm its stability by simulation"
    )


def _derivatives(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array, name: str) -> Array:
    exact = _by_complex_step(call, s)
    here = call(s)
    if not np.array_equal(call(s), here):
        raise DesignError(
            f"{name} answers the same measurement differently when it is asked again: it keeps something between its "
            "calls, which no linear form knows of; write it as a kernel with a memory (compiled=True), or confirm its "
            "stability by simulation"
        )
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
    size = np.maximum(np.abs(found).max(axis=1), 1e-300)[:, None]
    if open_columns:
        raise DesignError(
            f"{name} changes abruptly at the operating point, within {STEPS[-1]:g} of it (rad, rad/s), so it has no "
            "linear gain and its loop no margins; confirm its stability by simulation"
        )
    if exact is not None and (np.abs(exact - found) <= 10.0 * SMOOTH * size).all():
        return exact
    return np.where(np.abs(found) > ZERO * size, found, 0.0)


def _two_sides(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array, n: int, step: float) -> tuple[Array, Array]:
    up, down = s.copy(), s.copy()
    up[n] += step
    down[n] -= step
    return call(up), call(down)


def _by_complex_step(call: Callable[[NDArray[Any]], NDArray[Any]], s: Array) -> Array | None:
    """None for a law that does not run on complex numbers."""
    columns: list[Array] = []
    for n in range(s.size):
        there = s.astype(np.complex128)
        there[n] += 1j * STEP
        try:
            with np.errstate(all="ignore"), catch_warnings():
                simplefilter("error", np.exceptions.ComplexWarning)
                columns.append(np.imag(call(there)) / STEP)
        except (TypeError, ValueError, np.exceptions.ComplexWarning):  # InputError is a ValueError
            return None
    return np.array(columns).T if all(np.isfinite(column).all() for column in columns) else None


def _turn(e: Sequence[float] | Array) -> Array:
    """Of e o (1, delta / 2), the matrix that multiplies delta / 2, which is G(e)'."""
    return np.array([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]])
