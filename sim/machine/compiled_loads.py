# pyright: basic
# (the functions made here are compiled; numba has no type stubs)
"""The user's own potentials and efforts, compiled: the twin of `polhode.plant.loads.user_loads`.

The gradient of a potential is taken by complex step, in compiled code: seven evaluations with an imaginary part
too small to matter in any product, exact to round-off.

What a function does wrong is noted as `polhode.plant.loads.faults` says. An index out of range raises in a user's
function."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...plant.errors import InputError
from ...plant.hub.dynamics import add_load, no_user_loads
from ...plant.hub.parameters import W_V
from ...plant.hub.place import hub_centre, whole_centre
from ...plant.loads.faults import begin_call, end_call
from ...plant.loads.potentials.user_potential import potential_load
from ...plant.loads.user_loads import function_name
from ...plant.spacecraft import Spacecraft
from ..codegen.library import has_library
from ..codegen.user_kernel import can_compile
from ..codegen.user_loads import LoadSet, load_set

__all__ = ["compiled_user_loads"]

STEP = 1e-40


def compiled_user_loads(craft: Spacecraft) -> "Callable[..., Any] | LoadSet":
    """Return the loads of a craft as one function of which `compiler.address_of` finds the address.

    -> loads(t, x, p, dx, w) or what stands for it in C; the kernel that does nothing when the craft has none of its
    own. Raises InputError when a function cannot be compiled, or a potential cannot be differentiated by complex step.
    """
    if not craft.user_potentials and not craft.efforts:
        return no_user_loads
    if has_library() and not can_compile():
        return craft.user_loads()  # differentiated by dual numbers
    for potential in craft.user_potentials:
        if potential.gradient is None and not potential.complex_step_safe:
            raise InputError(
                f"the potential {function_name(potential.function)!r} drops the imaginary part "
                "that carries its derivative in compiled code (abs, np.linalg.norm, np.arctan2 or a comparison): write "
                "a norm as np.sqrt(c @ c), give gradient=, or run with compiled=False"
            )
    if has_library():
        return load_set(craft)
    potentials = tuple((potential.function, potential.gradient) for potential in craft.user_potentials)
    return _loads(potentials, tuple(effort.function for effort in craft.efforts))


@cache  # the same functions, run again, are compiled once
def _loads(potentials: tuple[tuple[Any, Any], ...], efforts: tuple[Any, ...]) -> Callable[..., Any]:
    parts = [_potential(which, *functions) for which, functions in enumerate(potentials, start=1)]
    parts += [_effort(which, function) for which, function in enumerate(efforts, start=1 + len(potentials))]
    whole = parts[0]
    for part in parts[1:]:
        whole = _both(whole, part)
    names = [function_name(function) for function, _ in potentials] + [function_name(each) for each in efforts]
    whole.py_func.__name__ = ", ".join(names)  # by which a function that cannot be compiled is known
    return whole.py_func


def _jit(function: Any) -> Any:
    import numba

    if not hasattr(function, "__code__") and not hasattr(function, "py_func"):
        raise InputError(f"{function!r} is not a plain function, so it cannot be compiled; run it with compiled=False")
    return numba.njit(getattr(function, "py_func", function), boundscheck=True, error_model="numpy")


def _both(first: Any, second: Any) -> Any:
    def both(t, x, p, dx, w):
        first(t, x, p, dx, w)
        second(t, x, p, dx, w)

    return _jit(both)


def _potential(number: int, function: Any, gradient: Any) -> Any:
    step, which = STEP, float(number)
    add = _jit(_add_slope)
    if gradient is not None:
        given = _jit(gradient)

        def load(t, x, p, dx, w):
            c, e = np.empty(3), np.empty(4)
            c[0], c[1], c[2] = whole_centre(x, p, w)
            e[0], e[1], e[2], e[3] = x[3], x[4], x[5], x[6]
            kept = begin_call(t, which, x, p, dx, w)
            f = given(c, e)
            f0, f1, f2, f3, f4, f5, f6 = f[0], f[1], f[2], f[3], f[4], f[5], f[6]
            end_call(kept, p, dx, w, f0 + 0.0, f1 + 0.0, f2 + 0.0, f3 + 0.0, f4 + 0.0, f5 + 0.0, f6 + 0.0, 0.0)
            add(x, p, f0, f1, f2, f3, f4, f5, f6, dx, w)

        return _jit(load)

    energy = _jit(function)

    def load_by_complex_step(t, x, p, dx, w):
        here, slope = np.empty(7), np.empty(7)
        here[0], here[1], here[2] = whole_centre(x, p, w)
        here[3], here[4], here[5], here[6] = x[3], x[4], x[5], x[6]
        c, e = np.empty(3, np.complex128), np.empty(4, np.complex128)
        value = 0.0
        kept = begin_call(t, which, x, p, dx, w)
        for n in range(7):
            for i in range(3):  # anew each time, whatever the function did to them
                c[i] = complex(here[i], step if n == i else 0.0)
            for i in range(4):
                e[i] = complex(here[3 + i], step if n == 3 + i else 0.0)
            found = energy(c, e)
            slope[n] = found.imag / step
            value = found.real
            if abs(found.imag) > 1e-21 * (1.0 + abs(value)):  # no infinitesimal: V is not real here, as sqrt(-1)
                value = np.nan
                break
        f0, f1, f2, f3, f4, f5, f6 = slope[0], slope[1], slope[2], slope[3], slope[4], slope[5], slope[6]
        end_call(kept, p, dx, w, f0, f1, f2, f3, f4, f5, f6, value + 0.0)
        add(x, p, f0, f1, f2, f3, f4, f5, f6, dx, w)

    return _jit(load_by_complex_step)


def _add_slope(x, p, f0, f1, f2, g0, g1, g2, g3, dx, w):
    t0, t1, t2, f0, f1, f2 = potential_load(x[3], x[4], x[5], x[6], f0, f1, f2, g0, g1, g2, g3)
    add_load(x, p, dx, w, False, t0, t1, t2, f0, f1, f2)


def _effort(number: int, function: Any) -> Any:
    effort, which = _jit(function), float(number)

    def load(t, x, p, dx, w):
        e, omega, c, v = np.empty(4), np.empty(3), np.empty(3), np.empty(3)
        e[0], e[1], e[2], e[3] = x[3], x[4], x[5], x[6]
        n = int(p[W_V])
        omega[0], omega[1], omega[2] = w[n], w[n + 1], w[n + 2]
        c[0], c[1], c[2], v[0], v[1], v[2] = hub_centre(x, p, w)
        kept = begin_call(t, which, x, p, dx, w)
        f = effort(t, e, omega, c, v)
        f0, f1, f2, f3, f4, f5 = f[0], f[1], f[2], f[3], f[4], f[5]
        end_call(kept, p, dx, w, f0 + 0.0, f1 + 0.0, f2 + 0.0, f3 + 0.0, f4 + 0.0, f5 + 0.0, 0.0, 0.0)
        add_load(x, p, dx, w, True, f0, f1, f2, f3, f4, f5)

    return _jit(load)
