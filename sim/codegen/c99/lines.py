"""Lines of C, and removal of unused ones."""

import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"/\*.*?\*/")


def words_of(line: str) -> Counter[str]:
    """Return the number of occurrences of each word in a line, without its comments."""
    return Counter(_WORD.findall(_COMMENT.sub("", line)))


class Line(str):
    """A line whose only effect is to set one name; `otherwise` replaces it if the name is never read."""

    __slots__ = ("otherwise", "sets")

    def __new__(cls, text: str, sets: str, otherwise: str = "") -> "Line":
        """Return the line."""
        found = super().__new__(cls, text)
        found.sets, found.otherwise = sets, otherwise
        return found


def needed(lines: Sequence[str]) -> list[str]:
    """Return the lines without those that set an unused name."""
    kept = list(lines)
    words = [words_of(line) for line in kept]
    total: Counter[str] = Counter()
    for mine in words:
        total.update(mine)
    while True:
        own: Counter[str] = Counter()
        for line, mine in zip(kept, words, strict=True):
            if isinstance(line, Line):
                own[line.sets] += mine[line.sets]
        dead = {name for name, times in own.items() if times == total[name]}
        if not dead:
            return [line for line in kept if line]
        for n, line in enumerate(kept):
            if isinstance(line, Line) and line.sets in dead:
                total.subtract(words[n])
                kept[n] = line.otherwise
                words[n] = words_of(line.otherwise)
                total.update(words[n])
