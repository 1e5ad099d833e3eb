"""What the tables of all blocks have in common."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from .fields import NonNegative, Positive, Table, Text, entries_of, given, wrong

__all__ = ["BlockTable", "names_of"]


def names_of(value: object) -> Any:
    """Return names of signals, given as one or as a list."""
    entries = [value] if isinstance(value, str) else entries_of(value)
    if not entries or not all(isinstance(entry, str) and entry for entry in entries):
        raise wrong(f"must be the name of a signal, or a list of names; got {given(value)}")
    return tuple(entries)


class BlockTable(Table):
    """One of `[[blocks]]`: what runs on the clock beside the controller, in their order."""

    name: Text | None = Field(default=None, description="what it is called; its kind if left out")
    reads: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        description="signals: momentum, attitude, rate, applied, reference, command, a state of the craft, or one that "
        "a block before it writes; with several, one after the other"
    )
    writes: Text | None = Field(default=None, description="the signal it writes; the one it reads if left out")
    sample_s: Positive | None = Field(default=None, description="period, s; that of the controller if left out")
    offset_s: NonNegative = Field(default=0.0, description="time of its first sample, s")
    delay_s: NonNegative = Field(default=0.0, description="from a sample to its answer, s")
    jitter_s: NonNegative = Field(
        default=0.0, description="it measures at a time before its sample that is drawn evenly from 0 to this, s"
    )

    def written(self, *, read: int, there: int | None) -> int:
        """Return how many numbers it writes; read: how many it reads, there: of a signal that is there already."""
        return read

    @property
    def label(self) -> str:
        """What it is called."""
        return str(getattr(self, "kind")) if self.name is None else self.name  # noqa: B009 # of every kind
