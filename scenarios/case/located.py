"""The place in a case file, put before the message of whatever another room refuses."""

from collections.abc import Generator
from contextlib import contextmanager

from ...plant.errors import InputError

__all__ = ["located"]


@contextmanager
def located(path: str) -> Generator[None]:
    """Put a key path, or a case's name, before the message of whatever another room refuses.

    path: the place in the case file -> nothing.
    """
    try:
        yield
    except InputError as error:
        raise type(error)(f"{path}: {error}") from None
