"""Potential energies: uniform gravity, springs, gravity gradient and user-defined potentials."""

from .gravity_gradient import GravityGradient
from .guided_spring import GuidedSpring
from .spring import Spring
from .uniform_gravity import UniformGravity
from .user_potential import Potential

__all__ = ["GravityGradient", "GuidedSpring", "Potential", "Spring", "UniformGravity"]
