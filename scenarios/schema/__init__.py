"""The case file's schema: one model per TOML table, keys that carry their units, nothing else accepted."""

from .case import Case
from .controller import ControllerTable, QuaternionFeedbackTable
from .initial import EulerAnglesTable, InitialTable
from .linear_designs import LqrTable
from .plant import PlantTable, PotentialTable
from .reference import ReferenceTable
from .run import MarginName, MetricName, MetricsTable, RequireTable, RunTable
from .satellite import ArmTable, HubTable, SatelliteTable, SectionTable
from .satellite_case import SatelliteCase
from .satellite_run import SatelliteRequireTable
from .torques import TorqueTable
from .whole import case_json_schema

__all__ = [
    "ArmTable",
    "Case",
    "ControllerTable",
    "EulerAnglesTable",
    "HubTable",
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
    "SatelliteCase",
    "SatelliteRequireTable",
    "SatelliteTable",
    "SectionTable",
    "TorqueTable",
    "case_json_schema",
]
