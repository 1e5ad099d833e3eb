"""Create the reference from `[reference]`."""

from typing import TYPE_CHECKING

from .kinds import KINDS

if TYPE_CHECKING:
    from .....controllers import Reference
    from .....plant import Spacecraft
    from ...schema import Case


def reference_of(case: "Case", craft: "Spacecraft") -> "Reference | None":
    """Return the reference of a case.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        The spacecraft. A slew uses its inertia with the elements locked at their initial positions.

    Returns
    -------
    Reference or None
        Reference of the case; None if the case has none. If the reference rejects a value, the message begins with the
        key path.
    """
    table = case.reference
    if table is None:
        return None
    return KINDS.of(table).make(table, case, craft)
