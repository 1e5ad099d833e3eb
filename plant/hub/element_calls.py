# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What elements are asked for, and how they are called: in plain Python by number, in compiled code by address."""

from typing import Any

from ..kernels.kernel import kernel
from .parameters import AT_ELEMENTS, AT_OWN, ELEMENT, N_ELEMENTS, N_OWN, VIEW, VIEW_ROW

__all__ = [
    "BACKWARD",
    "ENERGY",
    "FIELDS",
    "FORCES",
    "FORWARD",
    "LOCK",
    "MASS",
    "MOMENTA",
    "MOVE",
    "PROJECT",
    "RATES",
    "RECOVER",
    "RIGID",
    "SEE",
    "SHARES",
    "SIGNALS",
    "SLOPES",
    "TURNING",
    "call_all",
    "call_element",
    "call_near",
    "call_own",
    "call_view",
    "element_code",
    "element_functions",
]

MASS, FORCES, ENERGY, SIGNALS, RECOVER, FIELDS, RIGID = range(7)
MOMENTA, MOVE, SHARES, TURNING, SLOPES, FORWARD, BACKWARD = range(7, 14)
"""What an element is asked for: see `polhode.plant.elements.element`, and `branch` there from RECOVER on."""

SEE, RATES, PROJECT, LOCK = range(14, 18)
"""What a formulation is asked for: see `polhode.plant.formulations.view`."""

_functions: list = []


def element_code(function: Any) -> int:
    """Return the number by which plain Python finds the function of a kind of element."""
    if function not in _functions:
        _functions.append(function)
    return _functions.index(function)


def element_functions() -> tuple:
    """Return the functions of every kind of element packed so far, by their numbers."""
    return tuple(_functions)


def call_element(code, phase, t, x, u, p, row, w):
    """Call the function of an element. Compiled code replaces this by a call of the address in `code`."""
    _functions[int(code)](phase, t, x, u, p, row, w)


@kernel(inline=True)
def call_view(phase, t, x, dx, p, w):
    """Call the formulation in whose states the craft is integrated."""
    row = int(p[VIEW])
    call_element(p[row + VIEW_ROW.function], phase, t, x, dx, p, row, w)


@kernel
def call_all(phase, t, x, u, p, w):
    """Call every element."""
    row = int(p[AT_ELEMENTS])
    for _ in range(int(p[N_ELEMENTS])):
        call_element(p[row + ELEMENT.function], phase, t, x, u, p, row, w)
        row += int(p[row + ELEMENT.length])


@kernel
def call_near(phase, t, x, u, p, w):
    """Call the elements without states of their own."""
    row = int(p[AT_ELEMENTS])
    for _ in range(int(p[N_ELEMENTS] - p[N_OWN])):
        call_element(p[row + ELEMENT.function], phase, t, x, u, p, row, w)
        row += int(p[row + ELEMENT.length])


@kernel
def call_own(phase, t, x, u, p, w):
    """Call the elements with states of their own."""
    row = int(p[AT_OWN])
    for _ in range(int(p[N_OWN])):
        call_element(p[row + ELEMENT.function], phase, t, x, u, p, row, w)
        row += int(p[row + ELEMENT.length])
