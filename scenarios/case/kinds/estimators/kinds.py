"""Registry of estimator kinds, one line each: the class that declares its quantities."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import EstimatorKind

FILES = (
    "mekf = controllers.sensing.estimators.mekf:MEKF",
    "usque = controllers.sensing.estimators.usque:USQUE",
    "complementary = controllers.sensing.estimators.complementary:ComplementaryFilter",
)

KINDS: "Kinds[EstimatorKind]" = Kinds(__name__, FILES)
