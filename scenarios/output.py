"""``--out DIR``: checked before the run, filled after it, every file whole or not at all."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..plant.errors import InputError, SaveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..sim import Run

__all__ = ["prepare", "save", "write_whole"]


def prepare(directory: Path) -> None:
    """Make sure that the directory can be made and that files can be written into it; leave nothing there yet.

    Parameters
    ----------
    directory : path
        Where results will go; parents are made as needed.

    Raises
    ------
    InputError
        When it is a file, cannot be made, or cannot be written into.
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


def save(directory: Path, run: "Run", *, summary: str, pictures: "dict[str, Figure]") -> tuple[str, ...]:
    """Write run.nc, summary.json and the pictures.

    Parameters
    ----------
    directory : path
        A directory that `prepare` accepted.
    run : Run
        What `simulate` returned.
    summary : str
        The JSON text.
    pictures : dict
        Figures by file name without ending.

    Returns
    -------
    tuple of str
        The names of the files written.

    Raises
    ------
    SaveError
        When a file cannot be written; those already there are whole, and no half-written one is left.
    """
    directory.mkdir(parents=True, exist_ok=True)
    run.save(directory / "run.nc")
    write_whole(directory / "summary.json", lambda path: path.write_text(summary + "\n", encoding="utf-8"))
    for name, figure in pictures.items():
        write_whole(directory / f"{name}.png", lambda path, figure=figure: figure.savefig(path, format="png"))
    return ("run.nc", "summary.json", *(f"{name}.png" for name in pictures))


def write_whole(target: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside the target, then put it in the target's place.

    Parameters
    ----------
    target : path
        The file wanted; one that is there already is replaced, or left as it is when writing fails.
    write : callable
        `write(path)` fills the file of that name.

    Raises
    ------
    SaveError
        When the file cannot be written.
    """
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        os.close(handle)
        temporary = Path(name)
        write(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        raise SaveError(f"{target}: cannot be written ({error.strerror or error})") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
