"""Registry of estimator kinds: the file that defines each, one line each."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import EstimatorKind

__all__ = ["KINDS"]

FILES = (
    "mekf",
    "usque",
    "complementary",
)

KINDS: "Kinds[EstimatorKind]" = Kinds(__name__, FILES)
