"""From a `[[torques]]` table to a torque: one file per kind, with its table, and one line each in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
