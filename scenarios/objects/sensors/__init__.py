"""From `[[sensors]]` to sensors and their blocks: one file per kind, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # whoever comes first, the schema is made first
from .kind import SensorKind
from .kinds import KINDS, kind_of
from .sensed import Sensed, sensed

__all__ = ["KINDS", "Sensed", "SensorKind", "kind_of", "sensed"]
