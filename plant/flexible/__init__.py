"""Flexible arms on a rigid hub: exact beam elements of large rotation (003, chapters 3 and 4)."""

from .arm import Arm
from .matrices import Matrices
from .modes import FlexibleModes
from .satellite import FlexibleSatellite
from .section import BeamSection
from .spin import SpinModel, about_spin
from .statics import static_shape

__all__ = [
    "Arm",
    "BeamSection",
    "FlexibleModes",
    "FlexibleSatellite",
    "Matrices",
    "SpinModel",
    "about_spin",
    "static_shape",
]
