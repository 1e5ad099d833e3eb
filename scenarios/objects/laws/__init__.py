"""From a `[controller]` table to a law: one file per kind of law, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # the tables of all kinds are part of it: whoever comes first, it is made first
from .kind import LawKind
from .kinds import KINDS, kind_of

__all__ = ["KINDS", "LawKind", "kind_of"]
