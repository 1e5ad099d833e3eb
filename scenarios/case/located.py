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
        raise type(error)(f"{path}: {error}") from None
