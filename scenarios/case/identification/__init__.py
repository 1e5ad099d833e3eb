"""Identification of a case from telemetry: unknowns, telemetry, and the fitted model."""

from .design_excitation import commands_information, design_excitation
from .designed_excitation import DesignedExcitation
from .identify_case import Estimate, IdentifiedCase, identify_case

__all__ = [
    "DesignedExcitation",
    "Estimate",
    "IdentifiedCase",
    "commands_information",
    "design_excitation",
    "identify_case",
]
