"""A law that was saved to a file."""

from collections.abc import Callable

from ...controllers import DynamicFeedback, LinearFeedback, QuaternionFeedback, load_law
from ...plant import LinearModel, Spacecraft
from ..schema.controller import FileTable

__all__ = ["make_from_file"]


def make_from_file(
    table: FileTable, craft: Spacecraft, model: Callable[[], LinearModel]
) -> LinearFeedback | DynamicFeedback | QuaternionFeedback:
    """Read the law; it must have been saved for this very plant.

    Parameters
    ----------
    table : FileTable
        Where it is.
    craft : Spacecraft
        The plant; not used.
    model : callable
        Returns the linear model about the reference.

    Returns
    -------
    LinearFeedback, DynamicFeedback or QuaternionFeedback
        The law.
    """
    return load_law(table.file, model())
