"""Elements from `[[plant.elements]]`. Each kind has a file with its table, or a line in `kinds` only."""

from .kinds import KINDS

__all__ = ["KINDS"]
