"""Kind of potential for the torque table of `polhode.plant.environment.torque_table`."""

from ...environment.torque_table import TorqueTable

POTENTIAL = TorqueTable
