"""Files that a case reads and programs that it runs; both must be unchanged when a campaign resumes."""

import hashlib

from .schema.fields import Table


def digests_of(table: Table) -> dict[str, str]:
    """Return the SHA-256 of each file named in a table or a nested table, by path.

    A file that cannot be read is omitted here, and rejected when it is used.
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
    """Return the display names of external programs in a table or its nested tables, sorted."""
    return tuple(sorted({each.outside for each in table.tables() if each.outside}))
