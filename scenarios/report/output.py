"""Results of ``--out DIR``: checked before the run; afterwards all files are written, or none.

The files are written under temporary names and renamed once the last file is on disk, so that a full disk or a
killed process leaves the files of the previous run intact. A process may still be killed between the renames. The JSON
file is therefore renamed last and holds the SHA-256 digest of every other file, so that a mixture of files from
different runs is detected. Replacing the whole folder would need no digests, but the folder is the user's: it may
contain other files, be a mount point, or be the current directory of a shell. The digests also identify obsolete files
of the previous run, such as a figure that no longer applies. Obsolete files are removed.
"""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...controllers.laws.files.no_link import require_no_link
from ...controllers.laws.files.provenance import provenance
from ...controllers.laws.files.whole_file import WholeFiles
from ...plant.errors import InputError, SaveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def prepare(directory: Path) -> None:
    """Check that the directory can be created and written to, without leaving anything in it.

    directory: directory of the results; parents are created as needed.
    Raises InputError when the path is a file, or the directory cannot be created or written to.
    """
    made: list[Path] = []
    try:
        if directory.exists() and not directory.is_dir():
            raise InputError(f"--out {directory}: is a file; give a directory")
        made = [folder for folder in (directory, *directory.parents) if not folder.exists()]
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except InputError:
        raise
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise InputError(f"--out {directory}: cannot be written ({words}); choose another directory") from None
    finally:  # a later error leaves nothing behind
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


class Results:
    """Context manager for the files of one command: moves all into a directory, or removes them.

    Disk errors do not raise, since the results are still printed. At the end, `code` reports the message and returns
    the exit code.

    out: a directory accepted by `prepare`; if None, nothing is written.
    """

    def __init__(self, out: Path | None) -> None:
        self.out = out
        self.files: tuple[str, ...] = ()
        self.failure = ""
        self.interrupted = ""  # names of the files that were omitted
        self._whole = WholeFiles()
        self._written: dict[str, Path] = {}

    def part(self, name: str) -> Path | None:
        """Return an empty temporary file for the result file with the given name; None if no file will be written."""
        if self.out is None or self.failure:
            return None
        try:
            self._ready()
            require_no_link(self.out / name)
            self._written[name] = self._whole.part(self.out / name)
        except SaveError as error:
            self.fail(str(error))
            return None
        return self._written[name]

    def write(self, name: str, fill: Callable[[Path], object]) -> None:
        """Write the result file with the given name by calling `fill(path)`."""
        if self.out is None or self.failure:
            return

        def noted(path: Path) -> None:
            fill(path)
            self._written[name] = path

        try:
            self._ready()
            require_no_link(self.out / name)
            self._whole.write(self.out / name, noted)
        except SaveError as error:
            self.fail(str(error))

    def _ready(self) -> None:
        """Create the directory just before the first file, so that an earlier error leaves nothing behind."""
        assert self.out is not None  # noqa: S101 # checked by the callers
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaveError(f"{self.out}: cannot be created ({error.strerror or error})") from None

    def text(self, name: str, text: str) -> None:
        """Write a text file."""
        self.write(name, lambda path: path.write_text(text, encoding="utf-8"))

    def pictures(self, draw: "Callable[[], Mapping[str, Figure]]") -> None:
        """Draw and write figures; Ctrl-C omits the remaining figures and keeps all other files."""
        if self.out is None or self.failure:
            return
        try:
            for name, figure in draw().items():
                self.write(f"{name}.png", lambda path, figure=figure: figure.savefig(path, format="png"))
        except KeyboardInterrupt:
            self.interrupted = "the figures not drawn yet"

    def finish(self, name: str, summary: Mapping[str, Any]) -> dict[str, Any]:
        """Write the JSON file, rename all files, and remove obsolete files of the previous run.

        name: name of the JSON file; summary: its content. Returns the summary with `provenance` and, if
        files are written, `files`: the SHA-256 digest of each.
        """
        from .json_text import dump

        found = {**summary, "provenance": provenance()}
        if self.out is None or self.failure:
            return found
        digests = {each: _digest(path) for each, path in self._written.items()}
        whole = {**found, "files": digests}
        before = _files_of(self.out / name)
        self.text(name, dump(whole) + "\n")
        try:
            if not self.failure:
                self._whole.commit()
        except SaveError as error:
            self.fail(str(error))
        if self.failure:
            return found
        self.files = tuple(self._written)
        for old, digest in before.items():
            path = self.out / old
            if old not in self._written and path.is_file() and _digest(path) == digest:
                path.unlink(missing_ok=True)
        return whole

    def fail(self, message: str) -> None:
        """Discard the files and keep the error message."""
        self.failure = message
        self._whole.discard()

    @property
    def where(self) -> str | None:
        """Directory of the files; None if there are no files."""
        return str(self.out) if self.files else None

    def say(self) -> None:
        """Print the names of the files."""
        if self.files:
            sys.stdout.write(f"\nwritten to {self.out}: {', '.join(self.files)}\n")

    def code(self, code: int) -> int:
        """Report write errors on stderr and return the exit code."""
        if self.failure:
            sys.stderr.write(f"polhode: {self.failure}\n")
        if self.interrupted:
            sys.stderr.write(f"polhode: interrupted: {self.interrupted} were omitted\n")
            return 130
        return 1 if self.failure else code

    def __enter__(self) -> Self:
        """Return the object itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Remove files that were not renamed."""
        self._whole.discard()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files_of(summary: Path) -> dict[str, str]:
    """Return the files named in an earlier JSON file, with their digests."""
    try:
        found = json.loads(summary.read_text(encoding="utf-8"))["files"]
        return {name: digest for name, digest in found.items() if Path(name).name == name}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
