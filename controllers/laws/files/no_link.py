"""Rejection of symbolic links in a results folder, which could redirect a write."""

from pathlib import Path

from ....plant.errors import SaveError


def require_no_link(path: Path) -> None:
    """Raise SaveError if a result file is a symbolic link, which an untrusted folder may contain."""
    if path.is_symlink():
        raise SaveError(f"{path}: is a link, which is not followed in writing; remove it, or choose a different folder")
