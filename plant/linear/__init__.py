"""Exact linear models on the tangent space of the attitude."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_name
from .model import LinearModel
from .outputs import OUTPUTS

if TYPE_CHECKING:
    from .tangent import linearize

__all__ = ["OUTPUTS", "LinearModel", "linearize"]

_HOMES = {"linearize": ".tangent"}
"""Module of each lazily imported public name, which keeps the start-up short."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)
