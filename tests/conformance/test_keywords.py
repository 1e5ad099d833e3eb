"""A mistyped argument is an error everywhere, and arguments beyond the second are given by name."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from polhode.plant.fields import fields, filled
from polhode.plant.kernel import KERNELS

TYPO = "no_such_argument"
MAKES_NAMES = {fields, filled}  # their keywords are names of the caller's own; `filled` compares them with the fields


def callables_of(public: Any) -> Iterator[tuple[str, Any]]:
    """The object itself and the methods a user calls, unbound."""
    if not inspect.isclass(public):
        if public not in KERNELS:  # a kernel's arguments are positional: that is what the compiler takes
            yield public.__name__, public
        return
    if issubclass(public, BaseException | enum.Enum) or getattr(public, "_is_protocol", False):
        return
    yield public.__name__, public
    for name, member in vars(public).items():
        if name.startswith("_"):
            continue
        if isinstance(member, staticmethod | classmethod):
            yield f"{public.__name__}.{name}", getattr(public, name)
        elif inspect.isfunction(member) and member not in KERNELS:
            yield f"{public.__name__}.{name}", member


def test_a_typo_is_refused(public: Any) -> None:
    for name, function in callables_of(public):
        if function in MAKES_NAMES:
            continue
        if inspect.isabstract(function) or getattr(function, "__init__", None) is object.__init__:
            continue  # what takes no arguments has none to misspell
        with pytest.raises((TypeError, ValueError)) as refusal:
            function(**{TYPO: 1})
        assert TYPO in str(refusal.value), f"{name} fails without naming the argument"


def test_arguments_beyond_the_second_are_keyword_only(offered: Any) -> None:
    for name, function in callables_of(offered):
        positional = [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}
            and parameter.name not in {"self", "cls"}
        ]
        assert len(positional) <= 2, f"{name}: make {', '.join(positional[2:])} keyword-only"
