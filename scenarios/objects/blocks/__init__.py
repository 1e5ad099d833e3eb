"""From `[[blocks]]` to blocks: one file per kind, with its table, and one line each in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
