"""Escape text of cases, programs and files for the terminal."""

from rich import markup

from ...plant.plain_text import plain_text


def escape(text: str) -> str:
    """Return text for a rich console without markup and terminal control characters."""
    return markup.escape(plain_text(text))
