"""Interface of the programs behind external laws and blocks: a process, an FMU, or a custom class."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from .terms import Terms


@runtime_checkable
class Answers(Protocol):
    """Program or FMU that answers the samples of an external law or block; see `Process.opened`."""

    @property
    def words(self) -> str:
        """Name of the program in messages."""
        ...

    def opened(self, terms: Terms) -> AbstractContextManager[Callable[[float, Sequence[float]], list[float]]]:
        """Context manager that starts the program for one run; yields the function that answers a sample."""
        ...
