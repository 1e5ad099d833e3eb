"""Potential energies: uniform gravity, springs, gravity gradient and user-defined potentials."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .gravity_gradient import GravityGradient
    from .guided_spring import GuidedSpring
    from .spring import Spring
    from .uniform_gravity import UniformGravity
    from .user_potential import Potential

__all__ = ["GravityGradient", "GuidedSpring", "Potential", "Spring", "UniformGravity"]

_HOMES = {
    "GravityGradient": ".gravity_gradient",
    "GuidedSpring": ".guided_spring",
    "Potential": ".user_potential",
    "Spring": ".spring",
    "UniformGravity": ".uniform_gravity",
}
"""Module of each name that is imported at its first use."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(_HOMES[name], __name__), name)
    return found


def __dir__() -> list[str]:
    """Show what a user calls, not the modules it comes from."""
    return sorted(__all__)
