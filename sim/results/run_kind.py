"""Kind of a run: the parts that determine which quantities and metrics it has."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .quantities import QUANTITIES
from .shared_rows import once

if TYPE_CHECKING:
    from .run import Run

KEPT = 16


@dataclass(frozen=True, eq=False)
class RunKind:
    """Common properties of all runs with the same parts.

    Attributes
    ----------
    parts : tuple
        Elements, potentials, blocks, law, reference and formulation.
    names : tuple of str
        Names of those quantities in QUANTITIES that the runs have.
    missing : dict
        Results of metrics that do not apply because a part is missing, by name of the metric, for each setting on which
        the reason depends.
    """

    parts: tuple[object, ...]
    names: tuple[str, ...]
    missing: dict[object, dict[str, Any]] = field(default_factory=dict[object, dict[str, Any]])


_kinds: dict[object, RunKind] = {}
"""Kinds of recent runs, by the ids of their parts, which exist as long as the kind."""


@once
def kind_of(run: "Run") -> RunKind:
    """Return the kind of a run in memory. Runs of a campaign share it; user-defined parts may change and do not."""
    craft = run.craft
    parts = (craft.elements, craft.potentials, run.blocks, (run.law, run.reference, run.formulation))
    key = (
        *(tuple(map(id, each)) for each in parts),
        craft.torques.port,
        craft.external is None,
        craft.body.pivot is None,
        craft.translation,
        run.ledger,
    )
    kind = _kinds.get(key)
    if kind is None:
        every = [part for each in parts for part in each if part is not None]
        kind = RunKind(tuple(every), tuple(name for name, each in QUANTITIES.items() if each.here(run)))
        if all(type(part).__module__.startswith("polhode.") for part in every):
            while len(_kinds) >= KEPT:
                _kinds.pop(next(iter(_kinds)), None)
            _kinds[key] = kind
    return kind
