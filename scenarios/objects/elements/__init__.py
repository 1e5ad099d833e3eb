"""From `[[plant.elements]]` to elements: one file per kind, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # whoever comes first, the schema is made first
from .elements_of import elements_of, held_body
from .kind import ElementKind
from .kinds import KINDS, kind_of

__all__ = ["KINDS", "ElementKind", "elements_of", "held_body", "kind_of"]
