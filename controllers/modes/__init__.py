"""Modes: laws that take turns, and on what a craft goes from one to the next."""

from .condition import Condition
from .mode import Mode, Transition
from .modes import Modes

__all__ = ["Condition", "Mode", "Modes", "Transition"]
