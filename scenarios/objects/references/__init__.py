"""From a `[reference]` table to a reference: one file per motion, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # whoever comes first, the schema is made first
from .kind import ReferenceKind
from .kinds import KINDS
from .reference_of import reference_of

__all__ = ["KINDS", "ReferenceKind", "reference_of"]
