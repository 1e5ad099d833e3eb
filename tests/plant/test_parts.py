"""Structural protocol checks evaluate no property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from polhode.plant.parts import has_parts


class Named(Protocol):
    size: int

    @property
    def name(self) -> str: ...


class Sized(Named, Protocol):
    def measure(self) -> float: ...


@dataclass(frozen=True)
class Good:
    size: int

    @property
    def name(self) -> str:
        raise AssertionError

    def measure(self) -> float:
        return 1.0


def test_has_parts_evaluates_no_property() -> None:
    assert has_parts(Good(1), Sized)


def test_has_parts_includes_instance_and_dynamic_attributes() -> None:
    class Bare:
        name = "x"

        def __getattr__(self, word: str) -> object:
            if word == "measure":
                return lambda: 1.0
            raise AttributeError(word)

    bare = Bare()
    assert not has_parts(bare, Sized)
    bare.__dict__["size"] = 2
    assert has_parts(bare, Sized)
    assert not has_parts(3.0, Named)
