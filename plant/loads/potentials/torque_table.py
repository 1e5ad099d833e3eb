"""Torque of a table over time, as one of the kinds: see `polhode.plant.environment.torque_table`."""

from ...environment.torque_table import POTENTIAL

__all__ = ["POTENTIAL"]
