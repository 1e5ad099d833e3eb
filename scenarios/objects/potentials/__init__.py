"""From `[[plant.potentials]]` to potentials: one file per kind, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # whoever comes first, the schema is made first
from .kind import PotentialKind
from .kinds import KINDS, potentials_of

__all__ = ["KINDS", "PotentialKind", "potentials_of"]
