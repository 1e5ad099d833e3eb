"""Schema of case files: one model per TOML table, with units in the keys; unknown keys are rejected."""

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
