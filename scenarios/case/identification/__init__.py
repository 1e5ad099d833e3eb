"""Identification of a case from telemetry: unknowns, telemetry, and the fitted model."""

from .identify_case import Estimate, IdentifiedCase, identify_case

__all__ = ["Estimate", "IdentifiedCase", "identify_case"]
