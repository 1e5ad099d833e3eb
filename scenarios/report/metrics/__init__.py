"""Numbers that say how well a run went: each a function with its name, its unit and what it means."""

from .kind import Metric, MetricSettings
from .kinds import METRICS
from .measure import measure

__all__ = ["METRICS", "Metric", "MetricSettings", "measure"]
