"""Check of the arguments of a user-defined function."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...plant.errors import InputError
from .c99.pointers import SIGNATURES


def check_arguments(kind: str, function: Callable[..., Any]) -> None:
    """Refuse a kernel that cannot be called with the arguments of its kind. Raises InputError."""
    require_arguments(f"the {kind}", function, list(SIGNATURES[kind].arguments))


def require_arguments(what: str, function: Callable[..., Any], names: Sequence[str]) -> None:
    """Refuse a function that cannot be called with some arguments, by position. Raises InputError.

    what: such as "the law", for the message.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # such as a function written in C: the call will show
        return
    try:
        signature.bind(*names)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise InputError(
            f"{what} {name!r} is defined as {name}{signature}, but is called with {len(names)} arguments: define it as "
            f"{name}({', '.join(names)})"
        ) from None
