"""Why a kernel cannot be written as C."""

import ast
from collections.abc import Callable
from typing import Any

from ....plant.errors import InputError

__all__ = ["NotTranslatedError", "refuse"]


class NotTranslatedError(InputError):
    """A kernel does something that has no translation; the message names it, the line and the way out."""


def refuse(kernel: Callable[..., Any], node: ast.AST | None, why: str) -> NotTranslatedError:
    """Return the error to raise: why `kernel` is not translated at a node of its syntax tree."""
    line = getattr(node, "lineno", None) or getattr(getattr(kernel, "__code__", None), "co_firstlineno", 0)
    name = getattr(kernel, "__name__", repr(kernel))
    return NotTranslatedError(f"{name!r} ({getattr(kernel, '__module__', '?')}, line {line}) has no C: {why}")
