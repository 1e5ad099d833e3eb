"""Laws, sensors and actuators that run in another process, in any language: see PROTOCOL.md."""

from .port import Port
from .process import Process
from .process_block import process_block
from .process_law import ProcessLaw

__all__ = ["Port", "Process", "ProcessLaw", "process_block"]
