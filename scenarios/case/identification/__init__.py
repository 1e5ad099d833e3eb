"""Identification of a case from telemetry: its unknowns, its telemetry, and the model that compares them."""

from .identify_case import Estimate, IdentifiedCase, identify_case

__all__ = ["Estimate", "IdentifiedCase", "identify_case"]
