# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Phases of element kernels and their dispatch: by index in plain Python, by address in compiled code."""

from typing import Any

from ..kernels.kernel import kernel
from ..kernels.lanes import shared
from .parameters import AT_ELEMENTS, AT_OWN, ELEMENT, N_ELEMENTS, N_OWN, VIEW, VIEW_ROW

MASS, FORCES, ENERGY, SIGNALS, RECOVER, FIELDS, RIGID = range(7)
MOMENTA, MOVE, SHARES, TURNING, SLOPES, FORWARD, BACKWARD = range(7, 14)
"""Phases of an element; see `polhode.plant.elements.element`, and from RECOVER on `polhode.plant.elements.branch`."""

SEE, RATES, PROJECT, LOCK = range(14, 18)
"""Phases of a formulation; see `polhode.plant.formulations.view`."""

_functions: list = []


def element_code(function: Any) -> int:
    """Return the index that identifies the function of an element kind in plain Python."""
    if function not in _functions:
        _functions.append(function)
    return _functions.index(function)


def element_functions() -> tuple:
    """Return the functions of all element kinds packed so far, in the order of their indices."""
    return tuple(_functions)


def call_element(code, phase, t, x, u, p, row, w):
    """Call the function of an element; compiled code calls the address in `code`."""
    _functions[int(code)](phase, t, x, u, p, row, w)


@kernel(inline=True)
def call_view(phase, t, x, dx, p, w):
    """Call the kernel of the formulation in whose states the spacecraft is integrated."""
    row = int(p[VIEW])
    call_element(p[row + VIEW_ROW.function], phase, t, x, dx, p, row, w)


@kernel
def call_all(phase, t, x, u, p, w):
    """Call all elements."""
    row = int(shared(p, AT_ELEMENTS))
    for _ in range(int(shared(p, N_ELEMENTS))):
        call_element(shared(p, row + ELEMENT.function), phase, t, x, u, p, row, w)
        row += int(shared(p, row + ELEMENT.length))


@kernel
def call_near(phase, t, x, u, p, w):
    """Call the elements without their own states."""
    row = int(shared(p, AT_ELEMENTS))
    for _ in range(int(shared(p, N_ELEMENTS) - shared(p, N_OWN))):
        call_element(shared(p, row + ELEMENT.function), phase, t, x, u, p, row, w)
        row += int(shared(p, row + ELEMENT.length))


@kernel
def call_own(phase, t, x, u, p, w):
    """Call the elements with their own states."""
    row = int(shared(p, AT_OWN))
    for _ in range(int(shared(p, N_OWN))):
        call_element(shared(p, row + ELEMENT.function), phase, t, x, u, p, row, w)
        row += int(shared(p, row + ELEMENT.length))
