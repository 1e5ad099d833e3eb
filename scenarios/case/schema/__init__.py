"""The case file's schema: one model per TOML table, keys that carry their units, nothing else accepted."""

from .case import Case, CompareTable
from .controller import ControllerTable
from .initial import EulerAnglesTable, InitialTable
from .plant import PlantTable
from .reference import ReferenceTable
from .run import MarginName, MetricName, MetricsTable, RequireTable, RunTable
from .torques import TorqueTable

__all__ = [
    "Case",
    "CompareTable",
    "ControllerTable",
    "EulerAnglesTable",
    "InitialTable",
    "MarginName",
    "MetricName",
    "MetricsTable",
    "PlantTable",
    "ReferenceTable",
    "RequireTable",
    "RunTable",
    "TorqueTable",
]
