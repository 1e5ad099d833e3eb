"""From `[[blocks]]` to blocks: one file per kind, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # whoever comes first, the schema is made first
from .blocks_of import blocks_of
from .kind import BlockKind
from .kinds import KINDS, kind_of

__all__ = ["KINDS", "BlockKind", "blocks_of", "kind_of"]
