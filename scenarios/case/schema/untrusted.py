"""External program without permission: its table is valid, but a run with it is rejected at the start."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ....plant.errors import InputError
from ....sim.hosts.process.answers import Answers
from ....sim.hosts.process.terms import Terms


@dataclass(frozen=True)
class _Untrusted:
    """Substitute for an untrusted program; what: description for messages, such as "runs 'x'"."""

    answers: Answers
    what: str

    @property
    def words(self) -> str:
        """Description of the program in messages."""
        return self.answers.words

    @contextmanager
    def opened(self, terms: Terms) -> Generator[Callable[[float, Sequence[float]], list[float]]]:
        """Raise InputError, since the program may not run."""
        raise InputError(
            f"the {terms.words} {self.what} on this machine, with your rights; if you trust that program, write "
            "trust = true in its table of the case file (for a case from a results file: --set "
            "controller.trust=true, "
            "or the key of its table)"
        )
        yield  # makes this function a generator, as a context manager needs


def if_trusted(answers: Answers, what: str, *, trusted: bool) -> Answers:
    """Return the program if it is trusted, otherwise a substitute that rejects the run.

    what: description for messages, such as "runs 'x'".
    """
    return answers if trusted else _Untrusted(answers, what)
