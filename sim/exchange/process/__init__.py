"""Laws, sensors and actuators that run in another process, whatever they are written in: see PROTOCOL.md."""

from .port import Port
from .process import Process
from .process_block import process_block
from .process_law import ProcessLaw

__all__ = ["Port", "Process", "ProcessLaw", "process_block"]
