"""Element kind for flexible modes."""

from .....plant import FlexibleModes
from .declared import kind_of

KIND = kind_of("flexible-modes", FlexibleModes, module=__name__, moves_mass=False)
