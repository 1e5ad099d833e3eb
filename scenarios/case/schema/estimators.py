"""`[estimator]`: attitude from measurements; the table of each kind is in `scenarios.case.kinds.estimators`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.estimators.kinds import KINDS
from .estimator import EstimatorTable

if TYPE_CHECKING:

    class AnyEstimatorTable(EstimatorTable):
        """The table of any kind."""

        kind: str
else:
    AnyEstimatorTable = Annotated[EstimatorTable, KINDS]
