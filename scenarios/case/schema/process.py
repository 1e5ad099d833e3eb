"""Common keys of laws, blocks and torques that are external processes."""

from os.path import isfile
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from ....sim.hosts.process import Process
from ....sim.hosts.process.answers import Answers
from .authority import vouched
from .fields import FileName, Positive, PositiveInteger, Program, Switch, Table, entries_of, given, wrong
from .untrusted import if_trusted


def _words(value: object) -> tuple[str, ...]:
    entries = entries_of(value)
    if not entries or not all(isinstance(entry, str) and entry and "\0" not in entry for entry in entries):
        raise wrong(f"must be a list of words, the program first, since no shell reads it; got {given(value)}")
    return tuple(str(entry) for entry in entries)


class ProcessKeys(Table):
    """External program that computes outputs at each sample, or a local port at which a program listens."""

    paths: ClassVar[tuple[str, ...]] = ("folder",)
    program_keys: ClassVar[tuple[str, ...]] = ("command", "port", "folder", "trust")

    command: Annotated[tuple[str, ...], BeforeValidator(_words)] | None = Field(
        default=None, description="the program and its arguments, a list of words; each run starts it and ends it"
    )
    port: Annotated[PositiveInteger, Field(le=65535)] | None = Field(
        default=None, description="instead of command: local port of a running program"
    )
    folder: FileName = Field(
        default=".", description="working directory of the command, relative to the folder of the case file"
    )
    trust: Switch = Field(
        default=False,
        validate_default=True,
        description=(
            "whether the command may run, with all rights of the user; in a case from a results file, "
            "whether a connection to the port is allowed"
        ),
    )
    answer_within_s: Positive = Field(default=5.0, description="timeout of an answer, s of wall-clock time")
    start_within_s: Positive = Field(default=10.0, description="timeout of the start, s of wall-clock time")

    @field_validator("trust")
    @classmethod
    def _vouched(cls, said: bool, info: ValidationInfo) -> bool:
        command, port, folder = (info.data.get(key) for key in ("command", "port", "folder"))
        return vouched(_program(command, port, folder or ""), said=said, info=info)

    @model_validator(mode="after")
    def _one(self) -> "ProcessKeys":
        if (self.command is None) == (self.port is None):
            raise wrong("needs either command, which starts a program, or port, at which a program listens")
        return self

    @property
    def process(self) -> Answers:
        """The external program; an untrusted program is rejected when a run starts."""
        found = Process(
            command=self.command or (),
            port=self.port,
            folder=self.folder,
            answer_within=self.answer_within_s,
            start_within=self.start_within_s,
        )
        does = "connects to" if self.command is None else "runs"
        return if_trusted(found, f"{does} {self.outside}", trusted=self.trust)

    @property
    def files(self) -> tuple[Path, ...]:
        """Return the files named in the command, such as a script; the program may read other files too."""
        return tuple(path for word in self.command or () if isfile(path := Path(self.folder) / word))  # noqa: PTH113 # of any length

    @property
    def outside(self) -> str:
        """Display name of the program, or of the port at which it listens."""
        return f"port {self.port}" if self.command is None else f"{' '.join(self.command)!r} in {self.folder!r}"

    @property
    def trusted(self) -> frozenset[Program]:
        """The program as a permitted program, if it may run."""
        return frozenset({_program(self.command, self.port, self.folder)} if self.trust else ())


def _program(command: tuple[str, ...] | None, port: int | None, folder: str) -> Program:
    return ("port", str(port)) if command is None else ("command", folder, *command)
