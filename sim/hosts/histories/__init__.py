"""Attitude and orbit histories in formats of other tools: CCSDS messages, and CZML for 3D display."""

from .aem import read_aem, write_aem
from .czml import write_czml
from .history import AttitudeHistory, OrbitHistory
from .oem import read_oem, write_oem

__all__ = ["AttitudeHistory", "OrbitHistory", "read_aem", "read_oem", "write_aem", "write_czml", "write_oem"]
