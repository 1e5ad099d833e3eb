"""Metrics of a run: functions with a name, a unit and a description."""

from .kind import Metric, MetricSettings
from .kinds import METRICS
from .measure import measure

__all__ = ["METRICS", "Metric", "MetricSettings", "measure"]
