"""Reasons why a kernel cannot be translated to C."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ....plant.errors import InputError


class NotTranslatedError(InputError):
    """A kernel contains a construct that cannot be translated; the message names the construct, line and remedy.

    place: "file, line n: " of the construct, if known. why: the reason and the remedy.
    """

    def __init__(self, message: str, *, place: str = "", why: str = "") -> None:
        super().__init__(message)
        self.place, self.why = place, why or message


def refuse(kernel: Callable[..., Any], node: ast.AST | None, why: str) -> NotTranslatedError:
    """Return the error that states why a node of a kernel's syntax tree is not translated."""
    code = getattr(kernel, "__code__", None)
    line = getattr(node, "lineno", None) or getattr(code, "co_firstlineno", 0)
    name = getattr(kernel, "__name__", repr(kernel))
    module = getattr(kernel, "__module__", "?")
    place = f"{Path(code.co_filename).name}, line {line}: " if code is not None else ""
    return NotTranslatedError(
        f"{name!r} ({module}, line {line}) cannot be translated to C: {why}", place=place, why=why
    )
