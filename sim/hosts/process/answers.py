"""Interface of external laws and blocks: a program, an FMU, or anything else that can be opened for a run."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from .terms import Terms


@runtime_checkable
class Answers(Protocol):
    """Program or FMU that answers the samples of an external law or block; see `Process.opened`."""

    @property
    def words(self) -> str:
        """Return the name of the program in messages."""
        ...

    def opened(self, terms: Terms) -> AbstractContextManager[Callable[[float, Sequence[float]], list[float]]]:
        """Start the program for one run and end it with the context; yields the function that answers a sample."""
        ...
