"""``--out DIR``: checked before the work, filled after it; its files are of one run, all of them or none.

They are written beside their places, and put there together when the last is on the disk, so that a full disk or a
killed process leaves the files of the run before. Between the first and the last of those renames a process can still
be killed: the JSON file, which comes last, has a digest of every other (SHA-256), by which files of two runs are told
apart. A fresh folder in the place of the old one would need no digest, but the folder is the user's: it may hold
other files, be a mount, or be where a shell stands. By the same digests the files of the run before that this one does
not have (a picture that no longer applies) are known and removed.
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

from ...controllers.files.no_link import require_no_link
from ...controllers.files.provenance import provenance
from ...controllers.files.whole_file import WholeFiles, write_whole
from ...plant.errors import InputError, SaveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Results", "prepare", "write_whole"]


def prepare(directory: Path) -> None:
    """Make sure that the directory can be made and that files can be written into it; leave nothing there yet.

    directory: where results will go; parents are made as needed.
    Raises InputError when it is a file, cannot be made, or cannot be written into.
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
    finally:  # what is refused later leaves nothing behind
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


class Results:
    """The files of one command, put into a directory together; a context that removes what was not.

    Nothing here raises when the disk refuses: what was computed is to be printed all the same. The message and the exit
    code are at the end, from `code`.

    out: a directory that `prepare` accepted; without one nothing is written.
    """

    def __init__(self, out: Path | None) -> None:
        self.out = out
        self.files: tuple[str, ...] = ()
        self.failure = ""
        self.interrupted = ""  # what was left out
        self._whole = WholeFiles()
        self._written: dict[str, Path] = {}

    def part(self, name: str) -> Path | None:
        """Return an empty file to be filled, which will be the one of that name; None where there will be none."""
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
        """Let `fill(path)` fill the file of that name."""
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
        """Make the directory: only now, for what was refused leaves nothing behind."""
        assert self.out is not None  # noqa: S101 # the callers looked
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaveError(f"{self.out}: cannot be made ({error.strerror or error})") from None

    def text(self, name: str, text: str) -> None:
        """Write text."""
        self.write(name, lambda path: path.write_text(text, encoding="utf-8"))

    def pictures(self, draw: "Callable[[], Mapping[str, Figure]]") -> None:
        """Draw and write pictures; Ctrl-C leaves them out, and what else there is is kept."""
        if self.out is None or self.failure:
            return
        try:
            for name, figure in draw().items():
                self.write(f"{name}.png", lambda path, figure=figure: figure.savefig(path, format="png"))
        except KeyboardInterrupt:
            self.interrupted = "the pictures not drawn yet"

    def finish(self, name: str, summary: Mapping[str, Any]) -> dict[str, Any]:
        """Write the JSON file, put all files in their places, and remove those of the run before.

        name: of the JSON file; summary: what it says -> the summary with `provenance` and, where files are written,
        `files`: the SHA-256 of each.
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
        """Give the files up."""
        self.failure = message
        self._whole.discard()

    @property
    def where(self) -> str | None:
        """The directory the files are in; None when there are none."""
        return str(self.out) if self.files else None

    def say(self) -> None:
        """Print which files there are."""
        if self.files:
            sys.stdout.write(f"\nwritten to {self.out}: {', '.join(self.files)}\n")

    def code(self, code: int) -> int:
        """Say on stderr what could not be written, and return the exit code."""
        if self.failure:
            sys.stderr.write(f"polhode: {self.failure}\n")
        if self.interrupted:
            sys.stderr.write(f"polhode: interrupted: {self.interrupted} were left out\n")
            return 130
        return 1 if self.failure else code

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Remove what was not put in its place."""
        self._whole.discard()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files_of(summary: Path) -> dict[str, str]:
    """The files that an earlier JSON file names, with their digests."""
    try:
        found = json.loads(summary.read_text(encoding="utf-8"))["files"]
        return {name: digest for name, digest in found.items() if Path(name).name == name}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
