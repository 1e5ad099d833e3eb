"""What a run and what answers it agree on before the first sample."""

from dataclasses import dataclass

from .port import Port

__all__ = ["Terms"]


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Of a law or a block that something outside answers.

    Parameters
    ----------
    name : str
        Of the law or block.
    role : str
        "law" or "block".
    reads, writes : tuple of Port
        What it is told and what it answers, in this order.
    sample : float
        Its period, s; of a unit its communication step.
    offset : float
        Time of its first sample, s.
    delay : float
        From a sample to when its answer counts, s.
    seed : int or None
        Of the random numbers of the run.
    run : int
        Which of many runs with that seed it is.
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
        """Whose they are."""
        return f"{self.role} {self.name!r}"
