"""Context manager that puts the key path before messages of other packages."""

from collections.abc import Generator
from contextlib import contextmanager

from ...plant.errors import InputError


@contextmanager
def located(path: str) -> Generator[None]:
    """Put a key path or the name of a case before the message of any error raised inside.

    path: key path in the case file.
    """
    try:
        yield
    except InputError as error:
        raise type(error)(f"{path}: {error}") from None
