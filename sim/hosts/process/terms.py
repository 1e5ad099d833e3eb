"""Terms on which a run and an external law or block agree before the first sample."""

from dataclasses import dataclass

from .port import Port


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Terms of an external law or block.

    Parameters
    ----------
    name : str
        Name of the law or block.
    role : str
        "law" or "block".
    reads, writes : tuple of Port
        Inputs and outputs, in the order of the messages.
    sample : float
        Sampling period, s; for an FMU the communication step.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its outputs act, s.
    seed : int or None
        Seed of the random numbers of the run.
    run : int
        Index of the run among the runs with this seed.
    """

    name: str
    role: str
    reads: tuple[Port, ...]
    writes: tuple[Port, ...]
    sample: float
    offset: float = 0.0
    delay: float = 0.0
    seed: int | None = None
    run: int = 0

    @property
    def words(self) -> str:
        """Role and name of the law or block, for messages."""
        return f"{self.role} {self.name!r}"
