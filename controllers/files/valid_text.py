"""Names of files that are not UTF-8, as text that every file and terminal can hold."""

__all__ = ["valid_text"]


def valid_text(text: str) -> str:
    """Return text that UTF-8 can hold: a byte that is no part of it stands as its code.

    Python keeps such bytes of a path or an argument as half a surrogate pair, with which files are found and which no
    file of text can hold.

    Examples
    --------
    >>> print(valid_text("m\\udcfcller.toml"))
    m\\udcfcller.toml
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
