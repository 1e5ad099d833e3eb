"""Elements from `[[plant.elements]]`. Each kind has a line in `kinds`, and a file if it needs one."""

from .kinds import KINDS

__all__ = ["KINDS"]
