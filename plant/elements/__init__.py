"""Internal elements: what moves inside a spacecraft."""

from .element import Element
from .ring_damper import RingDamper
from .wheel import Wheel
from .wheel_array import wheel_array

__all__ = ["Element", "RingDamper", "Wheel", "wheel_array"]
