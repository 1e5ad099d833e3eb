"""Schema of `[estimator]`; the table of each estimator kind is in `scenarios.case.kinds.estimators`."""

from typing import TYPE_CHECKING, Annotated

from ..kinds.estimators.kinds import KINDS
from .estimator import EstimatorTable

if TYPE_CHECKING:

    class AnyEstimatorTable(EstimatorTable):
        """Table of any estimator kind."""

        kind: str
else:
    AnyEstimatorTable = Annotated[EstimatorTable, KINDS]
