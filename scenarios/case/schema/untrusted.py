"""What a case would run outside and nobody trusts: known by all who look at it, refused when a run begins."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ....plant.errors import InputError
from ....sim.exchange.process.answers import Answers
from ....sim.exchange.process.terms import Terms

__all__ = ["if_trusted"]


@dataclass(frozen=True)
class _Untrusted:
    """Something outside in place of which nothing runs; what: "command runs 'x'"."""

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
            f"the {terms.words}: {self.what} on this machine, with your rights; write trust = true beside it if you "
            "trust that program (a case taken from a file of results asks anew)"
        )
        yield  # a context manager has one


def if_trusted(answers: Answers, what: str, *, trusted: bool) -> Answers:
    """Return what answers, or what refuses to run it; what: "command runs 'x'"."""
    return answers if trusted else _Untrusted(answers, what)
