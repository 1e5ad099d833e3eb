"""Kind of potential for the environmental torques of `polhode.plant.environment.loads`."""

from ...environment.loads import POTENTIAL

__all__ = ["POTENTIAL"]
