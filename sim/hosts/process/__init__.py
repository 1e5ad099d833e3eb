"""Laws, sensors and actuators that run in another process, in any language: see PROTOCOL.md."""

from .external_block import ExternalBlock
from .external_law import ExternalLaw
from .process import Process

__all__ = ["ExternalBlock", "ExternalLaw", "Process"]
