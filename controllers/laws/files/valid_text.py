"""Conversion of file names that are not UTF-8 to text that every file and terminal accepts."""


def valid_text(text: str) -> str:
    """Return text that can be encoded as UTF-8, with each invalid byte replaced by its code.

    Python represents invalid bytes in a path or an argument as lone surrogates. Such strings work as paths but cannot
    be written to a text file.

    Examples
    --------
    >>> print(valid_text("m\\udcfcller.toml"))
    m\\udcfcller.toml
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
