"""Potential energies: uniform gravity, springs, gravity gradient and user-defined potentials."""

from typing import TYPE_CHECKING

from ...lazy_names import lazy_name

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
"""Module of each lazily imported name."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """List the public names, not the modules that define them."""
    return sorted(__all__)
