"""Text without control characters, for terminals, figures and logs."""

import re


def plain_line(text: str) -> str:
    """Return text as one line: line ends and tabs become spaces, unprintable characters become codes.

    Control characters (terminal commands), bidirectional marks and lone surrogates are unprintable.

    Examples
    --------
    >>> plain_line("safe\\n\\x1b[2J")
    'safe \\\\x1b[2J'
    """
    spaced = " ".join(re.split(r"[\t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+", text))
    return _coded(spaced)


def plain_text(text: str) -> str:
    """Return text of several lines, with each line converted by `plain_line`.

    Examples
    --------
    >>> plain_text("one\\n\\x1b]0;two")
    'one\\n\\\\x1b]0;two'
    """
    return "\n".join(map(plain_line, text.split("\n")))


def code_of(letter: str) -> str:
    """Return the escape code of an unprintable character."""
    return f"\\x{ord(letter):02x}"


def _coded(text: str) -> str:
    return "".join(each if each.isprintable() or each.isspace() else code_of(each) for each in text)
