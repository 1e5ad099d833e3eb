"""Internal elements: what moves inside a spacecraft."""

from .element import Element
from .ring_damper import RingDamper
from .wheel import Wheel

__all__ = ["Element", "RingDamper", "Wheel"]
