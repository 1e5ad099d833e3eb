# pyright: basic
# (the functions made here are compiled; numba has no type stubs)
"""The user's own potentials and efforts, compiled: the twin of `polhode.plant.user_loads`.

The gradient of a potential is taken by complex step, in compiled code: seven evaluations with an imaginary part
too small to matter in any product, exact to round-off.

Compiled code that raises comes back to the engine as if nothing had happened. So dx[0] is not a number while the
user's function runs: if that does not come to its end, the run does.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..plant.dynamics import add_load, no_user_loads
from ..plant.errors import InputError
from ..plant.parameters import LINEAR_MOMENTUM, MASS, POSITION, TRANSLATION, W_V
from ..plant.potentials.user import potential_load
from ..plant.spacecraft import Spacecraft

__all__ = ["compiled_user_loads"]

STEP = 1e-40


def compiled_user_loads(craft: Spacecraft) -> Callable[..., Any]:
    """Return the loads of a craft as one function that numba can compile.

    Parameters
    ----------
    craft : Spacecraft
        The craft.

    Returns
    -------
    callable
        loads(t, x, p, dx, w); the kernel that does nothing when the craft has none of its own.

    Raises
    ------
    InputError
        When a function cannot be compiled, or a potential cannot be differentiated by complex step.
    """
    if not craft.user_potentials and not craft.efforts:
        return no_user_loads
    for potential in craft.user_potentials:
        if potential.gradient is None and not potential.complex_step_safe:
            name = getattr(potential.function, "__name__", "of the craft")
            raise InputError(
                f"the potential {name!r} drops the imaginary part "
                "that carries its derivative in compiled code (abs, np.linalg.norm, np.arctan2 or a comparison): write "
                "a norm as np.sqrt(c @ c), give gradient=, or run with compiled=False"
            )
    potentials = tuple((potential.function, potential.gradient) for potential in craft.user_potentials)
    return _loads(potentials, tuple(effort.function for effort in craft.efforts))


@cache  # the same functions, run again, are compiled once
def _loads(potentials: tuple[tuple[Any, Any], ...], efforts: tuple[Any, ...]) -> Callable[..., Any]:
    parts = [_potential(function, gradient) for function, gradient in potentials]
    parts += [_effort(function) for function in efforts]
    whole = parts[0]
    for part in parts[1:]:
        whole = _both(whole, part)
    return whole.py_func


def _jit(function: Any) -> Any:
    import numba

    if not hasattr(function, "__code__") and not hasattr(function, "py_func"):
        raise InputError(f"{function!r} is not a plain function, so it cannot be compiled; run it with compiled=False")
    return function if hasattr(function, "py_func") else numba.njit(function)


def _both(first: Any, second: Any) -> Any:
    def both(t, x, p, dx, w):
        first(t, x, p, dx, w)
        second(t, x, p, dx, w)

    return _jit(both)


def _potential(function: Any, gradient: Any) -> Any:
    step = STEP
    add = _jit(_add_slope)
    if gradient is not None:
        given = _jit(gradient)

        def load(t, x, p, dx, w):
            c = np.zeros(3)
            if p[TRANSLATION] != 0.0:
                for i in range(3):
                    c[i] = x[int(p[POSITION]) + i]
            e = np.empty(4)
            for i in range(4):
                e[i] = x[3 + i]
            slope = np.empty(7)
            kept = dx[0]
            dx[0] = np.nan
            found = given(c, e)
            for i in range(7):
                slope[i] = found[i]
            dx[0] = kept
            add(x, p, slope, dx, w)

        return _jit(load)

    energy = _jit(function)

    def load_by_complex_step(t, x, p, dx, w):
        c = np.zeros(3, np.complex128)
        if p[TRANSLATION] != 0.0:
            for i in range(3):
                c[i] = x[int(p[POSITION]) + i]
        e = np.empty(4, np.complex128)
        for i in range(4):
            e[i] = x[3 + i]
        slope = np.empty(7)
        kept = dx[0]
        dx[0] = np.nan
        for i in range(3):
            c[i] += 1j * step
            slope[i] = energy(c, e).imag / step
            c[i] -= 1j * step
        for i in range(4):
            e[i] += 1j * step
            slope[3 + i] = energy(c, e).imag / step
            e[i] -= 1j * step
        dx[0] = kept
        add(x, p, slope, dx, w)

    return _jit(load_by_complex_step)


def _add_slope(x, p, slope, dx, w):
    t0, t1, t2, f0, f1, f2 = potential_load(
        x[3], x[4], x[5], x[6], slope[0], slope[1], slope[2], slope[3], slope[4], slope[5], slope[6]
    )
    add_load(x, p, dx, w, False, t0, t1, t2, f0, f1, f2)


def _effort(function: Any) -> Any:
    effort = _jit(function)

    def load(t, x, p, dx, w):
        e = np.empty(4)
        for i in range(4):
            e[i] = x[3 + i]
        omega = np.empty(3)
        for i in range(3):
            omega[i] = w[int(p[W_V]) + i]
        c = np.zeros(3)
        v = np.zeros(3)
        if p[TRANSLATION] != 0.0:
            for i in range(3):
                c[i] = x[int(p[POSITION]) + i]
                v[i] = x[int(p[LINEAR_MOMENTUM]) + i] / p[MASS]
        kept = dx[0]
        dx[0] = np.nan
        found = effort(t, e, omega, c, v)
        dx[0] = kept
        add_load(x, p, dx, w, True, found[0], found[1], found[2], found[3], found[4], found[5])

    return _jit(load)
