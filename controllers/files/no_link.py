"""Files in a folder of results are files: a link there could lead a write anywhere."""

from pathlib import Path

from ...plant.errors import SaveError

__all__ = ["require_no_link"]


def require_no_link(path: Path) -> None:
    """Raise SaveError where a file of results is a symbolic link: a folder from elsewhere may hold such a trap."""
    if path.is_symlink():
        raise SaveError(f"{path}: is a link, through which nothing is written; remove it, or choose another folder")
