"""An outside program that may not run: inspected like any other, refused when a run begins."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ....plant.errors import InputError
from ....sim.exchange.process.answers import Answers
from ....sim.exchange.process.terms import Terms

__all__ = ["if_trusted"]


@dataclass(frozen=True)
class _Untrusted:
    """An outside program in place of which nothing runs; what: "runs 'x'"."""

    answers: Answers
    what: str

    @property
    def words(self) -> str:
        """What it is called in messages."""
        return self.answers.words

    @contextmanager
    def opened(self, terms: Terms) -> Generator[Callable[[float, Sequence[float]], list[float]]]:
        """Refuse; raises InputError."""
        raise InputError(
            f"the {terms.words} {self.what} on this machine, with your rights; if you trust that program, write "
            "trust = true beside it in the case file (for a case from a file of results: --set controller.trust=true, "
            "or the key of its table)"
        )
        yield  # a context manager has one


def if_trusted(answers: Answers, what: str, *, trusted: bool) -> Answers:
    """Return what answers, or what refuses to run it; what: "runs 'x'"."""
    return answers if trusted else _Untrusted(answers, what)
