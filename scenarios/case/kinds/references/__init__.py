"""References from `[reference]`. Each kind has a file with its table, and a line in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
