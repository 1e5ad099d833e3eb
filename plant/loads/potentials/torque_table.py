"""Kind of potential for the torque table of `polhode.plant.environment.torque_table`."""

from ...environment.torque_table import POTENTIAL

__all__ = ["POTENTIAL"]
