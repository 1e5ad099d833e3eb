"""Text that is seen and does nothing: on a terminal, in a picture, in a log."""

import re

__all__ = ["code_of", "plain_line", "plain_text"]


def plain_line(text: str) -> str:
    """Return text as one line: line ends and tabulators become spaces, other characters that do not print their codes.

    Among these are control characters, which command a terminal, marks that turn the direction of writing, and halves
    of surrogate pairs.

    Examples
    --------
    >>> plain_line("safe\\n\\x1b[2J")
    'safe \\\\x1b[2J'
    """
    spaced = " ".join(re.split(r"[\t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+", text))
    return _coded(spaced)


def plain_text(text: str) -> str:
    """Return text of several lines, each as `plain_line` has it: for a terminal, a picture, a log.

    Examples
    --------
    >>> plain_text("one\\n\\x1b]0;two")
    'one\\n\\\\x1b]0;two'
    """
    return "\n".join(map(plain_line, text.split("\n")))


def code_of(letter: str) -> str:
    """Return what stands for a character that is not written itself."""
    return f"\\x{ord(letter):02x}"


def _coded(text: str) -> str:
    return "".join(each if each.isprintable() or each.isspace() else code_of(each) for each in text)
