"""From `[estimator]` to the block of a filter: one file per kind, with its table, and one line each in `kinds`."""

from ...case import schema  # noqa: F401 # pyright: ignore[reportUnusedImport] # whoever comes first, the schema is made first
from .estimator_of import estimator_of
from .kind import EstimatorKind
from .kinds import KINDS, kind_of

__all__ = ["KINDS", "EstimatorKind", "estimator_of", "kind_of"]
