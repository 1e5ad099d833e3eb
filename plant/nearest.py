"""Suggestions for misspelt words, for messages."""

import difflib
from collections.abc import Iterable

BEGINNING = 4  # number of letters of the shortest prefix that matches longer words
MANY = 3  # largest number of suggestions for a prefix


def nearest_words(word: str, words: Iterable[str], *, cutoff: float = 0.4) -> list[str]:
    """Return the allowed words most likely meant, ignoring case; an empty list if none is similar.

    word: input; words: allowed words; cutoff: smallest similarity, 0 to 1 -> the word that is equal except for case;
    otherwise up to three words with this prefix; otherwise the most similar word.

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
