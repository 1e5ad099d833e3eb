"""The script that runs the engine's module in a page."""

from pathlib import Path


def engine_script() -> str:
    """Return `engine.js`, an ES module whose class Engine runs the result of `browser_run`."""
    return Path(__file__).with_name("engine.js").read_text(encoding="utf-8")
