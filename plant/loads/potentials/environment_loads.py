"""Kind of potential for the environmental torques of `polhode.plant.environment.loads`."""

from ...environment.loads import EnvironmentLoads

POTENTIAL = EnvironmentLoads
