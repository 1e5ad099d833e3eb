"""Safe unpacking of an untrusted FMU archive: only into a given folder, and with bounded size."""

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from ....plant.errors import InputError

MOST_FILES = 10_000
MOST_BYTES = 1 << 30
LARGE = 64 << 20  # bytes: below this size the ratio is not checked
RATIO = 100  # largest ratio of unpacked to packed size; libraries and images have 2 to 10
PIECE = 1 << 20


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive into an existing folder.

    Raises InputError when the archive cannot be read, or has content that an FMU must not have: names that lead out of
    the folder or occur twice, links, encrypted files, too many files, or files far larger than the archive.
    """
    try:
        size = path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check(path, entries, size)
            left = MOST_BYTES
            for entry in entries:
                if not entry.is_dir():
                    left = _write(archive, entry, folder / entry.filename, left, path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: cannot be unpacked as the archive of an FMU: {error}") from None


def _check(path: Path, entries: list[zipfile.ZipInfo], size: int) -> None:
    if len(entries) > MOST_FILES:
        raise InputError(f"{path}: contains {len(entries)} files, more than the limit of {MOST_FILES}")
    total = sum(entry.file_size for entry in entries)
    if total > MOST_BYTES or (total > LARGE and total > RATIO * size):
        raise InputError(
            f"{path}: would unpack to {total} bytes from {size}; the limits are {MOST_BYTES} bytes and {RATIO} times "
            "its size"
        )
    seen: dict[str, str] = {}
    for entry in entries:
        name = entry.filename
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or any(sign in name for sign in "\\:\0"):
            raise InputError(
                f"{path}: the name {name!r} in it is outside the target folder; the archive is not unpacked"
            )
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
            raise InputError(f"{path}: {name!r} in it is a link or a device; the archive is not unpacked")
        if entry.flag_bits & 1:
            raise InputError(f"{path}: {name!r} in it is encrypted; the archive is not unpacked")
        same = "/".join(parts).casefold()
        if same in seen:
            raise InputError(
                f"{path}: {seen[same]!r} and {name!r} in it are the same file; the archive is not unpacked"
            )
        seen[same] = name


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int, path: Path) -> int:
    """Unpack one file, counting the bytes actually written, and return the number of bytes still allowed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as source, target.open("xb") as out:
        while piece := source.read(PIECE):
            left -= len(piece)
            if left < 0:
                raise InputError(f"{path}: unpacks to more than {MOST_BYTES} bytes; unpacking was stopped")
            out.write(piece)
    return left
