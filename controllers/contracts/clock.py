"""Clock of a block: when it samples, and when its output takes effect."""

from dataclasses import dataclass, field

from ...plant.checks import non_negative
from .checks import check_timing


@dataclass(frozen=True)
class Clock:
    """Sampling times offset + k period of a block, and the delay until its output takes effect.

    Parameters
    ----------
    period : float
        Time between samples, s; from 1e-9 to 1e9.
    offset : float
        Time of the first sample, s. The periods and offsets of the law and all blocks must be multiples of a common
        time step.
    delay : float
        Time from a sample until its output takes effect, s; any value up to 1000 periods.

    Raises
    ------
    InputError
        When a time is out of range.

    Examples
    --------
    >>> Clock(0.1, delay=0.05)
    Clock(period=0.1, offset=0.0, delay=0.05)
    """

    period: float
    offset: float = field(default=0.0, kw_only=True)
    delay: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        """Check the times and store them as floats."""
        period, delay = check_timing(self.period, self.delay, name="period")
        object.__setattr__(self, "period", period)
        object.__setattr__(self, "offset", non_negative("offset", self.offset, "s"))
        object.__setattr__(self, "delay", delay)
