"""Context manager that puts the key path before the messages of errors."""

from collections.abc import Generator
from contextlib import contextmanager

from ...plant.errors import InputError


@contextmanager
def located(path: str) -> Generator[None]:
    """Put a key path or the name of a case before the message of an error raised inside the context.

    path: key path in the case file, or name of the case.
    """
    try:
        yield
    except InputError as error:
        raise type(error)(f"{path}: {error}") from None
