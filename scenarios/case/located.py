"""Context manager that prefixes error messages with the key path."""

from collections.abc import Generator
from contextlib import contextmanager

from ...plant.errors import InputError


@contextmanager
def located(path: str) -> Generator[None]:
    """Prefix the message of an error raised inside the context with a key path or the name of a case.

    path: key path in the case file, or name of the case.
    """
    try:
        yield
    except InputError as error:
        words = str(error)  # a case that is loaded or designed inside another context has its name already
        raise type(error)(words if words.startswith(f"{path}: ") else f"{path}: {words}") from None
