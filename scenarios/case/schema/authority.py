"""Authority of a case to run outside programs: it comes from the author of the case, never from the tables alone."""

from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic import ValidationInfo

from .fields import Program, Table

__all__ = ["OWN", "STORED", "Authority", "programs_of", "vouched"]

CONTEXT = "authority"


@dataclass(frozen=True, kw_only=True)
class Authority:
    """The right of a case under validation to run outside programs; without any argument it may run none.

    Parameters
    ----------
    trust : bool
        Whether `trust = true` in a table counts: only where the user wrote it.
    ports : bool
        Whether the case may connect to any port without `trust = true`.
    programs : frozenset of Program
        Programs that may run besides, such as those that an earlier check of the same case admitted.
    """

    trust: bool = False
    ports: bool = False
    programs: frozenset[Program] = frozenset()

    @property
    def context(self) -> dict[str, Any]:
        """The context of a pydantic validation."""
        return {CONTEXT: self}

    def narrowed(self, case: Table) -> "Authority":
        """Return the authority of later versions of a checked case: the programs that it names now, and no others."""
        return replace(self, trust=False, ports=False, programs=programs_of(case))


OWN = Authority(trust=True, ports=True)
"""Of a file that the user names, with the overrides of the command line."""

STORED = Authority(trust=True)
"""Of a case from a file of results, from which every `trust` was removed before the overrides were applied."""


def vouched(program: Program, *, said: bool, info: ValidationInfo) -> bool:
    """Return whether a program may run.

    program: what its table names; said: whether the table says `trust = true`; info: of the validation.
    """
    context = cast("dict[str, Authority]", info.context or {})
    found = context.get(CONTEXT, Authority())
    return (said and found.trust) or (program[0] == "port" and found.ports) or program in found.programs


def programs_of(table: Table) -> frozenset[Program]:
    """Return the programs that may run in a checked table and in the tables inside it."""
    return frozenset[Program]().union(*(each.trusted for each in table.tables()))
