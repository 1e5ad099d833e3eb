"""From a `[reference]` table to a reference: one file per motion, with its table, and one line each in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
