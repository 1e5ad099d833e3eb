"""Linear form of a law about an operating point, computed from the law's kernel as in `derivatives`."""

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.errors import InputError
from ...plant.one_thread import one_thread
from ..laws.compensator import Compensator
from .acting_model import acting_model, is_rigid, operating_rate, seen_names, state_rows
from .attitude_model import state_scale
from .derivatives import at_rest
from .solution_cache import cached_solution

Array = NDArray[np.float64]

MOMENTUM = ("momentum_x", "momentum_y", "momentum_z")


class _Sampled(Protocol):
    @property
    def kernel(self) -> Callable[..., Any]: ...
    @property
    def parameters(self) -> Array: ...
    @property
    def memory(self) -> Array: ...


class SmallSignal(NamedTuple):
    """u = C x + D y, x[k+1] = A x + B y, y = [delta; omega deviation; `measured` state deviations].

    Parameters
    ----------
    compensator : Compensator
        The matrices.
    measured : tuple of str
        Names of states of the model.
    of_momentum : tuple of numpy.ndarray, or None
        For a rigid spacecraft, the parts of B (n, 3) and D (3, 3) that act on the momentum. B and D include them in
        their columns for the rate.
    """

    compensator: Compensator
    measured: tuple[str, ...]
    of_momentum: tuple[Array, Array] | None = None


@one_thread
def small_signal(law: _Sampled, model: LinearModel) -> SmallSignal:
    """Return the linear form of a law at t = 0, with the model's operating point as reference.

    If momentum and rate are equivalent (a rigid spacecraft), the momentum gain is added to the rate gain. Of the states
    other than attitude, rate and momentum, only states with a nonzero gain are measured.
    """
    x0 = np.asarray(model.operating_point, dtype=np.float64)
    rate = operating_rate(model)
    reference = np.concatenate((x0[3:7], rate, np.zeros(3)))
    beyond = np.concatenate((x0[:3], rate, x0[7:]))  # quantities that may deviate in addition to the attitude
    units = np.maximum(1.0, np.abs(beyond))
    largest = max(state_scale(model.inertia), float(np.abs(x0[:3]).max()) * 1e-3)
    units[:3] = 2.0 ** np.ceil(np.log2(largest))  # a power of 2, so that nearly equal spacecraft share cache entries
    units[3:6] = 1.0
    seen = 3 + beyond.size
    # plain Python may have internal state, so it is not cached
    differentiate = _slopes if getattr(law, "compiled", True) and isinstance(law.kernel, FunctionType) else _found
    parameters, memory = (np.array(each, dtype=np.float64) for each in (law.parameters, law.memory))
    memory, J = differentiate(law.kernel, parameters, memory, x0[3:7], beyond, reference, units, law.__class__.__name__)
    J[:, 3:seen] /= units
    B, D = J[3:, :seen], J[:3, :seen]
    names = seen_names(model)
    inner = acting_model(model)
    taken = [*range(3), *range(6, 9)]
    measured: tuple[str, ...] = ()
    of_momentum: tuple[Array, Array] | None = None
    if is_rigid(inner):
        of_momentum = (B[:, 3:6].copy(), D[:, 3:6].copy()) if B[:, 3:6].any() or D[:, 3:6].any() else None
        for matrix in (B, D):
            matrix[:, 6:9] += matrix[:, 3:6] @ inner.inertia
    elif B[:, 3:6].any() or D[:, 3:6].any():
        taken, measured = [*taken, 3, 4, 5], MOMENTUM
    looked_at = [n for n in range(9, seen) if B[:, n].any() or D[:, n].any()]
    if looked_at and len(names) != seen - 9:
        raise InputError("a law that measures internal states needs the model as returned by craft.linearize")
    there = acting_model(model, seen=[names[n - 9] for n in looked_at])
    kept = [n for n in looked_at if state_rows(there, [names[n - 9]]).any()]  # omits constants of the motion
    compensator = Compensator(
        A=J[3:, seen:],
        B=B[:, [*taken, *kept]],
        C=J[:3, seen:],
        D=D[:, [*taken, *kept]],
        tracking=np.zeros((memory.size, 3)),
    )
    return SmallSignal(compensator, (*measured, *(names[n - 9] for n in kept)), of_momentum)


def _found(
    kernel: Callable[..., None],
    parameters: Array,
    memory: Array,
    attitude: Array,
    beyond: Array,
    reference: Array,
    units: Array,
    name: str,
) -> tuple[Array, Array]:
    """Return the memory of a law at rest, and the derivatives of command and next memory (`at_rest`).

    attitude (4,): attitude of the reference; beyond (k,): inputs other than the attitude; units (k,): their units.
    """
    seen = 3 + beyond.size

    def call(s: NDArray[Any]) -> NDArray[Any]:
        """Return command and next memory for given input deviations and memory."""
        kind: Any = s.dtype
        half = 0.5 * s[:3]
        e = np.sqrt(1.0 - half @ half) * attitude + _turn(attitude) @ half
        other = beyond + units * s[3:seen]
        y = np.concatenate((other[:3], e, other[3:]))
        u, z = np.zeros(3, dtype=kind), np.array(s[seen:], dtype=kind)
        kernel(0.0, y, reference, parameters, z, u)
        return np.concatenate((u, z))

    return at_rest(call, seen, memory, answers=3, name=name)


_slopes = cached_solution(_found)


def _turn(e: Sequence[float] | Array) -> Array:
    """Return the matrix G(e)' that multiplies delta / 2 in e o (1, delta / 2)."""
    return np.array([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]])
