"""`[[require]]`: comparison of a run with the requirements of its case."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..case.schema import RequireTable
from .metrics import Metric


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Verdict on one requirement.

    Attributes
    ----------
    metric : str
        The metric's name.
    value : float or None
        The measured value.
    max, min : float or None
        The bounds.
    met : bool
        Whether the value is within the bounds.
    reason : str
        Reason for a violation; empty when met.
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

    requirements: requirements of the case; metrics: measured metrics, by name. Returns verdicts in the same order. A
    metric without a value does not meet its requirement.
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
