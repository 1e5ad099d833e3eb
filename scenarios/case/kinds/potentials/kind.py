"""Definition of a potential kind: its table, and the function that creates the potential."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .....plant.loads.potentials.any_potential import AnyPotential
from ...schema.potential import PotentialTable
from ..case_kind import CaseKind


@dataclass(frozen=True, kw_only=True)
class PotentialKind(CaseKind):
    """One kind of `[[plant.potentials]]`.

    Parameters
    ----------
    table : type of PotentialTable
        Model with the keys of the table, including its `kind`.
    make : callable
        make(table) returns the potential.
    """

    table: type[PotentialTable]
    make: Callable[[Any], AnyPotential]
