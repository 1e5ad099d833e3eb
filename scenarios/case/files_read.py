"""The files that a case reads, and the programs that it runs: a campaign that resumes must have the same ones."""

import hashlib

from .schema.fields import Table

__all__ = ["digests_of", "programs_in"]


def digests_of(table: Table) -> dict[str, str]:
    """Return the SHA-256 of each file that a table, or one inside it, names, by its path.

    A file that cannot be read is left out: it is refused where it is used.
    """
    found: dict[str, str] = {}
    for each in table.tables():
        for path in each.files:
            try:
                with path.open("rb") as file:
                    found[str(path)] = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError:
                continue
    return found


def programs_in(table: Table) -> tuple[str, ...]:
    """Return what messages call the outside programs that a table, or one inside it, names, sorted."""
    return tuple(sorted({each.outside for each in table.tables() if each.outside}))
