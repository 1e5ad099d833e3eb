"""Common keys of all blocks."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from .fields import NonNegative, Positive, Table, Text, entries_of, given, wrong


def names_of(value: object) -> Any:
    """Return signal names as a tuple, from one name or a list of names."""
    entries = [value] if isinstance(value, str) else entries_of(value)
    if not entries or not all(isinstance(entry, str) and entry for entry in entries):
        raise wrong(f"must be the name of a signal, or a list of names; got {given(value)}")
    return tuple(entries)


class BlockTable(Table):
    """One of `[[blocks]]`: a block sampled in addition to the controller, in the order of the tables."""

    name: Text | None = Field(default=None, description="name; by default its kind")
    reads: Annotated[tuple[str, ...], BeforeValidator(names_of)] = Field(
        description="signals: momentum, attitude, rate, applied, reference, command, a state of the craft, or one that "
        "an earlier block writes; several signals are concatenated"
    )
    writes: Text | None = Field(default=None, description="output signal; by default its input signal")
    sample_s: Positive | None = Field(default=None, description="sampling period, s; by default that of the controller")
    offset_s: NonNegative = Field(default=0.0, description="time of the first sample, s")
    delay_s: NonNegative = Field(default=0.0, description="delay from a sample until its output acts, s")
    jitter_s: NonNegative = Field(
        default=0.0, description="jitter: largest time by which the input precedes the sample (uniform distribution), s"
    )

    def written(self, *, read: int, there: int | None) -> int:
        """Return the width of the block's output.

        read: width of the input; there: width of the signal that the block replaces, if it exists already.
        """
        return read

    @property
    def label(self) -> str:
        """Name of the block, by default its kind."""
        return str(getattr(self, "kind")) if self.name is None else self.name  # noqa: B009 # of every kind
