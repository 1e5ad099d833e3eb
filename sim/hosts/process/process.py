"""A program that answers samples: its start or connection, and the exchange during one run."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ....plant.checks import of_kind, positive
from ....plant.errors import InputError
from . import messages
from .channel import Channel, ChannelError, connected, started
from .messages import MessageError
from .terms import Terms

START = "at the start of the run"


@dataclass(frozen=True, kw_only=True)
class Process:
    """A program in any language that uses the line protocol of PROTOCOL.md in this folder.

    With a command, each run starts the program and always ends it, even after an error; parallel runs have separate
    processes. With a port, each run connects to a program that already listens there. The program has all access rights
    of the user: start only programs that you trust.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments as separate words; no shell is involved.
    port : int, optional
        Instead of a command, the port on this machine (127.0.0.1) on which the program listens.
    folder : str or path
        Working directory of the command.
    answer_within : float
        Time limit for the answer to a sample, s of wall-clock time.
    start_within : float
        Time limit for the answer to the first message, s of wall-clock time.
    label : str
        Name of the program in messages; by default the command or port.

    Raises
    ------
    InputError
        When both command and port are given, or neither, or an argument is out of range.

    Examples
    --------
    >>> Process(command=["python3", "law.py"]).words
    'python3 law.py'
    """

    command: Sequence[str] = ()
    port: int | None = None
    folder: str | Path = "."
    answer_within: float = 5.0
    start_within: float = 10.0
    label: str = ""

    def __post_init__(self) -> None:
        """Check the arguments."""
        if isinstance(self.command, str) or not isinstance(self.command, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"command must be a list of words, since no shell reads it; got {self.command!r}")
        words = tuple(self.command)
        if not all(isinstance(word, str) and "\0" not in word for word in words) or (words and not words[0]):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"command must be the name of a program and its arguments; got {list(words)!r}")
        if bool(words) == (self.port is not None):
            raise InputError("give either a command that starts the process, or a port at which it listens")
        if self.port is not None:
            of_kind("port", self.port, int, such_as="a whole number from 1 to 65535")
            if self.port is True or not 1 <= self.port <= 65535:
                raise InputError(f"port must be a whole number from 1 to 65535; got {self.port}")
        object.__setattr__(self, "command", words)
        object.__setattr__(self, "answer_within", positive("answer_within", self.answer_within, "s"))
        object.__setattr__(self, "start_within", positive("start_within", self.start_within, "s"))

    @property
    def words(self) -> str:
        """Name of the program in messages."""
        return f"port {self.port}" if self.port is not None else " ".join(self.command)

    @contextmanager
    def opened(self, terms: Terms) -> Generator[Callable[[float, Sequence[float]], list[float]]]:
        """Start the program for one run, and end it when the run ends.

        Parameters
        ----------
        terms : Terms
            Terms of the run, which the program must confirm.

        Yields
        ------
        callable
            Function respond(t, y), which returns the program's outputs at a sample, one signal after the other.

        Raises
        ------
        InputError
            When the program cannot be started, does not confirm the terms, or sends an invalid message. `respond` also
            raises InputError for an invalid message.
        """
        who = f"{self.label or f'the process {self.words!r}'} of the {terms.words}"
        declared, answered = (sum(port.size for port in ports) for ports in (terms.reads, terms.writes))
        with self.talking(who, messages.hello(terms)) as talk:
            talk.greeted(lambda line: messages.check_hello(line, terms))

            def respond(t: float, y: Sequence[float]) -> list[float]:
                if len(y) != declared:
                    raise InputError(
                        f"{who} is declared to read {declared} numbers, but its signals have {len(y)}: correct the "
                        "declared sizes"
                    )
                talk.send(t, {"t": t, "y": list(y)})
                return talk.receive(answered)

            yield respond

    @contextmanager
    def talking(self, who: str, first: bytes) -> Generator["Talk"]:
        """Start the program and send the first message; end the program when the context ends.

        Parameters
        ----------
        who : str
            Name of the program in messages.
        first : bytes
            The first line sent to the program.

        Yields
        ------
        Talk
            Exchange with the program: the answer to the first line, then messages and answers in lock step.

        Raises
        ------
        InputError
            When the program cannot be started.
        """
        channel: Channel | None = None
        orderly = False
        try:
            try:
                channel = (
                    started(self.command, Path(self.folder))
                    if self.port is None
                    else connected(self.port, within=self.start_within)
                )
                channel.send(first, within=self.start_within)
            except ChannelError as error:
                raise InputError(_failure(who, START, error, channel)) from None
            talk = Talk(who, channel, start_within=self.start_within, within=self.answer_within)
            yield talk
            orderly = not talk.failed
        finally:
            if channel is not None:
                channel.close(farewell=messages.END if orderly else b"")


class Talk:
    """Numbered messages and answers in lock step: each message is answered before the next one is sent.

    If `send` or `receive` raises InputError, the process has crashed, hung or violated the protocol, and is sent no
    further message.
    """

    def __init__(self, who: str, channel: Channel, *, start_within: float, within: float) -> None:
        self._who, self._channel, self._start_within, self._within = who, channel, start_within, within
        self._number, self._when = 0, START
        self.failed = False

    def greeted(self, check: Callable[[bytes], None]) -> None:
        """Wait for the first answer. check: function that raises MessageError for an unexpected answer."""
        with self._told_once():
            check(self._channel.receive(within=self._start_within))

    def send(self, t: float, message: Mapping[str, object]) -> None:
        """Send a message. t: time of the sample for error messages, s."""
        with self._told_once():
            self._require_silence()  # surplus output belongs to the previous sample: the error states its time
        self._when = f"at t = {t:.9g} s"
        with self._told_once():
            self._channel.send(messages.numbered(self._number, message), within=self._within)

    def receive(self, size: int) -> list[float]:
        """Wait for the reply, and return its `size` values."""
        with self._told_once():
            found = messages.numbers_in(self._channel.receive(within=self._within), self._number, size)
            self._require_silence()
        self._number += 1
        return found

    @contextmanager
    def _told_once(self) -> Generator[None]:
        try:
            yield
        except (ChannelError, MessageError) as error:
            self.failed = True
            raise InputError(_failure(self._who, self._when, error, self._channel)) from None
        except KeyboardInterrupt:  # an answer is pending, and would be taken for the answer to the next message
            self.failed = True
            raise

    def _require_silence(self) -> None:
        more = self._channel.pending
        if more:
            raise MessageError(f"sent more than one answer: {more[:80]!r}")


def _failure(who: str, when: str, error: Exception, channel: Channel | None) -> str:
    said = "" if channel is None else channel.said
    return f"{who} {error}, {when}{f'; on stderr it wrote: {said}' if said else ''}"
