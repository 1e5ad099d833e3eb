"""Flexible arms on a rigid hub: geometrically exact beam elements for large rotations (Choi 2014, chapters 3 and 4)."""

from .elements.arm.arm import Arm
from .elements.arm.beam_section import BeamSection
from .elements.arm.node_motion import (
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
from .linear.vibration.appendage_modes import AppendageModes, appendage_modes
from .linear.vibration.flight_modes import flight_modes
from .linear.vibration.hub_response import hub_response
from .linear.vibration.matrices import Matrices
from .linear.vibration.mesh import Mesh, arms_of, mesh_of
from .linear.vibration.mesh_modes import MeshModes, modes_of
from .linear.vibration.reduce import ReducedCraft, reduce_craft
from .linear.vibration.rigid_twin import rigid_twin
from .linear.vibration.static_shape import static_shape

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
