"""Titles of block signals, the same in figures and on the review page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...sim import Run

NAMES = {"nis": "normalised innovation squared"}


def signal_title(run: "Run", name: str) -> str:
    """Return the title of a block signal.

    name: a quantity in `run.written`. The title includes the name of the block unless the signal has the same name.
    """
    made = run.written[name]
    block = run.blocks[made.by].name if 0 <= made.by < len(run.blocks) else ""
    words = NAMES.get(made.signal, made.signal.replace("_", " "))
    if name.endswith("_for_law"):
        title = f"{words} used by the law"
    elif name.endswith("_of_law"):
        title = "command of the law" if words == "command" else f"{words} of the law"
    elif block and _plain(block) not in _plain(words) and _plain(words) not in _plain(block):
        title = f"{words} from {block}"
    else:
        title = words
    return title[:1].upper() + title[1:]


def _plain(words: str) -> str:
    """Return only the letters, so that "sun-error" and "sun error" compare as equal."""
    return " ".join(sorted(words.replace("_", " ").replace("-", " ").lower().split()))
