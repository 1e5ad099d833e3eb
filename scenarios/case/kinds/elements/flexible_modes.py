"""Flexible modes of a case."""

from .....plant import FlexibleModes
from .declared import kind_of

KIND = kind_of("flexible-modes", FlexibleModes, module=__name__, moves_mass=False)
