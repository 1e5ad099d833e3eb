"""Text of cases, programs and files on a terminal: it is seen, and commands nothing."""

from rich import markup

from ...plant.plain_text import plain_text

__all__ = ["escape"]


def escape(text: str) -> str:
    """Return text for a console of rich: no markup, and no character that commands a terminal."""
    return markup.escape(plain_text(text))
