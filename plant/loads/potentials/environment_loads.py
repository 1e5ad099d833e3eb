"""Torques of the environment, as one of the kinds: see `polhode.plant.environment.loads`."""

from ...environment.loads import POTENTIAL

__all__ = ["POTENTIAL"]
