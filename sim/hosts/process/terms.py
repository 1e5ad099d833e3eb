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
        Its inputs and outputs, in this order.
    sample : float
        Its period, s; for an FMU the communication step.
    offset : float
        Time of its first sample, s.
    delay : float
        Time from a sample until its outputs act, s.
    seed : int or None
        Seed of the random numbers of the run.
    run : int
        Number of the run among those with that seed.
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
        """Name of their owner, for messages."""
        return f"{self.role} {self.name!r}"
