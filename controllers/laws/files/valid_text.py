"""File names that are not UTF-8, as text that every file and terminal accepts."""


def valid_text(text: str) -> str:
    """Return text that can be encoded as UTF-8; an invalid byte is replaced by its code.

    Python represents such bytes of a path or an argument as lone surrogates, which locate files but cannot be written
    to a text file.

    Examples
    --------
    >>> print(valid_text("m\\udcfcller.toml"))
    m\\udcfcller.toml
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
