"""From a `[controller]` table to a law: one file per kind of law, with its table, and one line each in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
