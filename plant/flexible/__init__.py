"""Flexible arms on a rigid hub: exact beam elements of large rotation (003, chapters 3 and 4)."""

from .appendage import AppendageModes, appendage_modes
from .arm import Arm
from .flight import flight_modes
from .matrices import Matrices
from .modes import FlexibleModes
from .reduce import ReducedSatellite, reduce_satellite
from .response import hub_response
from .satellite import FlexibleSatellite
from .section import BeamSection
from .spin import SpinModel, about_spin
from .statics import static_shape

__all__ = [
    "AppendageModes",
    "Arm",
    "BeamSection",
    "FlexibleModes",
    "FlexibleSatellite",
    "Matrices",
    "ReducedSatellite",
    "SpinModel",
    "about_spin",
    "appendage_modes",
    "flight_modes",
    "hub_response",
    "reduce_satellite",
    "static_shape",
]
