"""`[reference]`: what the craft should do; each kind has its table in `polhode.scenarios.objects.references`.

Without a kind it is an attitude to hold or to spin through.
"""

from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import Discriminator, Tag

from ...objects.references.kinds import KINDS
from .fields import Table

__all__ = ["ReferenceTable"]


def _kind(value: Any) -> str:
    """The tag of what was given; anything but a table is left to the plainest one to refuse."""
    if isinstance(value, dict):
        return str(cast("dict[str, Any]", value).get("kind", "fixed"))
    return str(getattr(value, "kind", "fixed"))


if TYPE_CHECKING:

    class ReferenceTable(Table):
        """The table of any kind."""

        kind: str
else:
    ReferenceTable = Annotated[
        reduce(lambda some, more: some | more, [Annotated[kind.table, Tag(kind.name)] for kind in KINDS]),
        Discriminator(_kind),
    ]
