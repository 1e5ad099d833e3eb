"""The keys of whatever runs in another process."""

from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field, model_validator

from ....sim.exchange.process import Process
from ....sim.exchange.process.answers import Answers
from .fields import Positive, PositiveInteger, Switch, Table, Text, entries_of, given, wrong
from .untrusted import if_trusted

__all__ = ["ProcessKeys"]


def _words(value: object) -> tuple[str, ...]:
    entries = entries_of(value)
    if not entries or not all(isinstance(entry, str) and entry and "\0" not in entry for entry in entries):
        raise wrong(f"must be a list of words, the program first, since no shell reads it; got {given(value)}")
    return tuple(str(entry) for entry in entries)


class ProcessKeys(Table):
    """A program that answers samples, or a port of this machine at which one listens."""

    paths: ClassVar[tuple[str, ...]] = ("folder",)

    command: Annotated[tuple[str, ...], BeforeValidator(_words)] | None = Field(
        default=None, description="the program and its arguments, a list of words; each run starts it and ends it"
    )
    port: Annotated[PositiveInteger, Field(le=65535)] | None = Field(
        default=None, description="in place of command: the port of this machine at which it listens already"
    )
    folder: Text = Field(default=".", description="where the command runs, from the folder of the case file")
    trust: Switch = Field(
        default=False, description="whether the command may run: it does so with all the rights of who runs the case"
    )
    answer_within_s: Positive = Field(default=5.0, description="how long an answer may take, s on the wall")
    start_within_s: Positive = Field(default=10.0, description="how long it may take to be ready, s on the wall")

    @model_validator(mode="after")
    def _one(self) -> "ProcessKeys":
        if (self.command is None) == (self.port is None):
            raise wrong("needs either command, which starts a program, or port, at which one listens")
        return self

    @property
    def process(self) -> Answers:
        """What answers; a command that is not trusted is refused when a run begins."""
        found = Process(
            command=self.command or (),
            port=self.port,
            folder=self.folder,
            answer_within=self.answer_within_s,
            start_within=self.start_within_s,
        )
        trusted = self.trust or self.command is None
        return if_trusted(found, f"command runs {found.words!r}", trusted=trusted)
