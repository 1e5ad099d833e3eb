"""Every kind of estimator that a case can ask for: the file that says what it is, one line each."""

from importlib import import_module

from ...case.schema.estimator import EstimatorTable
from .kind import EstimatorKind

__all__ = ["KINDS", "kind_of"]

FILES = (
    "mekf",
    "usque",
    "complementary",
)

KINDS: tuple[EstimatorKind, ...] = tuple(import_module(f".{name}", __package__).KIND for name in FILES)


def kind_of(table: EstimatorTable) -> EstimatorKind:
    """Return the kind that a table belongs to.

    Parameters
    ----------
    table : EstimatorTable
        Of a case.

    Returns
    -------
    EstimatorKind
        Its kind.
    """
    return next(kind for kind in KINDS if kind.table is type(table))
