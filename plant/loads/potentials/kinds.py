# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Registry of the potentials, one line per file, and the dispatch of their kernels.

The dispatch is a nested chain of comparisons. The compiler inlines it, which is faster than a function pointer at every
stage of every step.
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
    "environment_loads",
    "torque_table",
)

POTENTIALS: tuple[type[AnyPotential], ...] = tuple(import_module(f".{name}", __package__).POTENTIAL for name in FILES)
"""Kinds of potentials, in the order of their numbers."""


FIRST_WITHOUT_ENERGY = next(n for n, each in enumerate(POTENTIALS) if not each.has_energy)
"""Number from which on the kinds have no energy; their power counts as work."""


def number_of(potential: AnyPotential) -> int:
    """Return the number that identifies the kind of a potential in its row."""
    return POTENTIALS.index(type(potential))


def _chain(what: str, kernels: Sequence[Callable[..., Any]], number: int = 0) -> Callable[..., Any]:
    """Kernel that dispatches on `kind`, from `number` on."""
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
    """Torque (body) and force (inertial) of a potential of a given kind."""
    return _load(kind, t, x, p, row, w)


@kernel(inline=True)
def potential_energy(kind, t, x, p, row, w):
    """Energy of a potential of a given kind, J."""
    return _energy(kind, t, x, p, row, w)
