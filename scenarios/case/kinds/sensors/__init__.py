"""Sensors and blocks from `[[sensors]]`. Each kind has a line in `kinds`, and a file if needed."""

from .kinds import KINDS

__all__ = ["KINDS"]
