"""Exact linear models on the tangent space of the attitude."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_name
from .model import LinearModel
from .outputs import OUTPUTS

if TYPE_CHECKING:
    from .tangent import linearize, linearize_at

__all__ = ["OUTPUTS", "LinearModel", "linearize", "linearize_at"]

_HOMES = {"linearize": ".tangent", "linearize_at": ".tangent"}
"""Module of each lazily imported public name, which keeps the start-up short."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)
