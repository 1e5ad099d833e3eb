"""Where the `polhode` command starts."""

from .commands.cli import main

__all__ = ["main"]
