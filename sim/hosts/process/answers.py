"""Interface of external laws and blocks: a program, an FMU, or anything else that can be opened for a run."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from .terms import Terms


@runtime_checkable
class Answers(Protocol):
    """Name of an external law or block, and its start and end in a run; see `Process.opened`."""

    @property
    def words(self) -> str:
        """Its name in messages."""
        ...

    def opened(self, terms: Terms) -> AbstractContextManager[Callable[[float, Sequence[float]], list[float]]]:
        """Begin a run, and end it."""
        ...
