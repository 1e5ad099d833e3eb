"""Flexible arms on a rigid hub: exact beam elements of large rotation (Choi 2014, chapters 3 and 4)."""

from .appendage import AppendageModes, appendage_modes
from .arm import Arm
from .flight import flight_modes
from .matrices import Matrices
from .mesh import Mesh, arms_of, mesh_of
from .modes import MeshModes, modes_of
from .node_motion import (
    hub_position,
    mass_centre,
    node_attitudes,
    node_positions,
    node_rates,
    node_strains,
    node_velocities,
    strain_energy,
    tip_deflection,
)
from .reduce import ReducedCraft, reduce_craft
from .response import hub_response
from .section import BeamSection
from .statics import static_shape
from .twin import rigid_twin

__all__ = [
    "AppendageModes",
    "Arm",
    "BeamSection",
    "Matrices",
    "Mesh",
    "MeshModes",
    "ReducedCraft",
    "appendage_modes",
    "arms_of",
    "flight_modes",
    "hub_position",
    "hub_response",
    "mass_centre",
    "mesh_of",
    "modes_of",
    "node_attitudes",
    "node_positions",
    "node_rates",
    "node_strains",
    "node_velocities",
    "reduce_craft",
    "rigid_twin",
    "static_shape",
    "strain_energy",
    "tip_deflection",
]
