"""What answers the samples of a law or a block from outside: a program, a unit, whatever can be opened for a run."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from .terms import Terms

__all__ = ["Answers"]


@runtime_checkable
class Answers(Protocol):
    """How it is called, and how a run begins with it and ends; see `Process.opened`."""

    @property
    def words(self) -> str:
        """What it is called in messages."""
        ...

    def opened(self, terms: Terms) -> AbstractContextManager[Callable[[float, Sequence[float]], list[float]]]:
        """Begin a run, and end it."""
        ...
