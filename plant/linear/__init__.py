"""Exact linear models on the tangent space of the attitude."""

from .model import LinearModel
from .outputs import OUTPUTS
from .tangent import linearize

__all__ = ["OUTPUTS", "LinearModel", "linearize"]
