"""Permission of a case to run external programs, given by the user and never by the case alone."""

from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic import ValidationInfo

from .fields import Program, Table

CONTEXT = "authority"


@dataclass(frozen=True, kw_only=True)
class Authority:
    """Permission of a case to run external programs, used in validation; by default it may run none.

    Parameters
    ----------
    trust : bool
        Whether `trust = true` in a table counts. It counts only in files and overrides from the user.
    ports : bool
        Whether the case may connect to any port without `trust = true`.
    programs : frozenset of Program
        Additional programs that may run, such as those permitted in an earlier validation of the same case.
    """

    trust: bool = False
    ports: bool = False
    programs: frozenset[Program] = frozenset()

    @property
    def context(self) -> dict[str, Any]:
        """Context for pydantic validation."""
        return {CONTEXT: self}

    def narrowed(self, case: Table) -> "Authority":
        """Return the permission for variants of a validated case, limited to programs that the case names now."""
        return replace(self, trust=False, ports=False, programs=programs_of(case))


OWN = Authority(trust=True, ports=True)
"""Permission of a case file named by the user, and of overrides on the command line."""

STORED = Authority(trust=True)
"""Permission of a case from a results file, after removal of every `trust` key and before overrides."""


def vouched(program: Program, *, said: bool, info: ValidationInfo) -> bool:
    """Return whether a program may run.

    program: program named in the table; said: whether the table has `trust = true`; info: pydantic's validation info.
    """
    context = cast("dict[str, Authority]", info.context or {})
    found = context.get(CONTEXT, Authority())
    return (said and found.trust) or (program[0] == "port" and found.ports) or program in found.programs


def programs_of(table: Table) -> frozenset[Program]:
    """Return the permitted programs in a validated table and its nested tables."""
    return frozenset[Program]().union(*(each.trusted for each in table.tables()))
