"""Identification of a case from telemetry: unknowns, telemetry, and the model that is fitted to it."""

from .identify_case import Estimate, IdentifiedCase, identify_case

__all__ = ["Estimate", "IdentifiedCase", "identify_case"]
