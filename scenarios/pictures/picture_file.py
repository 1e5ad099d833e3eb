"""Figure files, whose suffix selects the file type."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ...controllers.laws.files.whole_file import write_whole
from ...plant.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE_TYPES = ("png", "svg", "pdf")


def check_picture(out: Path) -> None:
    """Check before the computation that a figure file can be created.

    Raises InputError when the type is unknown or the file cannot be created.
    """
    ending = out.suffix.removeprefix(".").lower()
    if ending not in PICTURE_TYPES:
        wanted = ", ".join(f".{word}" for word in PICTURE_TYPES)
        given = f"the file type {out.suffix!r} is unknown" if ending else "the name has no file type"
        raise InputError(f"--out {out}: {given}; use one of {wanted}")
    if out.is_dir():
        raise InputError(f"--out {out}: is a folder; give a file")
    if not out.parent.is_dir():
        raise InputError(f"--out {out}: there is no folder {out.parent}; create it first")


def write_picture(out: Path, draw: "Callable[[], Figure]") -> None:
    """Check the file name, then draw the figure and write it completely or not at all.

    out: path of the file; the suffix selects the file type.
    draw: function that returns the figure.
    Raises InputError when the file type is unknown or the file cannot be created; SaveError when writing fails.
    """
    check_picture(out)
    figure, ending = draw(), out.suffix.removeprefix(".").lower()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending)  # no date: reproducible files
    write_whole(out, lambda path: _save(figure, path, ending, undated))


def _save(figure: "Figure", path: Path, ending: str, metadata: dict[str, None] | None) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "polhode"}):
        figure.savefig(path, format=ending, metadata=metadata)
