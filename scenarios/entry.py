"""Where the `polhode` command starts."""

from .cli import main

__all__ = ["main"]
