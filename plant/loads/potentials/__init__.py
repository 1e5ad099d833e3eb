"""Potential energies and orbital forces: gravity, springs, drag, thrust and user-defined potentials."""

from typing import TYPE_CHECKING

from ...lazy_names import lazy_name

if TYPE_CHECKING:
    from .drag import Drag
    from .gravity_gradient import GravityGradient
    from .guided_spring import GuidedSpring
    from .leak import Leak
    from .oblateness import Oblateness
    from .point_gravity import PointGravity
    from .spring import Spring
    from .thrust import Thrust
    from .uniform_gravity import UniformGravity
    from .user_potential import Potential

__all__ = [
    "Drag", "GravityGradient", "GuidedSpring", "Leak", "Oblateness", "PointGravity", "Potential", "Spring", "Thrust",
    "UniformGravity",
]  # fmt: skip

_HOMES = {
    "Drag": ".drag",
    "GravityGradient": ".gravity_gradient",
    "GuidedSpring": ".guided_spring",
    "Leak": ".leak",
    "Oblateness": ".oblateness",
    "PointGravity": ".point_gravity",
    "Potential": ".user_potential",
    "Spring": ".spring",
    "Thrust": ".thrust",
    "UniformGravity": ".uniform_gravity",
}
"""Module of each lazily imported name."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """List the public names, not the modules that define them."""
    return sorted(__all__)
