"""Check of the arguments of a user-defined function."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...plant.errors import InputError
from .c99.pointers import SIGNATURES


def check_arguments(kind: str, function: Callable[..., Any]) -> None:
    """Raise InputError if a kernel cannot be called with the arguments of its kind."""
    require_arguments(f"the {kind}", function, list(SIGNATURES[kind].arguments))


def require_arguments(what: str, function: Callable[..., Any], names: Sequence[str]) -> None:
    """Raise InputError if a function cannot be called with the named positional arguments.

    what: subject of the message, such as "the law".
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # such as a function written in C: a wrong signature shows at the first call
        return
    try:
        signature.bind(*names)
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        raise InputError(
            f"{what} {name!r} is defined as {name}{signature}, but is called with {len(names)} arguments: define it as "
            f"{name}({', '.join(names)})"
        ) from None
