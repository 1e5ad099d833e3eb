"""The case file's schema: one model per TOML table, keys that carry their units, nothing else accepted."""

from .case import Case
from .controller import ControllerTable, QuaternionFeedbackTable
from .initial import EulerAnglesTable, InitialTable
from .linear_designs import LqrTable
from .plant import PlantTable, PotentialTable
from .reference import ReferenceTable
from .run import MarginName, MetricName, MetricsTable, RequireTable, RunTable
from .torques import TorqueTable

__all__ = [
    "Case",
    "ControllerTable",
    "EulerAnglesTable",
    "InitialTable",
    "LqrTable",
    "MarginName",
    "MetricName",
    "MetricsTable",
    "PlantTable",
    "PotentialTable",
    "QuaternionFeedbackTable",
    "ReferenceTable",
    "RequireTable",
    "RunTable",
    "TorqueTable",
]
