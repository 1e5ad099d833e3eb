"""`[[require]]`: does the run keep the bounds its case asks for?"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..case.schema import RequireTable
from .metrics import Metric

__all__ = ["Verdict", "judge"]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One requirement and what became of it.

    Attributes
    ----------
    metric : str
        The metric's name.
    value : float or None
        What was measured.
    max, min : float or None
        The bounds.
    met : bool
        Whether they hold.
    reason : str
        In words, why not; empty when met.
    """

    metric: str
    value: float | None
    max: float | None
    min: float | None
    met: bool
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns
        -------
        dict
            metric, value, max, min, met, reason (None when met).
        """
        return {**asdict(self), "reason": self.reason or None}


def judge(requirements: Sequence[RequireTable], metrics: Mapping[str, Metric]) -> tuple[Verdict, ...]:
    """Compare each requirement with its metric.

    requirements: what must hold; metrics: what was measured, by name -> in the order of the requirements. A metric
    without a value does not meet its requirement.
    """
    return tuple(_verdict(requirement, metrics[requirement.key]) for requirement in requirements)


def _verdict(requirement: RequireTable, metric: Metric) -> Verdict:
    value, low, high = metric.value, requirement.min, requirement.max
    if value is None:
        reason = f"{requirement.key} has no value: {metric.reason}"
    elif high is not None and not value <= high:
        reason = f"{requirement.key} is {value:.6g}, above its maximum of {high:g}"
    elif low is not None and not value >= low:
        reason = f"{requirement.key} is {value:.6g}, below its minimum of {low:g}"
    else:
        reason = ""
    return Verdict(metric=requirement.key, value=value, max=high, min=low, met=not reason, reason=reason)
