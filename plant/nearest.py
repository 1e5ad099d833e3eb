"""The words nearest to one that is not among those allowed, for messages."""

import difflib
from collections.abc import Iterable

__all__ = ["nearest_words"]

BEGINNING = 4  # letters: a beginning as long as this names all words that go on from it
MANY = 3


def nearest_words(word: str, words: Iterable[str], *, cutoff: float = 0.4) -> list[str]:
    """Return the words that are most likely meant, whatever the case of letters; none where none is near.

    word: what was given; words: those allowed; cutoff: least share of letters alike, from 0 to 1 -> the one that is the
    same but for the case of letters, else up to three that begin with it, else the most similar one.

    Examples
    --------
    >>> nearest_words("RK4", ("rk4", "rk8")), nearest_words("disk_margin", ("disk_margin_all", "disk_margin_inputs"))
    (['rk4'], ['disk_margin_all', 'disk_margin_inputs'])
    """
    folded: dict[str, str] = {}
    for each in words:
        folded.setdefault(each.casefold(), each)
    typed = word.casefold()
    if typed in folded:
        return [folded[typed]]
    longer = [each for key, each in folded.items() if len(typed) >= BEGINNING and key.startswith(typed)]
    if 0 < len(longer) <= MANY:
        return longer
    return [folded[each] for each in difflib.get_close_matches(typed, folded, n=1, cutoff=cutoff)]
