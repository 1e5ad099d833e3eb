# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Registry of the potentials, one kind per file, and the dispatch of their kernels.

The dispatch is a nested chain of comparisons. The compiler inlines this chain, which is faster than a function pointer
in every stage of every step.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ...kernels.kernel import kernel
from .any_potential import AnyPotential

FILES = (
    "uniform_gravity",
    "spring",
    "gravity_gradient",
    "guided_spring",
    "point_gravity",
    "oblateness",
    "environment_loads",
    "torque_table",
    "drag",
    "thrust",
    "leak",
)

POTENTIALS: tuple[type[AnyPotential], ...] = tuple(import_module(f".{name}", __package__).POTENTIAL for name in FILES)
"""Kinds of potentials; the index of a kind is its code in the kernels."""


FIRST_WITHOUT_ENERGY = next(n for n, each in enumerate(POTENTIALS) if not each.has_energy)
"""Lowest code of the kinds that have no energy function; their power is counted as work."""


def number_of(potential: AnyPotential) -> int:
    """Return the code that identifies the kind of a potential in its row."""
    return POTENTIALS.index(type(potential))


def _chain(what: str, kernels: Sequence[Callable[..., Any]], number: int = 0) -> Callable[..., Any]:
    """Return a kernel that dispatches on `kind`, starting at the code `number`."""
    own = kernels[number]
    if number == len(kernels) - 1:

        def call(kind, t, x, p, row, w):
            return own(t, x, p, row, w)

    else:
        others = _chain(what, kernels, number + 1)

        def call(kind, t, x, p, row, w):
            if kind == number:
                return own(t, x, p, row, w)
            return others(kind, t, x, p, row, w)

    call.__name__ = call.__qualname__ = f"{what}_{number}"
    return kernel(inline=True)(call)


_load = _chain("load", [each.kernels[0] for each in POTENTIALS])
_energy = _chain("energy", [each.kernels[1] for each in POTENTIALS])


@kernel(inline=True)
def potential_load(kind, t, x, p, row, w):
    """Return torque (body) and force (inertial) of a potential of a given kind."""
    return _load(kind, t, x, p, row, w)


@kernel(inline=True)
def potential_energy(kind, t, x, p, row, w):
    """Return the energy of a potential of a given kind, J."""
    return _energy(kind, t, x, p, row, w)
